import { exitMessages } from '../exits.ts';
import { exitsOf, topics } from '../help.ts';
import { globalFlags } from '../globals.ts';
import type { Flag } from '../command.ts';
import { type Page, pages, usageOf } from './pages.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function flagLine({ flags, about, choices, otherwise }: Flag): string {
  const choice = choices ? ` (${choices.join(', ')})` : '';
  const unless = otherwise === undefined ? '' : ` (default: ${otherwise})`;
  return `- \`${flags}\`: ${about}${choice}${unless}`;
}

function sectionOf(page: Page): readonly string[] {
  const { leaf, way } = page;
  const flags = leaf.flags ?? [];
  const args = leaf.args ?? [];
  return [
    '',
    `### ${way.join(' ')}`,
    '',
    `\`${usageOf(page)}\``,
    '',
    leaf.more === undefined ? leaf.about : `${leaf.about} ${leaf.more}`,
    ...(args.length + flags.length > 0 ? [''] : []),
    ...args.map(({ name, about }) => `- \`${name}\`: ${about}`),
    ...flags.map(flagLine),
    '',
    '```sh',
    ...leaf.examples,
    '```',
    '',
    `Ends with ${exitsOf(leaf).join(', ')}.`,
  ];
}

/** The reference of the command line, from the same data as its help. */
export const referenceText = (): string =>
  [
    '# The command line',
    '',
    'Written by `UPDATE=reference npm test -- cli/reference` from the commands themselves.',
    '',
    '## Flags of every command',
    '',
    ...globalFlags.map(flagLine),
    '- `-h, --help`: print the help of the command',
    '- `-v, --version`: print the version; on `core` alone',
    '',
    '## Environment',
    '',
    '```text',
    topics['environment']?.() ?? '',
    '```',
    '',
    '## Exit codes',
    '',
    '| code | means |',
    '| ---- | ----- |',
    ...Object.entries(exitMessages).map(([code, words]) => `| ${code} | ${cell(words)} |`),
    '',
    '## Commands',
    '',
    '`deploy`, `status`, `logs`, `env`, `scale` and `rollback` also stand under `apps`.',
    ...pages.flatMap(sectionOf),
    '',
  ].join('\n');
