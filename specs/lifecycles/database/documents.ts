import type { DatabaseEvent, DatabaseState } from '../../../machines/names.ts';
import type { DatabaseFacts, DatabaseSurroundings, DatabaseWanted } from '../../../rules/database/facts.ts';
import type { Fact } from '../../../rules/fact.ts';
import { type Hindering, hindranceIn } from './hindrances.ts';

type Event = DatabaseEvent['type'];

function valueOf<T>(fact: Fact<T>): T {
  if (fact.is !== 'known') throw new Error('only known facts are judged here');
  return fact.value;
}

/** What the documents say happened. */
export function documents(state: DatabaseState | '(none)', facts: DatabaseFacts): Event | null {
  return facts.asked === null ? happened(state, facts) : answered(state, facts);
}

function happened(state: DatabaseState | '(none)', facts: DatabaseFacts): Event | null {
  const draft = facts.workflow ? !facts.deployEnabled : false;
  if (state === '(none)') return draft ? 'createdAsDraft' : 'createdOpen';
  if (state === 'FinalBackup') return lastBackup(facts);
  if (state === 'Deleting') return valueOf(facts.remains) ? 'workloadRemains' : 'workloadDeleted';
  if (facts.deletedAt !== null) return backsUp(facts.wanted) ? 'finalBackupDue' : 'deletionSeen';
  if (state === 'Draft') return draft ? null : 'gateOpened';
  if (state !== 'Ready' && isLoaded(facts)) return 'restoreFinished';
  if (draft) return 'gateClosed';
  if (state === 'ProvisionFailed') return givenUp(facts);
  return inService(state, facts);
}

/** A draft is deployed where there is room, what was given up is tried again; nothing that is being deleted. */
function answered(state: DatabaseState | '(none)', facts: DatabaseFacts): Event | null {
  if (facts.deletedAt !== null) return null;
  if (state === 'ProvisionFailed') return facts.asked === 'retry' ? 'retryAsked' : 'redeployAsked';
  return state === 'Draft' && facts.asked === 'deploy' ? deployed(facts) : null;
}

/** The controller stopped until the generation increases. */
function givenUp({ generation, failedGeneration }: DatabaseFacts): Event {
  return failedGeneration === null || failedGeneration < generation ? 'specChanged' : 'failureStood';
}

/** In-cluster Postgres, MySQL and SQLite; ignored for Redis and external databases. */
const backsUp = ({ backup, placement, engine }: DatabaseWanted) =>
  backup && placement !== 'External' && engine !== 'Redis';

/** Up to 10 minutes for the last backup. */
function lastBackup({ finalBackup, now, deletedAt }: DatabaseFacts): Event {
  if (valueOf(finalBackup) === 'finished') return 'finalBackupFinished';
  const minutes = (now - (deletedAt ?? 0)) / 60_000;
  return minutes < 10 ? 'finalBackupAwaited' : 'finalBackupWaitedOut';
}

/** A deploy needs room for every instance, three of them at least with high availability. */
function deployed({ wanted, room }: DatabaseFacts): Event {
  if (wanted.placement === 'External') return 'deployed';
  const three = wanted.highAvailability && wanted.instances < 3;
  return valueOf(room) >= (three ? 3 : wanted.instances) ? 'deployed' : 'deployRefused';
}

/** A backup is loaded once, before the database serves; that it was is written down whatever else happens. */
const isLoaded = ({ wanted, restore }: DatabaseFacts) =>
  wanted.restoreFrom &&
  ['MySQL', 'SQLite'].includes(wanted.engine) &&
  wanted.placement === 'InCluster' &&
  !(restore.served || restore.recorded) &&
  restore.job === 'succeeded';

function inService(state: 'Provisioning' | 'Ready', { wanted, around, restore, retry }: DatabaseFacts): Event {
  const seen = valueOf(around);
  const fresh = state === 'Provisioning';
  if (retry === 'exhaustedByCount') return 'failuresExhausted';
  if (retry === 'exhaustedByTime') return 'failureTimeExhausted';
  const unapplied = { ...seen, chart: 'none', pods: 'none', workload: 'absent' } as const;
  const forbidden = hindranceIn({ ...unapplied, wanted, restore: { ...restore, recorded: true } });
  if (wanted.placement !== 'External' && forbidden === null && seen.workload !== 'current') return 'workloadDue';
  const hindrance = hindranceIn({ ...seen, wanted, restore });
  return hindrance === null ? unhindered(fresh, wanted, seen) : hindered(hindrance, fresh && restore.job === 'absent');
}

function hindered(hindrance: Hindering, mayLoad: boolean): Event {
  if (hindrance.class === 'permanent') return 'permanentErrorFound';
  if (hindrance.id === 'DB-184') return 'storageUnavailable';
  if (hindrance.class === 'counted') return 'failureCounted';
  return hindrance.id === 'DB-196' && mayLoad ? 'restoreDue' : 'waitFound';
}

function unhindered(fresh: boolean, wanted: DatabaseWanted, { connected }: DatabaseSurroundings): Event {
  if (wanted.managed) return fresh ? 'provisioned' : 'restedReady';
  if (fresh && wanted.placement === 'External') return 'externalAccepted';
  if (!connected) return 'connectionDue';
  return fresh ? 'provisioned' : 'restedReady';
}
