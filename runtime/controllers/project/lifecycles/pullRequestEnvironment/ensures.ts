import { Clock, Effect } from 'effect';
import { eachOf } from '../../../../contract/eachOf.ts';
import type { CoreApp } from '../../../../../crds/coreApp.ts';
import type { CoreDatabase } from '../../../../../crds/coreDatabase.ts';
import type { CoreProject, PullRequestEntry } from '../../../../../crds/coreProject.ts';
import { annotation, label, managedBy, systemNamespace } from '../../../../../crds/names.ts';
import { environmentsGoing } from '../../../../../rules/project/deletion.ts';
import { environmentRemoved } from '../../../../../rules/project/environments.ts';
import {
  baseOf,
  copiedApp,
  copiedDatabase,
  type Copying,
  copyName,
  environmentEntered,
} from '../../../../../rules/pullRequestEnvironment/copies.ts';
import { runningSpec } from '../../../../../rules/draftDeploy/running.ts';
import { gateStateOf } from '../../../../../rules/draftDeploy/waits.ts';
import { variablesName } from '../../../../../rules/service/names.ts';
import { isoTime } from '../../../../../rules/time.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { byProject } from '../../../../services/cluster/indexes.ts';
import { apps, databases, projects } from '../../../../services/cluster/kinds.ts';
import {
  done,
  type Ensure,
  type Ensured,
  type EnsureError,
  type Ensuring,
  holds,
} from '../../../../contract/ensure.ts';
import { secrets } from '../../../../services/cluster/resources.ts';
import { asSeen, Cluster } from '../../../../services/cluster/cluster.ts';
import { readSecret } from '../../../../services/secret.ts';
import { runningApp } from '../../../../../rules/service/deployed.ts';
import { cachedOf, emptied, environmentContents, heldBy, listAll } from '../../observe/contents.ts';
import { isDeleting } from '../../../../../rules/deleting.ts';

/** A change triggers the next pass; this covers a missed one. */
const waits: Ensured = { is: 'waits', afterMs: 5_000 };

/** A running object, with its running spec. */
interface Runs<O, S> {
  readonly object: O;
  readonly running: S;
}

const runningDatabase = (database: CoreDatabase) => runningSpec(gateStateOf('database', database), database);

/** The running objects of the base environment to copy: its services, and its databases in the cluster. */
function toCopy(project: CoreProject, reader: CacheReader) {
  const { name } = project.metadata;
  const base = baseOf(project);
  const isOfBase = ({ spec }: CoreApp | CoreDatabase) => spec.environment === base;
  const services = reader
    .indexed(apps, byProject.name, name)
    .filter((app) => isOfBase(app) && !isDeleting(app))
    .flatMap((app): readonly Runs<CoreApp, CoreApp['spec']>[] => {
      const running = runningApp(app)?.spec;
      return running === undefined ? [] : [{ object: app, running }];
    });
  const servers = reader
    .indexed(databases, byProject.name, name)
    .filter((one) => isOfBase(one) && !isDeleting(one) && one.spec.placement === 'InCluster')
    .flatMap((one): readonly Runs<CoreDatabase, CoreDatabase['spec']>[] => {
      const running = runningDatabase(one);
      return running === null ? [] : [{ object: one, running }];
    });
  return { services, servers };
}

/** Whether the environment exists with all copies. */
export function isCopied(project: CoreProject, { environment }: PullRequestEntry, reader: CacheReader): boolean {
  if (!project.spec.environments.includes(environment)) return false;
  const { services, servers } = toCopy(project, reader);
  return (
    services.every(({ object }) => reader.get(apps, copyName(object.metadata.name, environment))) &&
    servers.every(({ object }) => reader.get(databases, copyName(object.metadata.name, environment)))
  );
}

/** Whether nothing is left of the environment, as far as the caches know. */
export const isRemoved = (project: CoreProject, { environment }: PullRequestEntry, reader: CacheReader): boolean =>
  !project.spec.environments.includes(environment) &&
  environmentContents.every((kind) => cachedOf(kind, reader, heldBy(project, environment)).length === 0);

const patched = ({ metadata }: CoreProject, patch: object) =>
  Effect.flatMap(Cluster, (cluster) =>
    cluster.patch(projects, { name: metadata.name }, patch, asSeen({ metadata })),
  ).pipe(Effect.as(waits));

/** The labels that identify the Secrets of copies. */
const labelsOf = (project: CoreProject, { environment }: PullRequestEntry) => ({
  [label.managedBy]: managedBy,
  [label.project]: project.metadata.name,
  [label.environment]: environment,
});

/** Copies the Secret of a service's secret variables, which has its name. */
const secretCopied = Effect.fnUntraced(function* (
  project: CoreProject,
  entry: PullRequestEntry,
  { object, running }: Runs<CoreApp, CoreApp['spec']>,
) {
  if (Object.keys(running.secretVariables ?? {}).length === 0) return;
  const name = variablesName(copyName(object.metadata.name, entry.environment));
  const kept = yield* readSecret(variablesName(object.metadata.name));
  if (kept?.data === undefined || (yield* readSecret(name)) !== undefined) return;
  const cluster = yield* Cluster;
  yield* cluster.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: systemNamespace,
      labels: labelsOf(project, entry),
      annotations: { [annotation.copyOf]: object.metadata.name },
    },
    data: kept.data,
  });
});

const there = <A, E extends { readonly _tag: string }, R>(adding: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    Effect.asVoid(adding),
    ({ _tag }) => _tag === 'AlreadyExists',
    () => Effect.void,
  );

/** Creates the environment, then copies of databases, then of services, each if missing. */
export const environmentCopied = (key: string, gitUrl: string): Ensure<CoreProject> => ({
  schedule: { firstMs: 5_000, maxMs: 300_000 },
  run: ({ object: project, reader, add }: Ensuring<CoreProject>) =>
    Effect.gen(function* (): Effect.fn.Return<Ensured, EnsureError, Cluster> {
      const entry = project.status?.pullRequests?.find(({ environment }) => environment === key);
      if (entry === undefined) return holds;
      const entered = environmentEntered(project, baseOf(project), key);
      if (entered !== null) return yield* patched(project, entered);
      const { services, servers } = toCopy(project, reader);
      const at = isoTime(yield* Clock.currentTimeMillis);
      const names = new Set(servers.map(({ object }) => object.metadata.name));
      const copying: Copying = { entry, gitUrl, databases: names, at };
      const ofServers = servers
        .map(({ object, running }) => copiedDatabase(object, running, copying))
        .filter(({ metadata }) => !reader.get(databases, metadata.name))
        .map((copy) => there(add(databases, copy)));
      const ofServices = services
        .map((one) => ({ one, copy: copiedApp(one.object, one.running, copying) }))
        .filter(({ copy }) => !reader.get(apps, copy.metadata.name))
        .map(({ one, copy }) => Effect.andThen(secretCopied(project, entry, one), there(add(apps, copy))));
      yield* eachOf([...ofServers, ...ofServices], (copied) => copied);
      return done;
    }),
});

/** Removes the environment as REST does, and its leftovers when it was removed from the list manually. */
export const environmentGone = (key: string): Ensure<CoreProject> => ({
  schedule: { firstMs: 5_000, maxMs: 300_000 },
  run: ({ object: project, reader }: Ensuring<CoreProject>) =>
    Effect.gen(function* (): Effect.fn.Return<Ensured, EnsureError, Cluster> {
      yield* secretsGone(project, key);
      if (environmentsGoing(project).includes(key)) return waits;
      if (project.spec.environments.includes(key)) {
        const asked = environmentRemoved(project, key);
        return asked.is === 'changed' && asked.patch !== null ? yield* patched(project, asked.patch) : waits;
      }
      return (yield* emptied(environmentContents, reader, heldBy(project, key))) ? done : waits;
    }),
});

const secretsGone = Effect.fnUntraced(function* ({ metadata: { name } }: CoreProject, environment: string) {
  const cluster = yield* Cluster;
  const labelSelector = `${label.managedBy}=${managedBy},${label.project}=${name},${label.environment}=${environment}`;
  yield* eachOf(yield* listAll(secrets, { namespace: systemNamespace, labelSelector }), (one) =>
    cluster.remove(secrets, { name: one.metadata.name }, asSeen(one)),
  );
});
