import { isError } from './text.ts';

/** What a log is cut down to; each level shows those before it too. */
export const levels = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof levels)[number];

export const levelWords: Readonly<Record<Level, string>> = {
  error: 'Errors',
  warn: 'Warnings and errors',
  info: 'All but debug',
  debug: 'All lines',
};

const warning = /\bwarn(?:ing)?s?\b/i;
const debugging = /\b(?:debug|trace)\b/i;

/** The level of a line by its words; most programs write no other. */
export function levelOf(line: string): Level {
  if (isError(line)) return 'error';
  if (warning.test(line)) return 'warn';
  return debugging.test(line) ? 'debug' : 'info';
}

/** A line with its number in the whole log. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

interface Cut {
  readonly level: Level;
  readonly search: string;
}

/** The lines of a level that contain a text, with their numbers; `dropped` lines came before the first. */
export function shownLines(
  { lines, dropped }: { readonly lines: readonly string[]; readonly dropped: number },
  { level, search }: Cut,
): readonly NumberedLine[] {
  const wanted = search.toLowerCase();
  const numbered = lines.map((text, index): NumberedLine => ({ number: dropped + index + 1, text }));
  if (level === 'debug' && wanted === '') return numbered;
  return numbered.filter(
    ({ text }) =>
      (level === 'debug' || levels.indexOf(levelOf(text)) <= levels.indexOf(level)) &&
      (wanted === '' || text.toLowerCase().includes(wanted)),
  );
}

/** A line cut at what was searched for: every second piece is a find. */
export function piecesOf(text: string, search: string): readonly string[] {
  if (search === '') return [text];
  const wanted = search.toLowerCase();
  const lower = text.toLowerCase();
  const pieces: string[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...pieces, text.slice(from)];
}
