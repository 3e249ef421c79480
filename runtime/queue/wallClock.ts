import type { Clock } from 'effect';
import { monotonicMsOf } from '../services/monotonic.ts';

/** A wall clock that is off by less is being slewed; by more, it was set. */
const setByMs = 1_000;

/** A wall clock that somebody may set, seen from the monotonic clock. */
export interface WallClock {
  /** How far it is ahead of the monotonic clock (ms); the same until it is set. */
  readonly ahead: () => number;
  /** Whether it was set since this was asked last. */
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
