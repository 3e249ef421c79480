import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { sharing } from '../cache/sharing.ts';
import type { PassContext } from '../contract/context.ts';
import { createdMoveText } from '../step/pendingMove.ts';
import type { Fields } from '../contract/lifecycle.ts';
import { asSeen, Cluster, type WriteError } from '../services/cluster/cluster.ts';
import { isDeleting } from '../../rules/deleting.ts';
import type { Controller } from '../contract/controller.ts';

export const finalizersOf = ({ metadata }: KubeObject): readonly string[] => metadata.finalizers ?? [];

/** Whether the object carries the finalizer of its kind. */
export const isHeld = ({ finalizer }: Controller, object: KubeObject): boolean =>
  finalizer !== undefined && finalizersOf(object).includes(finalizer.name);

/** Whether its finalizer has to be added. */
const isDue = (controller: Controller, object: KubeObject, { reader }: PassContext): boolean =>
  controller.finalizer !== undefined &&
  !isHeld(controller, object) &&
  controller.finalizer.isGivenUp?.(reader) !== true &&
  (controller.finalizer.isWanted?.(object, reader) ?? true);

/** The finalizers left when the kind gives its own up; null when it does not. */
function givenUp(controller: Controller, object: KubeObject, { reader }: PassContext): readonly string[] | null {
  const { finalizer } = controller;
  if (!isHeld(controller, object) || finalizer?.isGivenUp?.(reader) !== true) return null;
  return finalizersOf(object).filter((name) => name !== finalizer.name);
}

/**
 * Adds the finalizer before anything is created for the object; for any kind, the same write adds the uid to the
 * pending move of a creation, which could not know it. Returns the stored object.
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
  const stamp = createdMoveText(object);
  if (isDeleting(object) || (missing.length === 0 && stamp === null)) return object;
  return yield* patchMetadata(controller, object, context, {
    ...(missing.length === 0 ? {} : { finalizers: [...finalizersOf(object), ...missing] }),
    ...(stamp === null ? {} : { annotations: { [annotation.move]: stamp } }),
  });
});

export const patchMetadata = Effect.fnUntraced(function* (
  { resource }: Controller,
  object: KubeObject,
  context: PassContext,
  metadata: Fields,
) {
  const cluster = yield* Cluster;
  const answer = yield* cluster.patch(resource, { name: object.metadata.name }, { metadata }, asSeen(object));
  const written = sharing(answer, object);
  context.wrote(written);
  return written;
});
