import { Effect } from 'effect';
import { eachOf } from '../../contract/eachOf.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import { ownerOf } from '../../../rules/owned/ownedObject.ts';
import { environmentsStaying } from '../../../rules/project/deletion.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import {
  environmentNamespace,
  type NamespaceFound,
  namespaceFound,
  namespaceLacks,
  type NamespaceSeen,
  type NamespaceWanted,
} from '../../../rules/project/namespace.ts';
import { projects } from '../../services/cluster/kinds.ts';
import { ActionFailed } from '../../contract/lifecycle.ts';
import { namespaces } from '../../services/cluster/resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { asSeen, Cluster, type ReadError, type WriteError } from '../../services/cluster/cluster.ts';
import { failedOn, refIn } from '../../services/cluster/failedOn.ts';
import { find } from '../../services/cluster/find.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

export const foundOf = (project: CoreProject, namespace: KubeObject | undefined): NamespaceFound =>
  namespaceFound(namespace, ownerOf(projects.kind, project));

const wantedOf = (project: CoreProject): readonly NamespaceWanted[] =>
  [...new Set(environmentsStaying(project))].map((environment) => ({
    project: project.metadata.name,
    environment,
    cluster: project.spec.clusterRef.name,
    ownerUid: project.metadata.uid ?? '',
    tags: project.spec.requiredTags ?? [],
  }));

const nameOf = ({ project, environment }: NamespaceWanted): string => namespaceOf(project, environment);

function seenAs(project: CoreProject, wanted: NamespaceWanted, namespace: KubeObject | undefined): NamespaceSeen {
  const is = foundOf(project, namespace);
  const isWhole = is === 'own' && namespace !== undefined && namespaceLacks(namespace, wanted) === null;
  return { name: nameOf(wanted), is, isWhole };
}

/**
 * The namespaces of a project, if all of them are cached; a namespace missing from the cache may exist without a
 * project label.
 */
export function namespacesSeen(project: CoreProject, reader: CacheReader): Fact<readonly NamespaceSeen[]> {
  const all = wantedOf(project).map((wanted) => ({ wanted, cached: reader.get(namespaces, nameOf(wanted)) }));
  if (all.some(({ cached }) => cached === undefined)) return unasked;
  return known(all.map(({ wanted, cached }) => seenAs(project, wanted, cached)));
}

/** A namespace, read directly; undefined when it does not exist. */
export const readNamespace = (name: string): Effect.Effect<KubeObject | undefined, ReadError, Cluster> =>
  Effect.map(find(namespaces, { name }), (namespace) => namespace ?? undefined);

/** The same, with direct reads of uncached ones. */
export const askNamespaces = (
  project: CoreProject,
  reader: CacheReader,
): Effect.Effect<Fact<readonly NamespaceSeen[]>, never, Cluster> =>
  Effect.forEach(wantedOf(project), (wanted) => {
    const cached = reader.get(namespaces, nameOf(wanted));
    const live = cached ? Effect.succeed(cached) : readNamespace(nameOf(wanted));
    return Effect.map(live, (namespace) => seenAs(project, wanted, namespace));
  }).pipe(
    Effect.map((all): Fact<readonly NamespaceSeen[]> => known(all)),
    Effect.catch((error) => Effect.succeed(unknown(errorMessage(error)))),
  );

/** Creates the missing namespaces, and completes the existing ones. */
export const setUpNamespaces = Effect.fnUntraced(function* (
  project: CoreProject,
  found: readonly NamespaceSeen[],
): Effect.fn.Return<void, ActionFailed | WriteError, Cluster> {
  const due = new Set(found.filter(({ isWhole }) => !isWhole).map(({ name }) => name));
  const lacking = wantedOf(project).filter((wanted) => due.has(nameOf(wanted)));
  yield* eachOf(lacking, (wanted) =>
    setUp(project, wanted).pipe(Effect.mapError(failedOn(namespaceRef(nameOf(wanted))))),
  );
});

/** Fails when a namespace that the cache attributes to the project was released meanwhile. */
export const stillOwn = (project: CoreProject, names: readonly string[]) =>
  eachOf(names, (name) =>
    Effect.flatMap(readNamespace(name), (namespace): Effect.Effect<void, ActionFailed> => {
      const is = foundOf(project, namespace);
      if (is === 'own' || is === 'ending') return Effect.void;
      return failed(name, 'waiting', `namespace "${name}" is of the project no more`);
    }),
  );

const setUp = Effect.fnUntraced(function* (project: CoreProject, wanted: NamespaceWanted) {
  const cluster = yield* Cluster;
  const name = nameOf(wanted);
  const namespace = yield* readNamespace(name);
  if (namespace === undefined) {
    yield* cluster.create(namespaces, environmentNamespace(wanted));
    return;
  }
  const is = foundOf(project, namespace);
  if (is === 'ending') return yield* failed(name, 'waiting', `namespace "${name}" is being deleted`);
  if (is === 'taken')
    return yield* failed(name, 'counted', `project/environment namespace "${name}" belongs to another project`);
  const patch = namespaceLacks(namespace, wanted);
  if (patch !== null) yield* cluster.patch(namespaces, { name }, patch, asSeen(namespace));
});

const namespaceRef = (name: string) => refIn(namespaces, { name });

const failed = (namespace: string, retry: ActionFailed['retry'], message: string) =>
  new ActionFailed({ action: 'provision', retry, message, on: namespaceRef(namespace) });
