import { Effect } from 'effect';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label, managedBy } from '../../../crds/names.ts';
import { isMade } from '../../../rules/project/namespace.ts';
import { apps, databases, logicalDatabases, objectStores } from '../../kinds.ts';
import { done, type Ensure, type Ensured, type EnsureError } from '../../lifecycle.ts';
import type { Outside } from '../../outside.ts';
import { isBroughtAbout, type Owned } from '../../owned/owned.ts';
import { namespaces } from '../../resources.ts';
import { asSeen, Away, Cluster, type Resource } from '../../services/cluster.ts';
import { foundOf } from './namespaces.ts';
import { leaving } from './pieces.ts';

interface OfProject extends KubeObject {
  readonly spec: { readonly project?: string };
}

/** The kinds with objects in the environments of a project. */
export const resourcesOfProjects: readonly Resource<OfProject>[] = [apps, databases, logicalDatabases, objectStores];

const page = 500;
/** A change triggers the next pass; this covers a change that was missed. */
const lookAgainMs = 30_000;
const waits: Ensured = { is: 'waits', afterMs: lookAgainMs };

/** Every object, by direct reads: the cache may lack one that would go with a namespace. */
const listAll = Effect.fnUntraced(function* <O extends KubeObject>(resource: Resource<O>, labelSelector?: string) {
  const cluster = yield* Cluster;
  const selection = { limit: page, ...(labelSelector === undefined ? {} : { labelSelector }) };
  const found: O[] = [];
  for (let from: string | undefined = ''; from !== undefined;) {
    const listed: { readonly items: readonly O[]; readonly continue?: string } = yield* (
      cluster
        .list(resource, { ...selection, ...(from === '' ? {} : { continue: from }) })
        // A failed list is no proof of absence.
        .pipe(Effect.catchTag('Gone', ({ what }) => Effect.fail(new Away({ why: what }))))
    );
    found.push(...listed.items);
    from = listed.continue === '' ? undefined : listed.continue;
  }
  return found;
});

/**
 * Releases a project once no object belongs to it: deletes the namespaces that were made for it, with all their
 * contents, and removes from the others what was made in them (decision 66).
 */
export const release = (pieces: Owned<CoreProject>): Ensure<CoreProject> => ({
  run: (given) =>
    Effect.gen(function* (): Effect.fn.Return<Ensured, EnsureError, Outside> {
      const { object: project, reader } = given;
      for (const resource of resourcesOfProjects)
        if ((yield* listAll(resource)).some(({ spec }) => spec.project === project.metadata.name)) return waits;
      const kept = leaving(project, reader);
      const { did, requeueAfterMs, left } = yield* pieces.bringAbout(project, reader, kept);
      if (did) return done;
      if (!isBroughtAbout(left)) return { is: 'waits', afterMs: requeueAfterMs ?? lookAgainMs };
      const made = yield* madeFor(project);
      if (made.length > 0) return yield* removed(made);
      const none = yield* pieces.none.run(given);
      return none.is === 'waits' ? waits : none;
    }),
});

/** The namespaces that were made for this life of a project. */
const madeFor = (project: CoreProject) => {
  const labelled = `${label.managedBy}=${managedBy},${label.project}=${project.metadata.name}`;
  return Effect.map(listAll(namespaces, labelled), (found) =>
    found.filter((namespace) => isMade(namespace) && foundOf(project, namespace) !== 'taken'),
  );
};

const removed = Effect.fnUntraced(function* (made: readonly KubeObject[]) {
  const cluster = yield* Cluster;
  const standing = made.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (const namespace of standing)
    yield* cluster.remove(namespaces, { name: namespace.metadata.name }, asSeen(namespace));
  return standing.length > 0 ? done : waits;
});
