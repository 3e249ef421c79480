import { Cause, Logger, References } from 'effect';

export type Level = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one JSON line to standard error: time, level, a constant message, and fields. */
export function logLine(level: Level, message: string, fields: LogFields = {}): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
}

const levels: Readonly<Record<string, Level>> = { Fatal: 'error', Error: 'error', Warn: 'warn', Info: 'info' };

const textOf = (part: unknown) =>
  typeof part === 'string' ? part : part instanceof Error ? part.message : JSON.stringify(part);

/** Effect's log, written by `logLine`. */
const jsonLogger = Logger.make(({ logLevel, message, fiber, cause }) => {
  const [first, ...rest] = Array.isArray(message) ? (message as readonly unknown[]) : [message];
  const annotations = fiber.getRef(References.CurrentLogAnnotations);
  const failure = cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {};
  const details = rest.length > 0 ? { details: rest.map(textOf) } : {};
  logLine(levels[logLevel] ?? 'debug', textOf(first), { ...annotations, ...details, ...failure });
});

/** Replaces Effect's default logger. */
export const jsonLogs = Logger.layer([jsonLogger]);
