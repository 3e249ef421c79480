import type { DatabaseEvent, DatabaseState } from '../../../machines/names.ts';
import type { DatabaseFacts, DatabaseObserved, DatabaseWanted } from '../../../rules/database/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { valueOf } from '../../support/facts.ts';
import { gaveUp, givenUp, hasCounted } from '../provision/documents.ts';
import type { Hindering } from '../provision/hindering.ts';
import { goesOnServing, blockerIn } from './blockers.ts';

type Event = DatabaseEvent['type'];

/** What happened, according to the documents. */
export function documents(state: DatabaseState | '(none)', facts: DatabaseFacts): Event | null {
  const draft = facts.gate === 'Draft';
  if (state === '(none)') return draft ? 'createdAsDraft' : 'createdOpen';
  if (state === 'FinalBackup') return lastBackup(facts);
  if (state === 'Deleting') return valueOf(facts.remains).length > 0 ? 'workloadRemains' : 'workloadDeleted';
  if (facts.deletedAt !== null) return backsUp(facts.wanted) ? 'finalBackupDue' : 'deletionSeen';
  if (state === 'Draft') return draft ? null : 'gateOpened';
  if (state !== 'Ready' && isLoaded(facts)) return 'restoreFinished';
  if (draft) return 'gateClosed';
  return state === 'ProvisionFailed' ? givenUp(facts.retry) : inService(state, facts);
}

/** In-cluster Postgres, MySQL and SQLite; ignored for Redis and external databases. */
const backsUp = ({ backup, placement, engine }: DatabaseWanted) =>
  backup && placement !== 'External' && engine !== 'Redis';

/** Up to 10 minutes for the last backup. */
function lastBackup({ finalBackup, now, deletedAt }: DatabaseFacts): Event {
  const backup = valueOf(finalBackup);
  if (backup === 'finished') return 'finalBackupFinished';
  const minutes = (now - (deletedAt ?? 0)) / 60_000;
  if (!(minutes < 10)) return 'finalBackupWaitedOut';
  return backup === 'running' ? 'finalBackupAwaited' : 'finalBackupRetried';
}

/** A backup is loaded once, before the database serves; that it was loaded is recorded in any case. */
const isLoaded = ({ wanted, restore }: DatabaseFacts) =>
  wanted.restoreFrom &&
  ['MySQL', 'SQLite'].includes(wanted.engine) &&
  wanted.placement === 'InCluster' &&
  !(restore.served || restore.recorded) &&
  restore.job === 'succeeded';

function inService(state: 'Provisioning' | 'Ready', facts: DatabaseFacts): Event {
  const { wanted, around, restore, gate, retry } = facts;
  const seen = valueOf(around);
  const fresh = state === 'Provisioning';
  if (retry.event === 'redeployFound') return 'deployTakenUp';
  const stopped = gaveUp(retry);
  if (stopped !== null) return stopped;
  if (!fresh && goesOnServing(seen)) return 'applyAwaited';
  const unapplied = { ...seen, gate, chart: 'none', pods: 'none', workload: 'absent' } as const;
  const forbidden = blockerIn({ ...unapplied, wanted, restore: { ...restore, recorded: true, job: 'absent' } });
  if (wanted.placement !== 'External' && forbidden === null && seen.workload !== 'current') return 'workloadDue';
  const blocker = blockerIn({ ...seen, gate, wanted, restore });
  if (blocker === null) return unhindered(fresh, wanted, seen);
  return hindered(blocker, fresh && restore.job === 'absent', retry);
}

function hindered(blocker: Hindering, mayLoad: boolean, retry: RetrySeen): Event {
  if (blocker.class === 'waiting') return blocker.id === 'DB-196' && mayLoad ? 'restoreDue' : 'waitFound';
  const isCounted = blocker.class === 'counted' && hasCounted(retry);
  if (!isCounted) return 'failureRepeated';
  return blocker.id === 'DB-184' ? 'storageUnavailable' : 'failureCounted';
}

function unhindered(fresh: boolean, wanted: DatabaseWanted, { connected }: DatabaseObserved): Event {
  if (fresh && wanted.placement === 'External' && !wanted.managed) return 'externalAccepted';
  if (!connected) return 'connectionDue';
  return fresh ? 'provisioned' : 'restedReady';
}
