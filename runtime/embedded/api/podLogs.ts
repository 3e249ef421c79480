import type { Stored } from '../store.ts';

/** Which part of a log is wanted. */
export interface LogOptions {
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Only what was written at this moment or later. */
  readonly sinceMs?: number;
  /** Each line after the time it was written. */
  readonly timestamps?: boolean;
  /** The run before this one. */
  readonly previous?: boolean;
}

/** Where a log that is followed begins: at its first line, or with these. */
export type LogStart = Pick<LogOptions, 'tailLines' | 'sinceMs'>;

/**
 * Takes a line with when it was written, or a part of one whose rest is still to come; a source that can wait goes on when
 * what is returned resolves.
 */
export type OnLine = (line: string, at: number, isPart?: boolean) => void | Promise<void>;

/** Where the logs of containers come from. */
export interface PodLogs {
  readonly read: (pod: Stored, container: string, options: LogOptions) => string | Promise<string>;
  /** Each line from the start on; `ended` resolves after the container's last. */
  readonly follow: (
    pod: Stored,
    container: string,
    onLine: OnLine,
    start?: LogStart,
  ) => { readonly stop: () => void; readonly ended: Promise<void> };
}

/** A line of a log. */
export interface LogLine {
  readonly text: string;
  readonly at: number;
  /** Whether its rest is still to come. */
  readonly isPart?: boolean;
}

/** A line after its time, to the nanosecond as a container runtime writes it. */
export const stampedLine = ({ text, at }: LogLine) => `${new Date(at).toISOString().slice(0, -1)}000000Z ${text}`;

/** The lines as the text that was asked for. */
export function logText(lines: readonly LogLine[], options: LogOptions): string {
  const { tailLines, limitBytes, sinceMs = -Infinity, timestamps = false } = options;
  const kept = linesFrom(lines, { sinceMs, ...(tailLines !== undefined && { tailLines }) });
  const written = kept.map(
    (line) => `${timestamps ? stampedLine(line) : line.text}${line.isPart === true ? '' : '\n'}`,
  );
  return firstBytes(written.join(''), limitBytes);
}

/** The lines that a log begins with. */
export function linesFrom(lines: readonly LogLine[], { tailLines, sinceMs = -Infinity }: LogStart): readonly LogLine[] {
  const recent = lines.filter(({ at }) => at >= sinceMs);
  return tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
}

/** The first bytes of a text, without half a character at the end. */
function firstBytes(text: string, limit: number | undefined): string {
  if (limit === undefined || Buffer.byteLength(text) <= limit) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit), { stream: true });
}
