import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { PassContext } from '../contract/context.ts';
import type { Run } from '../pass/course.ts';
import { counted, releasing } from '../pass/ensure.ts';
import { stamped } from '../step/carried.ts';
import type { Controller, EnsureError } from '../contract/lifecycle.ts';
import type { Outside } from '../services/outside.ts';
import { type Fields } from '../step/mergePatch.ts';
import { asSeen, Cluster, type WriteError } from '../services/cluster/cluster.ts';
import { isDeleting, isOver, isPaused, isUnended } from '../step/standing.ts';

const finalizersOf = ({ metadata }: KubeObject): readonly string[] => metadata.finalizers ?? [];

/** Whether the finalizer of its kind holds the object. */
export const isHeld = ({ finalizer }: Controller, object: KubeObject): boolean =>
  finalizer !== undefined && finalizersOf(object).includes(finalizer.name);

/** Whether its finalizer is still to be added. */
const isDue = (controller: Controller, object: KubeObject, { reader }: PassContext): boolean =>
  controller.finalizer !== undefined &&
  !isHeld(controller, object) &&
  controller.finalizer.isGivenUp?.(reader) !== true &&
  (controller.finalizer.isWanted?.(object, reader) ?? true);

/** The finalizers of an object that its kind gives up; null where there is nothing to give up. */
function givenUp(controller: Controller, object: KubeObject, { reader }: PassContext): readonly string[] | null {
  const { finalizer } = controller;
  if (!isHeld(controller, object) || finalizer?.isGivenUp?.(reader) !== true) return null;
  return finalizersOf(object).filter((name) => name !== finalizer.name);
}

/**
 * A kind with a finalizer sets it before anything is made for the object; the same write stamps the move of a creation,
 * which could not know the uid, for any kind. Returns the stored object.
 */
export const beginLife = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const { finalizer } = controller;
  const left = givenUp(controller, object, context);
  if (left !== null) return yield* patchMetadata(controller, object, context, { finalizers: left });
  const missing = isDue(controller, object, context) ? [finalizer?.name] : [];
  const stamp = stamped(object);
  if (isDeleting(object) || (missing.length === 0 && stamp === null)) return object;
  return yield* patchMetadata(controller, object, context, {
    ...(missing.length === 0 ? {} : { finalizers: [...finalizersOf(object), ...missing] }),
    ...(stamp === null ? {} : { annotations: { [annotation.move]: stamp } }),
  });
});

/** Whether the object's life is over, and in how many ms to requeue where something is waited for. */
interface Ended {
  readonly isOver: boolean;
  readonly requeueAfterMs: number | null;
}
const goesOn: Ended = { isOver: false, requeueAfterMs: null };

/**
 * The end of a life: once every machine that has an end has reached it and what else the kind must do is done, the
 * journal takes the history, and the last write removes the finalizer.
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
  // If it is gone already, an earlier pass released it and the cache does not show that yet.
  yield* Effect.catchTag(patchMetadata(controller, object, context, { finalizers }), 'NotFound', () => Effect.void);
  return { isOver: true, requeueAfterMs: null };
});

/** Removes an object whose own machine came to its end, exactly as it stands. */
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

const patchMetadata = Effect.fnUntraced(function* (
  { resource }: Controller,
  object: KubeObject,
  context: PassContext,
  metadata: Fields,
) {
  const cluster = yield* Cluster;
  const written = yield* cluster.patch(resource, { name: object.metadata.name }, { metadata }, asSeen(object));
  context.wrote(written);
  return written;
});
