import { isDeleting } from '../../../../rules/deleting.ts';
import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { byProject } from '../../../services/cluster/indexes.ts';
import {
  apps,
  cloudConnections,
  connections,
  databases,
  logicalDatabases,
  objectStores,
} from '../../../services/cluster/kinds.ts';
import type { EnsureError } from '../../../contract/ensure.ts';
import { Unavailable, Cluster, type ListOptions, type Resource } from '../../../services/cluster/cluster.ts';

interface OfProject extends KubeObject {
  readonly spec: { readonly project?: string; readonly environment?: string };
}

/** Selects the contents of a project, or of one of its environments. */
export interface Held {
  readonly project: string;
  readonly environment?: string;
}

/** A kind with objects of projects, indexed by project. */
export interface Content {
  readonly resource: Resource<OfProject>;
  readonly isOf: (object: OfProject, held: Held) => boolean;
}

const content = (resource: Resource<OfProject>): Content => ({
  resource,
  isOf: ({ spec }, { project, environment }) =>
    spec.project === project && (environment === undefined || spec.environment === environment),
});

/** The kinds with objects in the environments of a project, in the order in which they are deleted. */
export const environmentContents: readonly Content[] = [apps, logicalDatabases, databases, objectStores].map(content);

/** The other contents of a project, deleted only with it. */
export const projectContents: readonly Content[] = [
  content(cloudConnections),
  {
    resource: connections,
    isOf: ({ metadata, spec }, { project }) => spec.project === project && metadata.name === `${project}-git`,
  },
];

/** The cached objects of one kind. */
export const cachedOf = ({ resource, isOf }: Content, reader: CacheReader, held: Held): readonly OfProject[] =>
  reader.indexed(resource, byProject.name, held.project).filter((object) => isOf(object, held));

const page = 500;

/** All objects by direct reads: the cache may lack one that would be deleted with a namespace. */
export const listAll = Effect.fnUntraced(function* <O extends KubeObject>(
  resource: Resource<O>,
  within: Pick<ListOptions, 'namespace' | 'labelSelector'> = {},
) {
  const cluster = yield* Cluster;
  const selection = { limit: page, ...within };
  const found: O[] = [];
  for (let from: string | undefined = ''; from !== undefined;) {
    const listed: { readonly items: readonly O[]; readonly continue?: string } = yield* (
      cluster
        .list(resource, { ...selection, ...(from === '' ? {} : { continue: from }) })
        // A failed list is no proof of absence.
        .pipe(Effect.catchTag('Gone', ({ what }) => Effect.fail(new Unavailable({ message: what }))))
    );
    found.push(...listed.items);
    from = listed.continue === '' ? undefined : listed.continue;
  }
  return found;
});

/** The contents of one kind; reads directly only when the cache has none. */
const heldOf = Effect.fnUntraced(function* (kind: Content, reader: CacheReader, held: Held) {
  const cached = cachedOf(kind, reader, held);
  if (cached.length > 0) return cached;
  return (yield* listAll(kind.resource)).filter((object) => kind.isOf(object, held));
});

/** Whether no contents of these kinds are left. */
export const isEmpty = Effect.fnUntraced(function* (
  kinds: readonly Content[],
  reader: CacheReader,
  held: Held,
): Effect.fn.Return<boolean, EnsureError, Cluster> {
  for (const kind of kinds) if ((yield* heldOf(kind, reader, held)).length > 0) return false;
  return true;
});

/** Deletes the contents of these kinds, kind by kind; returns whether nothing is left. */
export const emptied = Effect.fnUntraced(function* (
  kinds: readonly Content[],
  reader: CacheReader,
  held: Held,
): Effect.fn.Return<boolean, EnsureError, Cluster> {
  const cluster = yield* Cluster;
  for (const kind of kinds) {
    const found = yield* heldOf(kind, reader, held);
    const standing = found.filter((one) => !isDeleting(one));
    yield* eachOf(standing, ({ metadata: { name, uid } }) =>
      cluster.remove(kind.resource, { name }, uid === undefined ? {} : { uid }),
    );
    if (found.length > 0) return false;
  }
  return true;
});

export const heldBy = ({ metadata }: CoreProject, environment?: string): Held => ({
  project: metadata.name,
  ...(environment === undefined ? {} : { environment }),
});
