import type { ConsoleSessionFacts } from './facts.ts';
import type { ConsoleSessionLimits } from './limits.ts';

/** The time limit of a session: the requested one when it is in range, otherwise the default. */
export const timeoutOf = (asked: number | null, limits: ConsoleSessionLimits): number =>
  asked !== null && asked >= limits.timeoutMinSeconds && asked <= limits.timeoutMaxSeconds
    ? asked
    : limits.timeoutDefaultSeconds;

/**
 * When a session expires, in ms since the epoch. A session that never started has already expired. So has one whose
 * start lies further ahead than clock skew explains: the clock was set back, so its age is unknown.
 */
export function limitAt(
  { now, startedAt, timeoutSeconds }: Pick<ConsoleSessionFacts, 'now' | 'startedAt' | 'timeoutSeconds'>,
  limits: ConsoleSessionLimits,
): number {
  if (startedAt === null || startedAt - now > limits.clocksDifferMs) return 0;
  return startedAt + timeoutOf(timeoutSeconds, limits) * 1_000;
}
