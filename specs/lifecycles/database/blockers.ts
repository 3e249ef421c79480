import type { DatabaseSeen, DatabaseObserved } from '../../../rules/database/facts.ts';
import type { DatabaseStanding } from '../../../rules/database/ready.ts';
import { messageOf } from '../managedDatabase/documents.ts';
import { counted, type Blocker, permanent, waiting } from '../provision/hindering.ts';

/** The first message of the documents that applies before anything is ready. */
export const blockerIn = (seen: DatabaseSeen): Blocker =>
  failed(seen) ?? needed(seen) ?? stored(seen) ?? comingUp(seen) ?? refused(seen) ?? placed(seen) ?? lacking(seen);

/** What failed in the pass itself. */
function failed({ failure }: DatabaseSeen): Blocker {
  if (failure === null) return null;
  if (failure.counts === 'permanent') return permanent('DB-152a');
  return failure.counts === 'counted' ? counted('DB-151') : waiting('DB-151b');
}

/** What is wrong with the cloud connection. */
const clouds: Partial<Record<DatabaseSeen['cloud']['is'], string>> = {
  absent: 'DB-176',
  otherProject: 'DB-177',
  unscoped: 'DB-178',
};

function needed(seen: DatabaseSeen): Blocker {
  if (seen.gate === 'SnapshotMissing') return counted('DB-171');
  if (seen.wanted.unsupported.length > 0) return permanent('DB-152b');
  if (seen.wanted.misnamed !== '') return permanent('DB-029a');
  return lasting(seen) ?? grown(seen) ?? neededAround(seen);
}

/** Sizes of the facts, in Gi. */
const gibis: Readonly<Record<string, number>> = { '10Gi': 10, '10240Mi': 10, '20Gi': 20, '9Gi': 9, '': 0 };

/** What cannot change once it was provisioned. */
function lasting({ wanted, ran }: DatabaseSeen): Blocker {
  if (ran === null) return null;
  if (ran.engine !== wanted.engine) return permanent('DB-011a');
  if (ran.placement !== wanted.placement) return permanent('DB-016a');
  if (ran.databaseName !== undefined && ran.databaseName !== '' && ran.databaseName !== wanted.databaseName)
    return permanent('DB-030a');
  if (ran.placement === 'External') return null;
  if (ran.engine === 'Postgres' && Number(wanted.version) < Number(ran.version)) return permanent('DB-045a');
  const isSmaller = ran.storageSize !== '' && (gibis[wanted.storageSize] ?? 0) < (gibis[ran.storageSize] ?? 0);
  return isSmaller ? permanent('DB-134') : null;
}

/** Volumes of a class that lets none grow stay as they are. */
function grown({ wanted, ran, canGrow }: DatabaseSeen): Blocker {
  if (ran === null || ran.placement === 'External' || ran.storageSize === '' || canGrow) return null;
  return (gibis[wanted.storageSize] ?? 0) > (gibis[ran.storageSize] ?? 0) ? permanent('DB-135a') : null;
}

/** What a restore that is refused does, before anything is made. */
const refusals = {
  waiting: waiting('BAK-097'),
  counted: counted('BAK-103'),
  permanent: permanent('BAK-091'),
} as const;

function neededAround({ project, cluster, cloud, wanted, ran, haReport, restoreRefused }: DatabaseSeen): Blocker {
  if (project.is === 'absent') return counted('DB-172');
  if (project.is === 'notReady') return counted('DB-173');
  if (project.is === 'withoutEnvironment') return counted('DB-174');
  if (project.is === 'fine' && !cluster.ready) return counted('DB-175');
  const ofCloud = clouds[cloud.is];
  if (ofCloud !== undefined) return counted(ofCloud);
  if (restoreRefused !== null) return refusals[restoreRefused.counts];
  const healthy = haReport?.ready === true ? haReport.healthyNodes : 0;
  const isSwitchedOn = wanted.highAvailability && !(ran !== null && ran.highAvailability !== false);
  return wanted.placement === 'InCluster' && isSwitchedOn && healthy < 3 ? waiting('DB-179') : null;
}

function stored({ storage }: DatabaseSeen): Blocker {
  if (storage.is === 'ready') return null;
  return storage.limited && storage.waitedMs >= 900_000 ? counted('DB-184') : waiting('DB-183');
}

/** Postgres is recovered from a backup while its server is made. */
function recovers({ wanted, restore }: DatabaseSeen, starts: boolean): Blocker {
  const isNew = wanted.engine === 'Postgres' && wanted.placement === 'InCluster' && !restore.served;
  if (!isNew || !wanted.restoreFrom) return null;
  if (restore.job === 'failed') return counted('BAK-104a');
  return starts ? waiting('DB-196a') : null;
}

function comingUp(seen: DatabaseSeen): Blocker {
  const { wanted, workload, pods } = seen;
  const { engine } = wanted;
  if (seen.uninstalled !== '') return waiting('DB-189a');
  if (seen.chart === 'installing' && engine !== 'SQLite')
    return waiting({ Postgres: 'DB-189', MySQL: 'DB-190', Redis: 'DB-191' }[engine] ?? '');
  const unseen = wanted.placement !== 'External' && workload === 'current' && pods === 'none';
  const starts = pods === 'starting' || unseen;
  const recovering = recovers(seen, starts);
  if (recovering !== null) return recovering;
  if (starts) return waiting({ Postgres: 'DB-192', SQLite: 'DB-194' }[engine] ?? 'DB-193');
  return pods === 'failed' ? counted('DB-195') : loading(seen);
}

/** A dump of MySQL or SQLite is loaded once, before the database serves. */
function loading({ wanted, pods, restore }: DatabaseSeen): Blocker {
  const { served, recorded, job } = restore;
  const dumped = wanted.engine === 'MySQL' || wanted.engine === 'SQLite';
  if (!dumped || wanted.placement === 'External' || !wanted.restoreFrom || served || recorded) return null;
  if (job === 'failed') return counted('BAK-104');
  return pods === 'running' ? waiting('DB-196') : null;
}

function refused({ wanted, managed }: DatabaseSeen): Blocker {
  if (wanted.highAvailability && wanted.engine === 'SQLite') return permanent('DB-084');
  if (managed === null) return wanted.managed ? waiting('DB-093') : null;
  if (managed.stored) return null;
  const id = messageOf(managed);
  if (id === 'DB-197' || id === 'DB-198') return permanent(id);
  if (id === 'DB-151a' && managed.weight !== 'counted')
    return managed.weight === 'permanent' ? permanent('DB-152c') : waiting('DB-151c');
  return id === 'DB-093' ? waiting(id) : counted(id);
}

function placed({ room: { crowded, nodes } }: DatabaseSeen): Blocker {
  if (crowded !== null) return counted('DB-200');
  if (nodes === 'full') return counted('DB-200a');
  if (nodes === 'none') return counted('DB-201');
  return nodes === 'reserved' ? counted('DB-201a') : null;
}

function lacking({ wanted }: DatabaseSeen): Blocker {
  const bySpec = wanted.placement === 'External' && !wanted.managed;
  if (bySpec && wanted.missing.length > 0) return permanent('DB-086');
  return wanted.passwordAwaited === '' ? null : counted('DB-043');
}

/** A change that waits takes nothing from what serves. */
export const goesOnServing = ({ failure, ran, pods, connected }: DatabaseObserved): boolean =>
  failure?.counts === 'waiting' && ran !== null && pods === 'running' && connected;

/** The id of the Ready message that the documents would show. */
export function readyOf(seen: DatabaseStanding): string {
  if (seen.leaving !== null && seen.failure === null) return seen.leaving === 'lastBackup' ? 'DB-142a' : 'DB-142b';
  if (seen.gate === 'Draft') return 'DB-169';
  if (seen.retrying) return 'DB-148';
  if (seen.gaveUp !== null) return seen.gaveUp.by === 'failures' ? 'DB-199' : 'DB-152';
  if (goesOnServing(seen) && seen.provisioned) return 'DB-141b';
  const blocker = blockerIn(seen);
  return blocker === null ? unhindered(seen) : blocker.id;
}

/** The same, once nothing is in the way. */
function unhindered(seen: DatabaseStanding): string {
  if (!seen.connected || !seen.provisioned) return 'DB-142';
  if (seen.wanted.placement === 'External') return 'DB-087';
  if (seen.pods !== 'running') return 'DB-142';
  return seen.notActed === '' ? 'DB-141' : 'DB-141a';
}
