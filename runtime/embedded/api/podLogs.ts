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

/** Where the logs of containers come from. */
export interface PodLogs {
  readonly read: (pod: Stored, container: string, options: LogOptions) => string;
  /** Each line from the first on, with when it was written; `ended` resolves after the container's last. */
  readonly follow: (
    pod: Stored,
    container: string,
    onLine: (line: string, at: number) => void,
  ) => { readonly stop: () => void; readonly ended: Promise<void> };
}

/** A line of a log. */
export interface LogLine {
  readonly text: string;
  readonly at: number;
}

/** A line after its time, to the nanosecond as a container runtime writes it. */
export const stampedLine = ({ text, at }: LogLine) => `${new Date(at).toISOString().slice(0, -1)}000000Z ${text}`;

/** The lines as the text that was asked for. */
export function logText(lines: readonly LogLine[], options: LogOptions): string {
  const { tailLines, limitBytes, sinceMs = -Infinity, timestamps = false } = options;
  const recent = lines.filter(({ at }) => at >= sinceMs);
  const kept = tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
  return firstBytes(kept.map((line) => `${timestamps ? stampedLine(line) : line.text}\n`).join(''), limitBytes);
}

/** The first bytes of a text, without half a character at the end. */
function firstBytes(text: string, limit: number | undefined): string {
  if (limit === undefined || Buffer.byteLength(text) <= limit) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit), { stream: true });
}
