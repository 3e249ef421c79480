import { inspect } from 'node:util';

/** Whatever was thrown as text for the log, an error with its stack. */
export function traceOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack ?? thrown.message;
  return typeof thrown === 'string' ? thrown : inspect(thrown);
}
