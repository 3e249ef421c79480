import { Effect } from 'effect';
import { monotonicMs } from '../services/monotonic.ts';

/** When the API last responded for a resource, by the monotonic clock; a quiet kind is not stale. */
export interface Liveness {
  readonly heard: Effect.Effect<void>;
  readonly heardAt: () => number;
  /** ms since the last response. */
  readonly age: Effect.Effect<number>;
}

export const makeLiveness: Effect.Effect<Liveness> = Effect.map(monotonicMs, (startedAt) => {
  let heardAt = startedAt;
  return {
    heard: Effect.map(monotonicMs, (now) => void (heardAt = now)),
    heardAt: () => heardAt,
    age: Effect.map(monotonicMs, (now) => now - heardAt),
  };
});
