import { type Level, levels, type Line, type Log } from './log.ts';
import { isError } from './text.ts';

export const levelWords: Readonly<Record<Level, string>> = {
  error: 'Errors',
  warn: 'Warnings and errors',
  info: 'All but debug',
  debug: 'All lines',
};

const warning = /\bwarn(?:ing)?s?\b/i;
const debugging = /\b(?:debug|trace)\b/i;

/** The level of a line of a build, whose tools report errors in the middle of a line. */
export function lineLevel(line: string): Level {
  if (isError(line)) return 'error';
  if (warning.test(line)) return 'warn';
  return debugging.test(line) ? 'debug' : 'info';
}

/** A line with its number in the whole log. */
export interface NumberedLine extends Line {
  readonly number: number;
}

interface Cut {
  readonly level: Level;
  readonly search: string;
}

/** The lines of a level that contain a text, with their numbers; `dropped` lines came before the first. */
export function shownLines(
  { lines, dropped }: Pick<Log, 'lines' | 'dropped'>,
  { level, search }: Cut,
): readonly NumberedLine[] {
  const wanted = search.toLowerCase();
  const numbered = lines.map((line, index): NumberedLine => ({ ...line, number: dropped + index + 1 }));
  if (level === 'debug' && wanted === '') return numbered;
  return numbered.filter(
    ({ text, level: own }) =>
      levels.indexOf(own) <= levels.indexOf(level) && (wanted === '' || text.toLowerCase().includes(wanted)),
  );
}

/** A line cut at what was searched for: every second piece is a find. */
export function segmentsOf(text: string, search: string): readonly string[] {
  if (search === '') return [text];
  const wanted = search.toLowerCase();
  const lower = text.toLowerCase();
  const segments: string[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    segments.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...segments, text.slice(from)];
}
