import { type CauseRule, itself, waitsFor } from '../cause/rule.ts';
import type { Counts, VerdictRule } from '../verdict.ts';
import { providerCauses } from '../managedDatabase/causes.ts';
import {
  engineRefused,
  managedStarting,
  type ManagedSeen,
  otherKind,
  providerFailed,
  startOverdue,
  stored,
  storeFailed,
} from '../managedDatabase/message.ts';
import {
  byChart,
  byFailedRestore,
  byPassword,
  byPods,
  byReadiness,
  byRefusedRestore,
  byRestore,
  byStorageClass,
  clusterOf,
  connectionOf,
  projectOf,
} from './causes.ts';
import type { DatabaseSeen } from './facts.ts';
import { growthRefused, lastingRules } from './lasting.ts';
import { type DatabaseLimits, databaseLimits, storageStarting } from './limits.ts';
import { placeText } from '../placement.ts';
import { fullMessage, reservedMessage } from '../capacityMessages.ts';
import { noNode, tooLittle } from './capacityMessages.ts';
import { awaitsRestore, isRecovered } from './wanted.ts';
import {
  applied,
  awaited,
  counted,
  failedInPass,
  type Blocker as BlockerOf,
  blockerAmong,
  permanent,
} from '../provision/blockers.ts';
import { closed, external, hidden, nothing, open, sentence, toViewers } from '../words.ts';
import { environmentMissing, projectMissing, projectNotReady } from '../project/missing.ts';
import { snapshotMissing } from '../draftDeploy/gate.ts';

type Blocker = BlockerOf<DatabaseSeen>;

const is = (engine: string) => (seen: DatabaseSeen) => seen.wanted.engine === engine;
const isInstalling = (engine: string) => (seen: DatabaseSeen) => is(engine)(seen) && seen.chart === 'installing';
/** Hidden from viewers, because it would disclose the engine. */
const operatorInstalled = ({ wanted }: DatabaseSeen) =>
  sentence('Installing {engine} operator chart', { engine: hidden(wanted.engine) });
const chartInstalled = ({ wanted }: DatabaseSeen) =>
  sentence('Installing {engine} database chart', { engine: hidden(wanted.engine) });
const isUpcoming = ({ wanted }: DatabaseSeen) =>
  sentence('{engine} database is starting', { engine: hidden(wanted.engine) });
/** Applied pods that are not in the cache yet count as starting. */
const areStarting =
  (...engines: readonly string[]) =>
  ({ wanted, workload, pods }: DatabaseSeen) =>
    engines.includes(wanted.engine) &&
    (pods === 'starting' || (pods === 'none' && workload === 'current' && wanted.placement === 'InCluster'));

const restoreFailed = closed(
  'The restore could not be completed. Check that the backups are still available, then restore again',
);
const restoring = open('Restoring database from backup');

/** Backups that cannot be restored, before anything of the database is created. */
const refusedRestore = (counts: Counts): Blocker =>
  ({ waiting: awaited<DatabaseSeen>, counted: counted<DatabaseSeen>, permanent: permanent<DatabaseSeen> })[counts]({
    when: ({ restoreRefused }) => restoreRefused?.counts === counts,
    message: ({ restoreRefused }) => external(restoreRefused?.why ?? ''),
    cause: byRefusedRestore[counts],
  });

/** The state of the managed database, unless its login is stored. */
function ofProvider(counts: Counts, row: VerdictRule<ManagedSeen>, cause: CauseRule<DatabaseSeen>): Blocker {
  const { cause: _, ...words } = row;
  return {
    ...words,
    cause,
    counts,
    blocks: true,
    when: ({ managed }) => managed !== null && !stored.when(managed) && row.when(managed),
    message: ({ managed }) => (managed === null ? nothing : row.message(managed)),
  };
}

/** A failure of the provider with this effect on the counted failures. */
const failedAtProvider = (weight: Counts): Blocker => {
  const row = ofProvider(weight, providerFailed, providerCauses[weight === 'waiting' ? 'silent' : 'refused']);
  return {
    ...row,
    reason: weight === 'permanent' ? 'ProvisionFailed' : row.reason,
    when: (seen) => row.when(seen) && seen.managed?.weight === weight,
  };
};

/** Everything that keeps a database from being ready, in the order checked. */
export const blockersWith = ({ storageWaitMs, haNodes }: DatabaseLimits): readonly Blocker[] => [
  ...failedInPass<DatabaseSeen>(),
  counted({
    when: ({ gate }) => gate === 'SnapshotMissing',
    message: () => snapshotMissing,
    cause: itself('SettingRefused'),
  }),
  permanent({
    when: ({ wanted }) => wanted.unsupported !== '',
    message: ({ wanted }) => external(wanted.unsupported),
    cause: itself('SettingRefused'),
  }),
  permanent({
    when: ({ wanted }) => wanted.misnamed !== '',
    message: ({ wanted }) => external(wanted.misnamed),
    cause: itself('SettingRefused'),
  }),
  ...lastingRules.map(({ when, message }) =>
    permanent<DatabaseSeen>({
      when: ({ wanted, ran }) => ran !== null && when(wanted, ran),
      message: ({ ran }) => (ran === null ? nothing : message(ran)),
      cause: itself('SettingRefused'),
    }),
  ),
  permanent({
    when: ({ wanted, ran, canGrow }) => ran !== null && !canGrow && growthRefused.when(wanted, ran),
    message: ({ ran }) => (ran === null ? nothing : growthRefused.message(ran)),
    cause: itself('SettingRefused'),
  }),
  counted({
    when: ({ project }) => project.is === 'absent',
    message: ({ project }) => projectMissing(project.name),
    cause: itself('ProjectMissing', projectOf),
  }),
  counted({
    when: ({ project }) => project.is === 'notReady',
    message: ({ project }) => projectNotReady(project.name),
    cause: waitsFor('ProjectNotReady', projectOf),
  }),
  counted({
    when: ({ project }) => project.is === 'withoutEnvironment',
    message: ({ project, environment }) => environmentMissing(project.name, environment),
    cause: itself('EnvironmentMissing', projectOf),
  }),
  counted({
    when: ({ project, cluster }) => project.is !== 'none' && !cluster.ready,
    message: ({ project, cluster }) =>
      sentence('project "{project}" cluster "{cluster}" is not ready', {
        project: toViewers(project.name),
        cluster: hidden(cluster.name),
      }),
    cause: waitsFor('ClusterNotReady', clusterOf),
  }),
  counted({
    when: ({ cloud }) => cloud.is === 'absent',
    message: ({ cloud }) => sentence('cloud connection "{cloud}" was not found', { cloud: hidden(cloud.name) }),
    cause: itself('CloudConnectionMissing', connectionOf),
  }),
  counted({
    when: ({ cloud }) => cloud.is === 'otherProject',
    message: ({ cloud }) =>
      sentence('cloud connection "{cloud}" is scoped to project "{project}"', {
        cloud: hidden(cloud.name),
        project: hidden(cloud.project),
      }),
    cause: itself('CloudConnectionForeign', connectionOf),
  }),
  counted({
    when: ({ cloud }) => cloud.is === 'unscoped',
    message: ({ cloud }) =>
      sentence('cloud connection "{cloud}" must be scoped to a project', { cloud: hidden(cloud.name) }),
    cause: itself('CloudConnectionForeign', connectionOf),
  }),
  ...(['waiting', 'counted', 'permanent'] as const).map(refusedRestore),
  // A person has to run the readiness check, so the database is requeued every 30 s and never given up. What already
  // runs with high availability does not depend on the nodes that are healthy now.
  awaited({
    when: ({ wanted, ran, haReport }) =>
      wanted.placement === 'InCluster' &&
      wanted.highAvailability &&
      (ran === null || ran.highAvailability === false) &&
      (haReport === null || !haReport.ready || haReport.healthyNodes < haNodes),
    message: () => open('High availability requires a cluster with at least three healthy nodes'),
    cause: byReadiness(haNodes),
  }),
  awaited({
    when: ({ storage }) => storage.is === 'awaited' && (!storage.limited || storage.waitedMs < storageWaitMs),
    message: () => open(storageStarting),
    cause: byStorageClass(storageWaitMs),
  }),
  counted({
    kind: 'storageUnavailable',
    when: ({ storage }) => storage.is === 'awaited',
    message: () => open('Storage is unavailable'),
    cause: byStorageClass(storageWaitMs),
  }),

  awaited({
    when: ({ uninstalled }) => uninstalled !== '',
    message: ({ uninstalled }) => sentence('{what} is not installed in this cluster', { what: hidden(uninstalled) }),
    cause: itself('ChartFailed'),
  }),
  applied(awaited({ when: isInstalling('Postgres'), message: operatorInstalled, cause: byChart })),
  applied(awaited({ when: isInstalling('MySQL'), message: chartInstalled, cause: byChart })),
  applied(awaited({ when: isInstalling('Redis'), message: chartInstalled, cause: byChart })),
  applied(
    counted({
      when: (seen) => isRecovered(seen) && seen.restore.job === 'failed',
      message: () => restoreFailed,
      cause: byFailedRestore,
    }),
  ),
  applied(
    awaited({
      when: (seen) => isRecovered(seen) && areStarting('Postgres')(seen),
      message: () => restoring,
      cause: byRestore,
    }),
  ),
  applied(awaited({ when: areStarting('Postgres'), message: isUpcoming, cause: byPods })),
  // The choice of message discloses the engine, which viewers may not read.
  applied(
    awaited({ when: areStarting('MySQL', 'Redis'), message: () => closed('Service is starting'), cause: byPods }),
  ),
  applied(awaited({ when: areStarting('SQLite'), message: () => closed('Starting service'), cause: byPods })),
  applied(
    counted({ when: ({ pods }) => pods === 'failed', message: () => open('Service failed to start'), cause: byPods }),
  ),
  applied(
    counted({
      when: (seen) => awaitsRestore(seen) && seen.restore.job === 'failed',
      message: () => restoreFailed,
      cause: byFailedRestore,
    }),
  ),
  applied(
    awaited({
      kind: 'restoring',
      when: (seen) => awaitsRestore(seen) && seen.pods === 'running',
      message: () => restoring,
      cause: byRestore,
    }),
  ),

  permanent({
    when: ({ wanted }) => wanted.engine === 'SQLite' && wanted.highAvailability,
    message: () => closed('SQLite does not support high availability'),
    cause: itself('SettingRefused'),
  }),
  ofProvider('permanent', engineRefused, providerCauses.setting),
  failedAtProvider('permanent'),
  failedAtProvider('counted'),
  failedAtProvider('waiting'),
  ofProvider('permanent', otherKind, providerCauses.setting),
  ofProvider('counted', storeFailed, providerCauses.unstored),
  ofProvider('counted', startOverdue, providerCauses.overdue),
  awaited<DatabaseSeen>({
    when: ({ wanted, managed }) => (managed === null ? wanted.managed : !stored.when(managed)),
    message: () => managedStarting,
    cause: providerCauses.starting,
  }),
  counted({
    when: ({ room: { crowded: insufficientCapacity } }) => insufficientCapacity !== null,
    message: ({ wanted, room: { crowded: insufficientCapacity } }) =>
      insufficientCapacity === null ? nothing : tooLittle(wanted.engine, insufficientCapacity),
    cause: itself('NoRoom'),
  }),
  counted({
    when: ({ room: { nodes } }) => nodes === 'full',
    message: (seen) => fullMessage(placeText(seen)),
    cause: itself('NoRoom'),
  }),
  counted({
    when: ({ room: { nodes } }) => nodes === 'none',
    message: (seen) => noNode(placeText(seen), seen.wanted.engine),
    cause: itself('NoNode'),
  }),
  counted({
    when: ({ room: { nodes } }) => nodes === 'reserved',
    message: (seen) => reservedMessage(placeText(seen)),
    cause: itself('NodesReserved'),
  }),
  permanent({
    when: ({ wanted }) => wanted.placement === 'External' && !wanted.managed && wanted.missing.length > 0,
    message: ({ wanted }) =>
      sentence('an external database needs {missing}', { missing: hidden(wanted.missing.join(', ')) }),
    cause: itself('SettingRefused'),
  }),
  counted({
    when: ({ wanted }) => wanted.passwordAwaited !== '',
    message: ({ wanted }) =>
      sentence('the Secret "{secret}" with the password is missing, or has no such key', {
        secret: hidden(wanted.passwordAwaited),
      }),
    cause: byPassword,
  }),
];

export const blockers = blockersWith(databaseLimits);

/** The first blocker that holds; undefined when the database can be ready. */
export const blockerIn = (seen: DatabaseSeen, table: readonly Blocker[] = blockers): Blocker | undefined =>
  blockerAmong(table, seen);
