import type { ConsoleSessionFacts } from './facts.ts';
import type { ConsoleSessionLimits } from './limits.ts';

/** The time limit of a session: the one asked for when it is in range, else the default. */
export const timeoutOf = (asked: number | null, limits: ConsoleSessionLimits): number =>
  asked !== null && asked >= limits.timeoutMinSeconds && asked <= limits.timeoutMaxSeconds
    ? asked
    : limits.timeoutDefaultSeconds;

/** When a session ends by itself, in ms since the epoch; one that never started has ended long ago. */
export const limitAt = (
  { startedAt, timeoutSeconds }: Pick<ConsoleSessionFacts, 'startedAt' | 'timeoutSeconds'>,
  limits: ConsoleSessionLimits,
): number => (startedAt ?? 0) + timeoutOf(timeoutSeconds, limits) * 1_000;
