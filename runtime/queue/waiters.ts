import { Effect, Latch } from 'effect';

/** Where workers wait. One piece of work wakes one of them: waking all would cost each a check in vain. */
export interface Waiters {
  readonly wait: Effect.Effect<void>;
  /** Lets one go on; nothing happens where none waits. */
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
        // Whoever was called and leaves passes the call on.
        if (!waiting.delete(called)) releaseOne();
      });
      // Yields, because a call comes from within a listener of a cache, and a pass begins after all of them.
      return Effect.andThen(called.await, Effect.yieldNow).pipe(Effect.onInterrupt(() => left));
    }),
  };
}
