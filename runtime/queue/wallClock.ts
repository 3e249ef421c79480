import type { Clock } from 'effect';
import { monotonicMsOf } from '../services/monotonic.ts';

/** A smaller difference means that the wall clock is slewed; a larger one, that it was set. */
const setByMs = 1_000;

/** Detects, by the monotonic clock, when the wall clock is set. */
export interface WallClock {
  /** Its lead over the monotonic clock (ms); constant until it is set. */
  readonly ahead: () => number;
  /** Whether it was set since the last call. */
  readonly wasSet: () => boolean;
}

export function makeWallClock(clock: Clock.Clock): WallClock {
  const aheadNow = () => clock.currentTimeMillisUnsafe() - monotonicMsOf(clock);
  let known = aheadNow();
  const ahead = () => {
    const now = aheadNow();
    return Math.abs(now - known) < setByMs ? known : now;
  };
  return {
    ahead,
    wasSet: () => {
      const before = known;
      known = ahead();
      return known !== before;
    },
  };
}
