import { msOf } from './time.ts';

/** The next check of an object, and the interval of further ones, if there is one. */
export interface Check {
  readonly at: string;
  readonly everyMs?: number | undefined;
}

/** How long a due check counts as pending. */
const runsMs = 1_000;

/**
 * When the next check is due (ms): the announced one, or a later one at its interval, because only changes are
 * reported.
 */
export function nextCheckMs({ at, everyMs }: Check, now: number): number {
  const announced = msOf(at);
  const pastMs = now - announced - runsMs;
  return everyMs === undefined || pastMs < 0 ? announced : announced + (Math.floor(pastMs / everyMs) + 1) * everyMs;
}
