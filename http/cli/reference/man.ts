import type { Flag } from '../command.ts';
import { exitMessages } from '../exits.ts';
import { globalFlags } from '../globals.ts';
import { topics } from '../help.ts';
import { type Page, pages, usageOf } from './pages.ts';

/** Text as the formatter reads it: a hyphen of a flag is no dash, and a line does not begin with a request. */
function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

const maxLine = 79;

/** Running text over lines of the length that the formatter's own check asks for. */
function prose(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && roff(longer).length > maxLine) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines.map(roff);
}

const item = (term: string, words: string): readonly string[] => ['.TP', `\\fB${roff(term)}\\fR`, ...prose(words)];

function flagItem({ flags, about, choices, otherwise }: Flag): readonly string[] {
  const choice = choices ? ` (${choices.join(', ')})` : '';
  return item(flags, `${about}${choice}${otherwise === undefined ? '' : ` (default: ${otherwise})`}`);
}

function sectionOf(page: Page): readonly string[] {
  const { leaf } = page;
  return [
    `.SS ${roff(usageOf(page))}`,
    ...prose(leaf.about),
    ...(leaf.more === undefined ? [] : prose(leaf.more)),
    ...(leaf.args ?? []).flatMap(({ name, about }) => item(name, about)),
    ...(leaf.flags ?? []).flatMap(flagItem),
    '.PP',
    'Examples:',
    '.PP',
    '.nf',
    ...leaf.examples.map(roff),
    '.fi',
  ];
}

/** The manual page `core(1)`, from the same data as the help. */
export const manText = (): string =>
  [
    '.TH CORE 1 2026-01-01 Core "User Commands"',
    '.SH NAME',
    'core \\- a self\\-hosted application platform, from a terminal',
    '.SH SYNOPSIS',
    '.B core',
    'COMMAND [flags]',
    '.SH DESCRIPTION',
    'Everything that the dashboard does, for people and scripts.',
    'Results go to standard output, progress and notes to standard error.',
    '.SH OPTIONS',
    'Every command takes these flags, before or after it.',
    ...globalFlags.flatMap(flagItem),
    ...item('-h, --help', 'print the help of the command'),
    ...item('-v, --version', 'print the version; on core alone'),
    '.SH COMMANDS',
    ...pages.flatMap(sectionOf),
    '.SH ENVIRONMENT',
    '.nf',
    ...(topics['environment']?.() ?? '').split('\n').map(roff),
    '.fi',
    '.SH EXIT STATUS',
    ...Object.entries(exitMessages).flatMap(([code, words]) => item(code, words)),
    '',
  ].join('\n');
