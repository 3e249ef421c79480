import { Effect, Latch, type Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import {
  Unavailable,
  type ClusterShape,
  type Gone,
  type Refused,
  type Resource,
  type Watched,
  type WatchOptions,
} from '../services/cluster/cluster.ts';

/** A reachable server accepts a watch at once; after this time the connection counts as lost. */
const acceptedWithinMs = 5_000;

type Failure = Refused | Unavailable | Gone;
type Options = WatchOptions & { readonly opened: Effect.Effect<void> };

/**
 * Processes the changes of a watch; fails with Unavailable when the API has not accepted it in time. `opened` runs on
 * acceptance.
 */
export const overAcceptedWatch = <O extends KubeObject, A>(
  cluster: ClusterShape,
  resource: Resource<O>,
  { opened, ...options }: Options,
  run: (changes: Stream.Stream<Watched<O>, Failure>) => Effect.Effect<A, Failure>,
): Effect.Effect<A, Failure> =>
  Effect.suspend(() => {
    const accepted = Latch.makeUnsafe(false);
    // Lazy, because each cache has such a watch, and an error captures a stack when created.
    const refused = Effect.suspend(() =>
      Effect.fail(new Unavailable({ message: `no watch was accepted within ${acceptedWithinMs / 1_000} s` })),
    );
    const late = Effect.andThen(
      Effect.raceFirst(accepted.await, Effect.andThen(Effect.sleep(acceptedWithinMs), refused)),
      Effect.never,
    );
    const changes = cluster.watch(resource, { ...options, opened: Effect.andThen(accepted.open, opened) });
    return Effect.raceFirst(run(changes), late);
  });
