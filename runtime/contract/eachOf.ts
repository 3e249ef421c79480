import { Effect } from 'effect';
import { retryOf } from '../../rules/provision/weight.ts';
import type { Counts } from '../../rules/verdict.ts';

/** A failure of one item: an action that failed, or a call. */
interface Failing {
  readonly _tag: string;
  readonly retry?: Counts;
  readonly status?: number | null;
  readonly message?: string;
  readonly what?: string;
}

const weights: Readonly<Record<Counts, number>> = { waiting: 0, counted: 1, permanent: 2 };

const weightOf = ({ _tag, retry, status, message = '', what = '' }: Failing): number =>
  weights[retry ?? retryOf({ _tag, status: status ?? 0, message, what })];

/**
 * Acts on each item, also after one that fails, and then fails with the gravest failure: a permanent one, then a counted
 * one, then one that only waits; the first of these.
 */
export const eachOf = <A, B, E extends Failing, R>(
  items: Iterable<A>,
  act: (item: A) => Effect.Effect<B, E, R>,
): Effect.Effect<readonly B[], E, R> =>
  Effect.gen(function* () {
    const done: B[] = [];
    const failures: E[] = [];
    for (const item of items)
      yield* Effect.match(act(item), {
        onSuccess: (result) => void done.push(result),
        onFailure: (error) => void failures.push(error),
      });
    const [first] = failures;
    if (first === undefined) return done;
    return yield* Effect.fail(failures.reduce((gravest, one) => (weightOf(one) > weightOf(gravest) ? one : gravest)));
  });
