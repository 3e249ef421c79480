import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { sharing } from '../cache/sharing.ts';
import type { PassContext } from '../contract/context.ts';
import { asSeen, Cluster, type Resource, type WriteError } from '../services/cluster/cluster.ts';
import { objectPatch, statusPatch, withStatusOf } from '../step/status.ts';

/** The stored object, the same with a complete history, and the object to store. */
export interface Change {
  readonly stored: KubeObject;
  readonly synced: KubeObject;
  readonly working: KubeObject;
}

/** Writes the changes of a status in one write over the version that was read; writes nothing when nothing changed. */
export const recordStatus = Effect.fnUntraced(function* (
  resource: Resource,
  stored: KubeObject,
  working: KubeObject,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const patch = statusPatch(stored, working);
  if (patch === null) return stored;
  const cluster = yield* Cluster;
  const answer = yield* cluster.patchStatus(resource, { name: stored.metadata.name }, patch, asSeen(stored));
  const written = sharing(answer, stored);
  context.wrote(written);
  return written;
});

/**
 * Writes changes of spec and annotations with the move they carry; the history is completed first, because an
 * annotation carries one move. Returns the stored object, its status still unchanged.
 */
export const recordObject = Effect.fnUntraced(function* (
  resource: Resource,
  { stored, synced, working }: Change,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const patch = objectPatch(stored, working);
  if (patch === null) return stored;
  const entered = yield* recordStatus(resource, stored, synced, context);
  const cluster = yield* Cluster;
  const answer = yield* cluster.patch(resource, { name: stored.metadata.name }, patch, asSeen(entered));
  const written = sharing(answer, entered);
  context.wrote(written);
  return written;
});

/** Writes all that changed, each write over the version that the one before it returned. */
export const record = Effect.fnUntraced(function* (
  resource: Resource,
  change: Change,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const written = yield* recordObject(resource, change, context);
  return yield* recordStatus(resource, written, withStatusOf(written, change.working), context);
});
