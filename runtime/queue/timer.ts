import { Effect, Latch } from 'effect';

/** A sleep that can be shortened. */
export interface Timer {
  /** Sleeps from now until a time, both by the monotonic clock (ms), or until `wakeBy` names an earlier one. */
  readonly sleep: (now: number, until: number) => Effect.Effect<void>;
  /** Ends the current sleep if it would last beyond this time. */
  readonly wakeBy: (at: number) => void;
}

export function makeTimer(): Timer {
  const rung = Latch.makeUnsafe(false);
  let sleepsUntil = 0;
  return {
    sleep: (now, until) => {
      // Set synchronously: an earlier time set before the sleep begins must end it, too.
      sleepsUntil = until;
      rung.closeUnsafe();
      return Number.isFinite(until) ? Effect.raceFirst(Effect.sleep(until - now), rung.await) : rung.await;
    },
    wakeBy: (at) => {
      if (at < sleepsUntil) rung.openUnsafe();
    },
  };
}
