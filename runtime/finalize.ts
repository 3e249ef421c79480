import { Effect } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import type { Around } from './around.ts';
import type { Controller, EnsureError, Outside } from './lifecycle.ts';
import { asSeen, Cluster } from './services/cluster.ts';

/** What a pass had to do for the object's finalizer; null when nothing, and the pass goes on. */
export interface Finalizing {
  readonly lookInMs: number | null;
}

/**
 * A kind with a finalizer gets it before anything else is done for the object, and once the object is being deleted
 * loses it only when its release holds. The write that removes it is the last one.
 */
export const finalize = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  around: Around,
): Effect.fn.Return<Finalizing | null, EnsureError, Outside> {
  const { finalizer } = controller;
  if (!finalizer) return object.metadata.deletionTimestamp === undefined ? null : { lookInMs: null };
  const held = object.metadata.finalizers ?? [];
  const has = held.includes(finalizer.name);
  if (object.metadata.deletionTimestamp === undefined) {
    if (has) return null;
    yield* setFinalizers(controller, object, [...held, finalizer.name], around);
    return { lookInMs: 0 };
  }
  if (!has) return { lookInMs: null };
  const released = yield* finalizer.release.run({ object, seen: around.seen, entered: false, move: around.move });
  if (released.is === 'waits') return { lookInMs: released.afterMs };
  if (released.is === 'done') return { lookInMs: 0 };
  yield* setFinalizers(
    controller,
    object,
    held.filter((name) => name !== finalizer.name),
    around,
  );
  return { lookInMs: null };
});

const setFinalizers = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  finalizers: readonly string[],
  around: Around,
) {
  const cluster = yield* Cluster;
  const written = yield* cluster.patch(
    controller.resource,
    { name: object.metadata.name },
    { metadata: { finalizers } },
    asSeen(object),
  );
  around.wrote(written);
});
