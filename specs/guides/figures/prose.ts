import { STATUS_CODES } from 'node:http';

const upToTwenty =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const words = new Map<string, number>([
  ...upToTwenty.split(' ').map((word, index) => [word, index + 2] as const),
  ...'thirty forty fifty sixty seventy eighty ninety hundred'
    .split(' ')
    .map((word, index) => [word, 10 * (index + 3)] as const),
  ['thousand', 1_000],
  ['third', 3],
  ['fourth', 4],
  ['fifth', 5],
  ['tenth', 10],
]);
/** Before a unit of time. */
const articles = new Map([
  ['a', 1],
  ['an', 1],
  ['half an', 0.5],
]);

/** What a figure looks like: digits, with `,`, `.` or `/` between them, a word, or the `a` of `a minute`. */
export const figurePattern = [
  String.raw`\d+(?:[.,/]\d+)*`,
  String.raw`\b(?:${[...words.keys()].join('|')})\b`,
  String.raw`\b(?:half an|an?)(?=\s(?:minute|hour|day|week)\b)`,
].join('|');

/** The number that a figure stands for: `1,000`, `fifteen`. */
export function numberOf(written: string): number {
  const word = written.toLowerCase().replaceAll(/\s+/g, ' ');
  return words.get(word) ?? articles.get(word) ?? Number(written.replaceAll(/(?<=\d),(?=\d{3})/g, ''));
}

/** Text goes; its length and its lines stay, so that every place is still that of the page. */
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** Of a block of commands or code only the comments are prose, of any other block nothing. */
const commentsOf = (fence: string): string =>
  fence.replaceAll(/^.*$/gm, (line) => {
    const comment = /^ *```(?:sh|ts)\n/.test(fence) ? (/(?:^|\s)((?:#|\/\/) .*)$/.exec(line)?.[1] ?? '') : '';
    return `${blank(line.slice(0, line.length - comment.length))}${comment}`;
  });

/** Numbers that count and measure nothing: each stands in a group of its own. */
const noFigures: readonly RegExp[] = [
  // The numbers of an ordered list, and what points to one.
  /^ *(\d+)\. /gm,
  /\bstep (\d+)\b/g,
  // Decisions and documents are named by numbers.
  /\bdecision (\d+)\b/g,
  /\b(00\d)(?= [A-Z])/g,
  // The answer of a process, beside its meaning: a cell of its own, or how it ends.
  /^\| (\d) +\|/gm,
  /\| (\d) +\|$/gm,
  /\b(?:ends|exit) with (\d)\b/g,
  // The answer of a server, which Node knows by name: `answers 200`, `501, with a text`.
  new RegExp(
    String.raw`(?:\b(?:answers|with|for|gets|may get a|or|and)|\|) (${Object.keys(STATUS_CODES).join('|')})\b(?! (?:CEL|\w*s)\b)`,
    'g',
  ),
];

/** A page with blanks in place of all that is no prose: code, comments of HTML, where links lead. */
function proseOf(page: string): string {
  const prose = page
    .replaceAll(/<!--.*?-->/gs, blank)
    .replaceAll(/^( *)```\w*\n.*?^\1```$/gms, commentsOf)
    .replaceAll(/`[^`]+`/g, blank)
    .replaceAll(/(?<=\])\([^)]*\)/g, blank);
  return noFigures.reduce(
    (text, pattern) => text.replaceAll(pattern, (all: string, number: string) => all.replace(number, blank)),
    prose,
  );
}

/** A figure in the prose of a page. */
export interface FigureSeen {
  readonly at: number;
  readonly text: string;
}

/** Every figure in the prose of a page. One that is joined to letters is a name: `S3`, `SHA256`, `two-factor`. */
export function figuresOf(page: string): readonly FigureSeen[] {
  const pattern = new RegExp(String.raw`(?<![\p{L}\d_.:/-])(?:${figurePattern})(?!-\p{L})`, 'giu');
  return [...proseOf(page).matchAll(pattern)].map(({ index, 0: text }) => ({ at: index, text }));
}

export const lineOf = (page: string, at: number): number => page.slice(0, at).split('\n').length;
