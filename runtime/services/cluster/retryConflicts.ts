import { Effect, Schedule } from 'effect';
import { monotonicMs } from '../monotonic.ts';
import { isPassing } from './cluster.ts';

/** By then the client has timed out and may have sent another request, so nothing is written later. */
const timeoutMs = 10_000;

/** Grows between tries, so that each of several concurrent writers gets its turn. */
const backoff = Schedule.min([Schedule.exponential('5 millis'), Schedule.spaced('500 millis')]);

/** The monotonic time (ms) after which a request of now is not retried. */
export const deadline = Effect.map(monotonicMs, (now) => now + timeoutMs);

interface Failing {
  readonly _tag: string;
  readonly isAnother?: true;
}

/** Reads, decides and writes once more after a conflict with another writer, with backoff, up to a deadline. */
export const retryConflicts = <A, E extends Failing, R>(
  request: Effect.Effect<A, E, R>,
  until: number,
  isConflict: (error: Failing) => boolean = isPassing,
): Effect.Effect<A, E, R> =>
  Effect.retry(request, {
    schedule: backoff,
    while: (error) => Effect.map(monotonicMs, (now) => isConflict(error) && now < until),
  });
