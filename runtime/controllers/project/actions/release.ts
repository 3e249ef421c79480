import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { label, managedBy } from '../../../../crds/names.ts';
import { deletionAsked } from '../../../../rules/project/deletion.ts';
import { isMade } from '../../../../rules/project/namespace.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { done, type Ensure, type Ensured, type EnsureError, type Ensuring } from '../../../contract/ensure.ts';
import type { Outside } from '../../../services/outside.ts';
import { isInSync, type Owned } from '../../../owned/owned.ts';
import { namespaces } from '../../../services/cluster/resources.ts';
import { asSeen, Cluster } from '../../../services/cluster/cluster.ts';
import { emptied, environmentContents, heldBy, isEmpty, listAll, projectContents } from '../observe/contents.ts';
import { foundOf } from '../ask.ts';
import { deletedLast } from '../owned.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** Whether API tokens of a project exist. */
export type HasTokens = (project: CoreProject, reader: CacheReader) => boolean;

/** A change triggers the next pass; this covers a missed one. */
const checkEveryMs = 30_000;
const waits: Ensured = { is: 'waits', afterMs: checkEveryMs };

/**
 * Releases a project once no object belongs to it: deletes the namespaces created for it with all their contents, and
 * from the others what was created in them (decision 66). When the deletion was requested with everything, it deletes
 * these objects first.
 */
export const release = (
  ownedResources: Owned<CoreProject>,
  secretsOwned: Ensure<CoreProject>,
  hasTokens: HasTokens,
): Ensure<CoreProject> => ({
  run: (given) =>
    Effect.gen(function* (): Effect.fn.Return<Ensured, EnsureError, Outside> {
      const { object: project, reader } = given;
      if (!(yield* isFree(given, hasTokens))) return waits;
      const kept = deletedLast(project, reader);
      const { did, requeueAfterMs, left } = yield* ownedResources.reconcile(project, reader, kept);
      if (did) return done;
      if (!isInSync(left)) return { is: 'waits', afterMs: requeueAfterMs ?? checkEveryMs };
      const made = yield* madeFor(project);
      if (made.length > 0) return yield* removed(made);
      const none = yield* ownedResources.confirmDeleted.run(given);
      if (none.is !== 'holds') return none.is === 'waits' ? waits : none;
      // Last, to include what requests have written until now.
      return yield* secretsOwned.run(given);
    }),
});

/** Whether nothing belongs to the project; when requested, deletes everything that does. */
const isFree = Effect.fnUntraced(function* (
  { object: project, reader }: Ensuring<CoreProject>,
  hasTokens: HasTokens,
): Effect.fn.Return<boolean, EnsureError, Cluster> {
  const held = heldBy(project);
  if (!deletionAsked(project).everything) return yield* isEmpty(environmentContents, reader, held);
  // Tokens are revoked by the API first, because one of them could recreate what is deleted.
  if (hasTokens(project, reader)) return false;
  return yield* emptied([...environmentContents, ...projectContents], reader, held);
});

/** The namespaces created for this project, not for an earlier one of its name. */
const madeFor = (project: CoreProject) => {
  const labelled = `${label.managedBy}=${managedBy},${label.project}=${project.metadata.name}`;
  return Effect.map(listAll(namespaces, { labelSelector: labelled }), (found) =>
    found.filter((namespace) => isMade(namespace) && foundOf(project, namespace) !== 'taken'),
  );
};

const removed = Effect.fnUntraced(function* (made: readonly KubeObject[]) {
  const cluster = yield* Cluster;
  const standing = made.filter((one) => !isDeleting(one));
  yield* eachOf(standing, (namespace) =>
    cluster.remove(namespaces, { name: namespace.metadata.name }, asSeen(namespace)),
  );
  return standing.length > 0 ? done : waits;
});
