import { Effect } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import type { Around } from './around.ts';
import { asSeen, Cluster, type Resource, type WriteError } from './services/cluster.ts';
import { statusPatch } from './status.ts';

/** Writes what changed of a status, in one write and only over the version that was seen; nothing when nothing did. */
export const record = Effect.fnUntraced(function* (
  resource: Resource,
  stored: KubeObject,
  working: KubeObject,
  around: Around,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const patch = statusPatch(stored, working);
  if (patch === null) return stored;
  const cluster = yield* Cluster;
  const written = yield* cluster.patchStatus(resource, { name: stored.metadata.name }, patch, asSeen(stored));
  around.wrote(written);
  return written;
});
