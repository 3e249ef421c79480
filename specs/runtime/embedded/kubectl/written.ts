import type { CommandStep } from './transcript.ts';

/** What is seen to differ from run to run, by its looks. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/(?<=\s)(?:\d+[smh])+(?=\s|$)/g, '<age>'],
  [/(resourceVersion"?: )"\d+"/g, '$1"<number>"'],
];

const shown = (line: string) => varying.reduce((text, [looks, name]) => text.replaceAll(looks, name), line.trimEnd());

/** A page with what its commands printed in the place of what was expected. */
export function withPrinted(page: string, changes: readonly (readonly [CommandStep, CommandStep])[]): string {
  const lines = page.split('\n');
  for (const [before, after] of changes.toReversed()) {
    if (before === after) continue;
    const start = before.line - 1 + before.command.split('\n').length;
    const count = before.expected.length + (before.exit === 0 ? 0 : 1);
    lines.splice(start, count, ...after.expected.map(shown), ...(after.exit === 0 ? [] : [`[${after.exit}]`]));
  }
  return lines.join('\n');
}
