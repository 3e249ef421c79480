import { Effect, Latch } from 'effect';

/** Waiting workers. Each key wakes one of them: waking all would cost each a useless check. */
export interface Waiters {
  readonly wait: Effect.Effect<void>;
  /** Wakes one worker, if any waits. */
  readonly releaseOne: () => void;
}

export function makeWaiters(): Waiters {
  const waiting = new Set<Latch.Latch>();
  const releaseOne = () => {
    for (const one of waiting) {
      waiting.delete(one);
      one.openUnsafe();
      return;
    }
  };
  return {
    releaseOne: releaseOne,
    wait: Effect.suspend(() => {
      const called = Latch.makeUnsafe(false);
      waiting.add(called);
      const left = Effect.sync(() => {
        // An interrupted worker that was woken wakes another.
        if (!waiting.delete(called)) releaseOne();
      });
      // Yields, because the wake-up comes from a cache listener, and a pass begins after all listeners.
      return Effect.andThen(called.await, Effect.yieldNow).pipe(Effect.onInterrupt(() => left));
    }),
  };
}
