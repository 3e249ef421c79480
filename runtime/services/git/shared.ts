import { Effect, Fiber } from 'effect';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import { monotonicMs } from '../monotonic.ts';
import { lru } from '../lru.ts';

interface Flight<T> {
  readonly fiber: Fiber.Fiber<GitAnswer<T>>;
  waiting: number;
}

const keptAnswers = 1_000;

/**
 * Concurrent callers of the same key share one request, which is aborted when the last of them is interrupted. A found
 * result is reused for `freshMs` more.
 */
export function sharedAsk<T>() {
  const flights = new Map<string, Flight<T>>();
  const answers = lru<{ readonly at: number; readonly answer: GitAnswer<T> }>(keptAnswers);

  const takeOff = (key: string, ask: Effect.Effect<GitAnswer<T>>) =>
    Effect.gen(function* () {
      const flight: Flight<T> = { fiber: yield* Effect.forkDetach(recorded(key, ask)), waiting: 0 };
      flights.set(key, flight);
      flight.fiber.addObserver(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
      return flight;
    });
  const recorded = (key: string, ask: Effect.Effect<GitAnswer<T>>) =>
    Effect.gen(function* () {
      const answer = yield* ask;
      if (answer.is === 'found') answers.set(key, { at: yield* monotonicMs, answer });
      return answer;
    });
  const leave = (key: string, flight: Flight<T>) =>
    Effect.suspend(() => {
      flight.waiting -= 1;
      if (flight.waiting > 0) return Effect.void;
      if (flights.get(key) === flight) flights.delete(key);
      return Fiber.interrupt(flight.fiber);
    });

  return (key: string, freshMs: number, ask: Effect.Effect<GitAnswer<T>>): Effect.Effect<GitAnswer<T>> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const last = answers.get(key);
        if (last && (yield* monotonicMs) - last.at < freshMs) return last.answer;
        const flight = flights.get(key) ?? (yield* takeOff(key, ask));
        flight.waiting += 1;
        return yield* restore(Fiber.join(flight.fiber)).pipe(Effect.ensuring(leave(key, flight)));
      }),
    );
}
