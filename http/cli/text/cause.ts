import type { Status } from '../shapes.ts';
import { plain } from './plain.ts';

type CauseSeen = Status['cause'];

/** The message of a cause in one line; empty without one. */
export const causeText = (cause: CauseSeen): string => plain(cause?.message ?? '');

/** What tells one cause from another: its message may change every minute. */
export const causeKey = (cause: CauseSeen): string =>
  cause ? JSON.stringify([cause.of, cause.reason, cause.on?.kind, cause.on?.name]) : '';

const maxLines = 20;

/** A line for each service that is not ready or fails, with its cause; at most 20. */
export function causeLines(statuses: readonly Status[]): readonly string[] {
  const lines = statuses
    .filter(({ cause, ready, state }) => cause && (cause.severity === 'failure' || !(ready ?? state === 'ready')))
    .map(({ name = '', cause }) => `${plain(name)}: ${causeText(cause)}`);
  const more = lines.length - maxLines;
  return more > 0 ? [...lines.slice(0, maxLines), `${more} more`] : lines;
}
