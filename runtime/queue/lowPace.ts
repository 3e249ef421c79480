import { type Clock, Effect, Latch, Semaphore } from 'effect';
import { monotonicMsOf } from '../services/monotonic.ts';

/**
 * For this long after a key of high priority was taken, those of low priority pause between two passes: a change takes
 * several passes, with calls.
 */
const besideHighMs = 100;
/** The pause is so many times as long as the last pass of low priority took, which leaves the time in between to changes. */
const pauseTimes = 3;
const minPauseMs = 1;
/** A pass that makes calls leaves the processor to others by itself. */
const maxPauseMs = 10;

/** How fast keys of low priority follow one another beside those of high priority. */
export interface LowPace {
  /** Waits for the turn of a key of low priority; a key of high priority ends it. */
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
    // Passes that find nothing new make no call, so that between two of them incoming events must get their turn.
    turn: Semaphore.makeUnsafe(1).withPermit(
      Effect.suspend(() => (monotonicMsOf(clock) - highTakenAt < besideHighMs ? pause : Effect.yieldNow)),
    ),
    highCame: () => void highCame.openUnsafe(),
    highTaken: () => void (highTakenAt = monotonicMsOf(clock)),
    lowTook: (ms) => void (lowTookMs = ms),
  };
}
