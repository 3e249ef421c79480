import { Clock, Effect } from 'effect';

/** Milliseconds of a clock that nobody sets: only differences mean anything. */
export const monotonicMsOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000n) / 1_000;

/** The same, of whichever clock there is. */
export const monotonicMs: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => monotonicMsOf(clock)));
