import type { ConsoleSessionFacts } from './facts.ts';
import type { ConsoleSessionLimits } from './limits.ts';

/** The time limit of a session: the one asked for when it is in range, else the default. */
export const timeoutOf = (asked: number | null, limits: ConsoleSessionLimits): number =>
  asked !== null && asked >= limits.timeoutMinSeconds && asked <= limits.timeoutMaxSeconds
    ? asked
    : limits.timeoutDefaultSeconds;

/**
 * When a session ends by itself, in ms since the epoch. One that never started has ended long ago, and so has one that
 * starts further ahead than clocks differ: its clock was set back, and nobody knows for how long it has been open.
 */
export function limitAt(
  { now, startedAt, timeoutSeconds }: Pick<ConsoleSessionFacts, 'now' | 'startedAt' | 'timeoutSeconds'>,
  limits: ConsoleSessionLimits,
): number {
  if (startedAt === null || startedAt - now > limits.clocksDifferMs) return 0;
  return startedAt + timeoutOf(timeoutSeconds, limits) * 1_000;
}
