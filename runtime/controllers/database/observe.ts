import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import { conditionOf, isReady } from '../../../rules/condition.ts';
import { connectionSecretName } from '../../../rules/database/connection.ts';
import { isManaged, isShared, namespaceOf, ranAs } from '../../../rules/database/effective.ts';
import type { DatabaseSeen, DatabaseObserved } from '../../../rules/database/facts.ts';
import { placementOf } from '../../../rules/database/nodePlacement.ts';
import { asClaimed, claimOf } from '../../../rules/managedDatabase/claimed.ts';
import { activeAttempt } from '../../../rules/provision/attempts.ts';
import { msOf } from '../../../rules/time.ts';
import { cloudConnections, haReadiness, projects } from '../../services/cluster/kinds.ts';
import type { ActionFailed } from '../../contract/lifecycle.ts';
import { refIn } from '../../services/cluster/failedOn.ts';
import { ownedBy } from '../../owned/kinds.ts';
import {
  type Diff,
  dueOf,
  isPendingInCache,
  isSameRef,
  overwrittenMessage,
  owned,
  type Ref,
} from '../../owned/owned.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { whileRead, withoutVersion } from '../../cache/whileRead.ts';
import { everywhere, lazyCapacity } from '../capacity.ts';
import { refusedNow, restoreSeen } from './actions/restore.ts';
import { passwordAwaited, passwordKeyAwaited } from './owned/login.ts';
import { managedSeen } from './lifecycles/managedDatabase/observe.ts';
import type { DatabaseResources } from './owned.ts';
import { helmCharts, postgresClusters, storageClasses } from '../../owned/addonKinds.ts';
import { databaseCapacity } from './observe/capacity.ts';
import { lacksOperator, notProvidedOf, runsOf, steadyPods, uninstalledOf, wasProvisioned } from './observe/runs.ts';
import { canGrow, clusterOf, hasBoundVolume, placedOf, storageOf } from './observe/settled.ts';
import { smallClaims } from './owned/volumes.ts';
import { wantedOf } from './owned/wanted.ts';
import { specOf } from '../../../rules/database/deployed.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** The input of an observation besides the database. */
export interface ObserveInput {
  readonly reader: CacheReader;
  readonly ownedResources: DatabaseResources;
  /** The state that the gate reached. */
  readonly gate: DraftDeployState;
  readonly now: number;
  readonly failure: ActionFailed | null;
}

/** Observes a database and its related objects, except for the results of its machines. */
export function observeDatabase(database: CoreDatabase, found: ObserveInput): DatabaseSeen {
  const { reader, ownedResources, gate, now, failure } = found;
  const spec = specOf(database, gate);
  const observed = observedOf(database, found);
  const seen = {
    ...observed,
    pods: steadyPods(database, spec, { reader, now, pods: observed.pods }),
    storage: storageSeen(database, spec, { reader, now }),
    managed: managedSeen(database, spec, { reader, memory: ownedResources.managed, now }),
    ran: ranOf(database, spec),
    restoreRefused: refusedNow(database, spec, { reader, now }),
    failure: failure && { counts: failure.retry, why: failure.message, on: failure.on },
  };
  // Computed lazily, because the capacity changes with every pod in the cluster and few rows read it.
  const capacity = lazyCapacity(() =>
    needsCapacity(database, seen) ? databaseCapacity(database, spec, reader) : everywhere,
  );
  return { ...seen, room: capacity };
}

type StableObserved = Omit<DatabaseSeen, 'room' | 'storage' | 'managed' | 'ran' | 'restoreRefused' | 'failure'>;
const lastObserved = whileRead<StableObserved>();

/** The same without what depends on the time or just failed. Of the status only these fields are read. */
function observedOf(database: CoreDatabase, { reader, ownedResources, gate }: ObserveInput): StableObserved {
  const { phase, running, host, restoredAt } = database.status ?? {};
  const { uid = '' } = database.metadata;
  const seen: CoreDatabase = {
    ...database,
    metadata: withoutVersion(database.metadata),
    status: {
      ...((phase === 'Ready' || phase === 'ProvisionFailed') && { phase }),
      ...(running !== undefined && { running }),
      ...(host !== undefined && { host }),
      ...(restoredAt !== undefined && { restoredAt }),
    },
  };
  const remembered = [
    ownedResources,
    ownedResources.changes(database),
    ownedResources.targets.get(uid),
    ownedResources.discarded.size,
  ];
  const inputs = [...remembered, gate, seen.metadata, seen.spec, seen.status];
  return lastObserved({ of: uid, inputs, reader }, (tracking) =>
    deriveObserved(seen, { reader: tracking, ownedResources, gate }),
  );
}

function deriveObserved(
  database: CoreDatabase,
  { reader, ownedResources, gate }: Pick<ObserveInput, 'reader' | 'ownedResources' | 'gate'>,
): StableObserved {
  const spec = specOf(database, gate);
  const cluster = clusterOf(spec, reader);
  const diff = ownedResources.diff(database, reader, gate);
  const { chart, pods } = runsOf(database, spec, reader);
  return {
    ...placementOf(placedOf(database, spec, reader)),
    gate,
    wanted: {
      ...wantedOf(database, spec, passwordAwaited(spec, reader)),
      passwordKey: passwordKeyAwaited(spec, reader),
    },
    restore: restoreSeen(database, spec, { reader, discarded: ownedResources.discarded }),
    project: projectSeen(spec, reader),
    environment: spec.environment ?? '',
    cluster: { name: cluster.name, ready: isReady(cluster.found) },
    cloud: cloudSeen(spec, reader),
    haReport: reportSeen(reader),
    canGrow: canGrow(database, spec, reader),
    uninstalled: uninstalledOf(spec, reader),
    workload: workloadSeen(database, spec, { reader, diff }),
    chart,
    // An object just written is cached with its old status; a serving server keeps serving.
    pods: !isServedPostgres(database) && runners.some((resource) => isPendingInCache(diff, resource)) ? 'none' : pods,
    notActed: notProvidedOf(database, spec, reader),
    connected: isConnected(database, spec, diff),
    due: dueOf(diff).map((ref) => refIn(ref.resource, ref)),
    contested: [...diff.overwritten.map(overwrittenMessage), ...leftElsewhere(database, spec, reader)],
  };
}

/** The provisioned spec; a login at the provider fixes it even before the database runs. */
function ranOf(database: CoreDatabase, spec: DatabaseSpec): DatabaseObserved['ran'] {
  const { running } = database.status ?? {};
  if (running) return running;
  return isManaged(spec) && claimOf(database) !== null ? ranAs(database, asClaimed(database, spec)) : null;
}

const isServedPostgres = (database: CoreDatabase) => database.spec.engine === 'Postgres' && wasProvisioned(database);

const runners = [owned.deployments, postgresClusters, helmCharts];

/** The servers left in former environments, as sentences. */
function leftElsewhere({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): readonly string[] {
  const namespaces = [owned.deployments, postgresClusters, owned.claims]
    .flatMap((resource) => reader.indexed(resource, ...ownedBy('CoreDatabase', metadata.name)))
    .map((one) => one.metadata.namespace ?? '')
    .filter((namespace) => namespace !== namespaceOf(spec));
  return [...new Set(namespaces)].map((namespace) => `its server in ${namespace} is kept until it is deleted`);
}

/** Whether its capacity matters: before anything of it is applied. */
const needsCapacity = (database: CoreDatabase, { gate, wanted, workload, ran }: Omit<DatabaseSeen, 'room'>): boolean =>
  gate !== 'Draft' &&
  wanted.placement === 'InCluster' &&
  workload === 'absent' &&
  ran === null &&
  !isDeleting(database);

function projectSeen(spec: DatabaseSpec, reader: CacheReader): DatabaseObserved['project'] {
  const name = spec.project ?? '';
  if (isShared(spec)) return { name, is: 'none' };
  const found = reader.get(projects, name);
  if (!found) return { name, is: 'absent' };
  if (!isReady(found)) return { name, is: 'notReady' };
  return { name, is: found.spec.environments.includes(spec.environment ?? '') ? 'fine' : 'withoutEnvironment' };
}

function cloudSeen({ connectionRef, project = '' }: DatabaseSpec, reader: CacheReader): DatabaseObserved['cloud'] {
  const name = connectionRef?.name ?? '';
  if (name === '') return { name, is: 'none', project: '' };
  const found = reader.get(cloudConnections, name);
  if (!found) return { name, is: 'absent', project: '' };
  const scope = found.spec.project ?? '';
  if (scope === '') return { name, is: 'unscoped', project: '' };
  return { name, is: scope === project ? 'fine' : 'otherProject', project: scope };
}

/** The report with the most healthy nodes, Ready ones first. */
function reportSeen(reader: CacheReader): DatabaseObserved['haReport'] {
  const [best] = reader
    .list(haReadiness)
    .map((report) => ({
      name: report.metadata.name,
      ...(typeof report.status?.checkedAt === 'string' && { checkedAt: report.status.checkedAt }),
      ready: conditionOf(report, 'Ready')?.status === 'True',
      healthyNodes: report.status?.healthyNodes ?? 0,
    }))
    .toSorted((a, b) => Number(b.ready) - Number(a.ready) || b.healthyNodes - a.healthyNodes);
  return best ?? null;
}

/** Waits for a missing class until the volume is bound; the wait starts with the attempt. */
function storageSeen(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, now }: Pick<ObserveInput, 'reader' | 'now'>,
): DatabaseObserved['storage'] {
  if (spec.placement === 'External') return { is: 'ready' };
  const { name, limited } = storageOf(database, spec, reader);
  if (name === '' || hasBoundVolume(database, spec, reader) || reader.get(storageClasses, name)) return { is: 'ready' };
  const since = activeAttempt(database.status?.provision)?.startedAt;
  const began = since === undefined ? now : msOf(since);
  return { is: 'awaited', limited, waitedMs: now - began, class: name, ...(since !== undefined && { since: began }) };
}

const connectionRef = ({ metadata }: CoreDatabase, spec: DatabaseSpec): Ref => ({
  resource: owned.secrets,
  namespace: namespaceOf(spec),
  name: connectionSecretName(metadata.name),
});

function isConnected(database: CoreDatabase, spec: DatabaseSpec, diff: Diff): boolean {
  const connection = connectionRef(database, spec);
  return !dueOf(diff).some((ref) => isSameRef(ref, connection));
}

function workloadSeen(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, diff }: { readonly reader: CacheReader; readonly diff: Diff },
): DatabaseObserved['workload'] {
  if (spec.placement === 'External') return 'current';
  const due = dueOf(diff, [connectionRef(database, spec)]);
  const lacksPart = diff.absent.some(({ resource }) => resource !== owned.secrets);
  if (lacksPart || (spec.engine === 'Postgres' && lacksOperator(reader))) return 'absent';
  return due.length === 0 && smallClaims(database, spec, reader).length === 0 ? 'current' : 'stale';
}
