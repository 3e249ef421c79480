import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { PassContext } from '../contract/context.ts';
import type { Run } from './passState.ts';
import { counted } from './ensure.ts';
import type { Outside } from '../services/outside.ts';
import { asSeen, Cluster, type WriteError } from '../services/cluster/cluster.ts';
import { isOver, isPaused, isUnended } from '../step/standing.ts';
import { type EnsureError, releasing } from '../contract/ensure.ts';
import type { Controller } from '../contract/controller.ts';
import { finalizersOf, patchMetadata } from '../write/life.ts';
import { isDeleting } from '../../rules/deleting.ts';

/** Whether the object's life is over, else in how many ms to requeue. */
interface Ended {
  readonly isOver: boolean;
  readonly requeueAfterMs: number | null;
}

const goesOn: Ended = { isOver: false, requeueAfterMs: null };

/**
 * Ends a life: once every machine with an end has reached it and `release` holds, archives the history and removes the
 * finalizer with the last write.
 */
export const endLife = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  { context, memory: { ensures } }: Pick<Run, 'context' | 'memory'>,
): Effect.fn.Return<Ended, EnsureError, Outside> {
  const { finalizer, lifecycles } = controller;
  if (finalizer === undefined) return yield* removeEnded(controller, object, context);
  if (!isDeleting(object) || isPaused(object)) return goesOn;
  if (lifecycles.some((one) => isUnended(one, object))) return goesOn;
  const { reader, move, add } = context;
  const release = finalizer.release?.run({ object, reader, entered: false, move, add });
  const counting = { key: releasing, name: releasing, controller, object, ensures, context };
  const released = release === undefined ? null : yield* counted(release, counting);
  if (released?.is === 'waits') return { isOver: false, requeueAfterMs: released.afterMs };
  if (released?.is === 'done') return { isOver: false, requeueAfterMs: 0 };
  yield* context.archive(object);
  const finalizers = finalizersOf(object).filter((name) => name !== finalizer.name);
  // When it is not found, an earlier pass released it and the cache lags.
  yield* Effect.catchTag(patchMetadata(controller, object, context, { finalizers }), 'NotFound', () => Effect.void);
  return { isOver: true, requeueAfterMs: null };
});

/** Deletes an object whose machine reached its end, in the version that was read. */
const removeEnded = Effect.fnUntraced(function* (
  { lifecycles, resource }: Controller,
  object: KubeObject,
  context: PassContext,
): Effect.fn.Return<Ended, WriteError, Cluster> {
  const isEnded = lifecycles.some((one) => one.removes === true && isOver(one, object));
  if (!isEnded || isDeleting(object) || isPaused(object)) return goesOn;
  yield* context.archive(object);
  const cluster = yield* Cluster;
  yield* cluster.remove(resource, { name: object.metadata.name }, asSeen(object));
  return { isOver: true, requeueAfterMs: null };
});
