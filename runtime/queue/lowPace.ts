import { type Clock, Effect, Latch, Semaphore } from 'effect';
import { monotonicMsOf } from '../services/monotonic.ts';

/**
 * For this long after a key of high priority, passes of low priority are spaced out, because a change takes several
 * passes with calls.
 */
const besideHighMs = 100;
/** The pause as a multiple of the last pass of low priority, which leaves the time in between to changes. */
const pauseTimes = 3;
const minPauseMs = 1;
/** The longest pause; a pass that makes calls yields the processor anyway. */
const maxPauseMs = 10;

/** Paces keys of low priority beside those of high priority. */
export interface LowPace {
  /** Waits until a key of low priority may run; a key of high priority ends the wait. */
  readonly turn: Effect.Effect<void>;
  readonly highCame: () => void;
  readonly highTaken: () => void;
  readonly lowTook: (ms: number) => void;
}

export function makeLowPace(clock: Clock.Clock): LowPace {
  const highCame = Latch.makeUnsafe(false);
  let highTakenAt = Number.NEGATIVE_INFINITY;
  let lowTookMs = 0;

  const pause = Effect.suspend(() => {
    highCame.closeUnsafe();
    const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, pauseTimes * lowTookMs));
    return Effect.raceFirst(Effect.sleep(pauseMs), highCame.await);
  });

  return {
    // Passes without changes make no call and would not yield, so incoming events get the processor between two of
    // them.
    turn: Semaphore.makeUnsafe(1).withPermit(
      Effect.suspend(() => (monotonicMsOf(clock) - highTakenAt < besideHighMs ? pause : Effect.yieldNow)),
    ),
    highCame: () => void highCame.openUnsafe(),
    highTaken: () => void (highTakenAt = monotonicMsOf(clock)),
    lowTook: (ms) => void (lowTookMs = ms),
  };
}
