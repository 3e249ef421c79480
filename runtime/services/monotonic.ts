import { Clock, Effect } from 'effect';

/** Milliseconds of the monotonic clock: only differences have a meaning. */
export const monotonicMsOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000n) / 1_000;

/** The same, of the current clock. */
export const monotonicMs: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => monotonicMsOf(clock)));
