import type { DatabaseEvent, DatabaseState } from '../../../machines/names.ts';
import type { DatabaseFacts, DatabaseSurroundings, DatabaseWanted } from '../../../rules/database/facts.ts';
import type { Fact } from '../../../rules/fact.ts';
import { type Hindering, hindranceIn } from './hindrances.ts';

type Event = DatabaseEvent['type'];

function valueOf<T>(fact: Fact<T>): T {
  if (fact.is !== 'known') throw new Error('only known facts are judged here');
  return fact.value;
}

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
  return state === 'ProvisionFailed' ? givenUp(facts) : inService(state, facts);
}

/** The result of the counted-failure rule in this pass, by its event. */
const gaveUp: Readonly<Record<string, Event>> = {
  timeRanOut: 'failureTimeExhausted',
  permanentlyFailed: 'permanentErrorFound',
  limitReached: 'failuresExhausted',
};

/** Whether the controller gave up and the counted-failure rule has not restarted. */
function givenUp({ retry: { state, event } }: DatabaseFacts): Event {
  if (state === 'ProvisionFailed') return gaveUp[event ?? ''] === undefined ? 'failureStood' : 'retryAsked';
  if (event === 'generationChanged') return 'specChanged';
  return event === 'redeployFound' ? 'redeployAsked' : 'retryAsked';
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
  if (retry.state === 'ProvisionFailed') return gaveUp[retry.event ?? ''] ?? 'givenUpFound';
  const unapplied = { ...seen, gate, chart: 'none', pods: 'none', workload: 'absent' } as const;
  const forbidden = hindranceIn({ ...unapplied, wanted, restore: { ...restore, recorded: true } });
  if (wanted.placement !== 'External' && forbidden === null && seen.workload !== 'current') return 'workloadDue';
  const hindrance = hindranceIn({ ...seen, gate, wanted, restore });
  if (hindrance === null) return unhindered(fresh, wanted, seen);
  return hindered(hindrance, fresh && restore.job === 'absent', retry.event);
}

function hindered(hindrance: Hindering, mayLoad: boolean, counting: string | null): Event {
  if (hindrance.class === 'waiting') return hindrance.id === 'DB-196' && mayLoad ? 'restoreDue' : 'waitFound';
  const isCounted = hindrance.class === 'counted' && ['rowBegan', 'failureCounted'].includes(counting ?? '');
  if (!isCounted) return 'failureRepeated';
  return hindrance.id === 'DB-184' ? 'storageUnavailable' : 'failureCounted';
}

function unhindered(fresh: boolean, wanted: DatabaseWanted, { connected }: DatabaseSurroundings): Event {
  if (fresh && wanted.placement === 'External' && !wanted.managed) return 'externalAccepted';
  if (!connected) return 'connectionDue';
  return fresh ? 'provisioned' : 'restedReady';
}
