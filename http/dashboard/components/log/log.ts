import type { ServiceLogLine } from '../../../api.ts';

/** The maximum number of lines in memory; the oldest are dropped first. */
export const maxLines = 10_000;

/** A line without colours, with how bad it says it is; of several copies with when and by whom it was written. */
export interface Line {
  readonly text: string;
  readonly level: Level;
  readonly from?: { readonly t: string; readonly pod: string };
}

/** The part of a log that has been read. */
export interface Log {
  readonly lines: readonly Line[];
  /** Lines that were dropped from the beginning. */
  readonly dropped: number;
  readonly reading:
    | { readonly is: 'reading' | 'following' }
    | { readonly is: 'whole'; readonly why: string }
    | { readonly is: 'lost'; readonly error: string };
}

export const noLog: Log = { lines: [], dropped: 0, reading: { is: 'reading' } };

export const withLines = (log: Log, more: readonly Line[]): Log => {
  const lines = [...log.lines, ...more];
  const over = Math.max(0, lines.length - maxLines);
  return { ...log, lines: over > 0 ? lines.slice(over) : lines, dropped: log.dropped + over };
};

const paintMs = 120;

/** Passes lines on in batches. */
export function gather(onLines: (lines: readonly Line[]) => void) {
  let waiting: Line[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (waiting.length > 0) onLines(waiting);
    waiting = [];
  };
  const add = (line: Line) => {
    waiting.push(line);
    timer ??= setTimeout(flush, paintMs);
  };
  return { add, flush };
}

/** What a log is cut down to; each level shows those before it too. */
export const levels = ['error', 'warn', 'info', 'debug'] as const satisfies readonly ServiceLogLine['level'][];

export type Level = (typeof levels)[number];
