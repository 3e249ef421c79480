import { Effect, Latch, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { Away, type ClusterShape, type Resource, type WatchOptions } from '../services/cluster.ts';

/** A server that is there accepts a watch at once: one that takes longer has lost the connection. */
export const acceptedWithinMs = 5_000;

/** A watch that fails with Away where the API has not accepted it in time; `opened` runs once it has. */
export const acceptedWatch = <O extends KubeObject>(
  cluster: ClusterShape,
  resource: Resource<O>,
  { opened, ...options }: WatchOptions & { readonly opened: Effect.Effect<void> },
): ReturnType<typeof cluster.watch<O>> =>
  Stream.suspend(() => {
    const accepted = Latch.makeUnsafe(false);
    const refused = Effect.fail(new Away({ why: `no watch was accepted within ${acceptedWithinMs / 1_000} s` }));
    const late = Effect.andThen(
      Effect.raceFirst(accepted.await, Effect.andThen(Effect.sleep(acceptedWithinMs), refused)),
      Effect.never,
    );
    const watched = cluster.watch(resource, { ...options, opened: Effect.andThen(accepted.open, opened) });
    return Stream.interruptWhen(
      Stream.tap(watched, () => accepted.open),
      late,
    );
  });
