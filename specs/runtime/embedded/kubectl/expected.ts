/** What differs from run to run, and the name that stands for it in a page. */
const placeholders = {
  any: '.*?',
  word: '\\S+',
  age: '(?:\\d+[smhdy])+',
  time: '\\S+T\\S+Z|\\w{3}, \\d{2} \\w{3} \\d{4} [\\d:]+ [-+]\\d{4}',
  uid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  ip: '\\d+\\.\\d+\\.\\d+\\.\\d+',
  hash: '[0-9a-z]{6,10}',
  id: '[0-9a-z]{5}',
  number: '\\d+',
} as const;
const named = new RegExp(`<(${Object.keys(placeholders).join('|')})>`);

/** Columns are as wide as their longest value, so gaps between them count as one. */
const squeezed = (line: string) => line.trimEnd().replaceAll(/(?<=\S) {2,}/g, '  ');

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function patternOf(line: string): RegExp {
  const parts = squeezed(line).split(named);
  const source = parts.map((part, index) =>
    index % 2 === 0 ? literal(part) : `(?:${placeholders[part as keyof typeof placeholders]})`,
  );
  // A value that is shorter or longer than its placeholder moves the gap after it.
  return new RegExp(`^${source.join('').replaceAll(/ {2,}(?=\S)/g, ' +')}$`);
}

/** Whether printed lines are those expected; a line `...` stands for any lines, none too. */
export function isExpected(expected: readonly string[], printed: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return printed.length === 0;
  if (first.trim() === '...')
    return printed.some((_, from) => isExpected(rest, printed.slice(from))) || isExpected(rest, []);
  const [line, ...more] = printed;
  return line !== undefined && patternOf(first).test(squeezed(line)) && isExpected(rest, more);
}

/** The lines that were expected and those that came, for somebody who reads why it failed. */
export function difference(expected: readonly string[], printed: readonly string[]): string {
  const lines = (mark: string, of: readonly string[]) => of.map((line) => `  ${mark} ${line}`).join('\n');
  return `expected\n${lines('|', expected)}\nprinted\n${lines('|', printed)}`;
}
