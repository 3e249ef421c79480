import { msOf } from './time.ts';

/** The next check of something, and the interval at which others follow it, where there is one. */
export interface Check {
  readonly at: string;
  readonly everyMs?: number | undefined;
}

/** How long a check that is due counts as the one that is awaited. */
const runsMs = 1_000;

/** When the next check is due (ms): what was announced, or a later one at its interval, because only news is reported. */
export function nextCheckMs({ at, everyMs }: Check, now: number): number {
  const announced = msOf(at);
  const pastMs = now - announced - runsMs;
  return everyMs === undefined || pastMs < 0 ? announced : announced + (Math.floor(pastMs / everyMs) + 1) * everyMs;
}
