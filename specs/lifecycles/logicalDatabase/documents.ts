import type { LogicalDatabaseEvent, LogicalDatabaseState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { Fact } from '../../../rules/fact.ts';
import type { LogicalDatabaseFacts, LogicalDatabaseObserved } from '../../../rules/logicalDatabase/facts.ts';
import type { LogicalDatabaseStanding } from '../../../rules/logicalDatabase/ready.ts';

type Event = LogicalDatabaseEvent['type'];
type Seen = LogicalDatabaseObserved;

const valueOf = <T>(fact: Fact<T>): T => {
  if (fact.is === 'known') return fact.value;
  throw new Error('the documents are about what is known');
};

/** 001 CoreLogicalDatabase, Database and logical database, Errors: what happened. */
export function documents(state: LogicalDatabaseState | Absence, facts: LogicalDatabaseFacts): Event | null {
  if (state === '(none)') return 'created';
  if (facts.asked === 'create') return null;
  const { server, heldByOther } = valueOf(facts.around);
  if (facts.deletedAt !== null) {
    if (!facts.finalizer || (server.is === 'found' && server.owner !== 'shared')) return 'ownServerLeft';
    if (heldByOther) return 'otherKeepsIt';
    if (state !== 'Deleting') return 'deletionFound';
  }
  if (state === 'Deleting') return drops(facts);
  if (state === 'ProvisionFailed') return again(facts);
  return givesUp(facts) ?? provisions(state, facts);
}

function drops({ now, deletedAt, around, createJobLeft, dropJob }: LogicalDatabaseFacts): Event {
  const { server } = valueOf(around);
  if (server.is === 'absent' || !server.ready) return 'serverLost';
  if (deletedAt !== null && now - deletedAt >= 180_000) return 'dropTimedOut';
  if (valueOf(createJobLeft)) return 'otherJobFound';
  const drop = valueOf(dropJob);
  if (drop === 'other') return 'otherJobFound';
  if (drop === 'succeeded') return 'dropped';
  return drop === 'absent' ? 'dropStarted' : 'dropProgressed';
}

function again({ retry: { state, event } }: LogicalDatabaseFacts): Event {
  if (state !== 'ProvisionFailed') return event === 'generationChanged' ? 'specChanged' : 'retryAsked';
  const gaveUp = event === 'limitReached' || event === 'timeRanOut' || event === 'permanentlyFailed';
  return gaveUp ? 'retryAsked' : 'failureStood';
}

function givesUp({ retry: { state, event } }: LogicalDatabaseFacts): Event | null {
  if (state !== 'ProvisionFailed') return null;
  if (event === 'timeRanOut') return 'failureTimeExhausted';
  if (event === 'permanentlyFailed') return 'permanentErrorFound';
  return event === 'limitReached' ? 'failuresExhausted' : 'givenUpFound';
}

const counts: readonly string[] = 'LDB-096e LDB-008 LDB-008a LDB-008b LDB-071 LDB-072 LDB-075 LDB-076 LDB-080'.split(
  ' ',
);
const ends: readonly string[] = 'LDB-096d LDB-073 LDB-074 LDB-074a LDB-016a LDB-027a LDB-083 LDB-027'.split(' ');

function provisions(state: 'Provisioning' | 'Ready', facts: LogicalDatabaseFacts): Event {
  const { attempt, finalizer, retry } = facts;
  const seen = valueOf(facts.around);
  if (state === 'Provisioning' && attempt === null) return 'attemptDue';
  const row = blockerRow(seen) ?? '';
  if (counts.includes(row) && (retry.event === 'rowBegan' || retry.event === 'failureCounted')) return 'failureCounted';
  if (row === 'LDB-069') return 'serverMissing';
  if (row === 'LDB-070') return 'serverNotReady';
  if (lacksFinalizer(seen, finalizer)) return 'finalizerMissing';
  return hinders(state, seen, row) ?? (state === 'Ready' ? rests(seen) : creates(seen));
}

const lacksFinalizer = ({ server, created }: Seen, finalizer: boolean) =>
  server.is === 'found' && server.owner === 'shared' && !finalizer && !created;

function hinders(state: 'Provisioning' | 'Ready', { created }: Seen, row: string): Event | null {
  const isBlocked = row !== '' && row !== 'LDB-082';
  if (state === 'Ready' && !created && !isBlocked) return 'databaseLost';
  if (row === 'LDB-081') return 'adminLoginMissing';
  if (row === 'LDB-096f') return 'waitFound';
  return counts.includes(row) || ends.includes(row) ? 'failureRepeated' : null;
}

const rests = ({ connected }: Seen): Event => (connected ? 'connectionKept' : 'connectionDue');

function creates({ created, job }: Seen): Event {
  if (created || job === 'succeeded') return 'connectionWritten';
  if (job === 'other') return 'otherJobFound';
  return job === 'absent' ? 'jobCreated' : 'jobProgressed';
}

const failed = { permanent: 'LDB-096d', counted: 'LDB-096e', waiting: 'LDB-096f' } as const;

/** The row of what is in the way, in the order of the documents; null where nothing is. */
function blockerRow(seen: Seen): string | null {
  if (seen.failure) return failed[seen.failure.counts];
  return projectMisfit(seen) ?? serverMisfit(seen) ?? nameMisfit(seen) ?? placeMisfit(seen) ?? uncreated(seen);
}

function projectMisfit({ projectSeen }: Seen): string | null {
  if (projectSeen.is === 'absent') return 'LDB-008';
  if (projectSeen.is === 'notReady') return 'LDB-008a';
  return projectSeen.is === 'withoutEnvironment' ? 'LDB-008b' : null;
}

function serverMisfit({ server }: Seen): string | null {
  if (server.is === 'absent') return 'LDB-069';
  if (!server.ready) return 'LDB-070';
  if (server.owner === 'elsewhere') return 'LDB-071';
  if (!server.hasConnection) return 'LDB-072';
  return server.external || !['Postgres', 'MySQL'].includes(server.engine) ? 'LDB-073' : null;
}

function nameMisfit({ server, databaseName, movedFrom, heldByOther }: Seen): string | null {
  if (!isPlainName(databaseName)) return 'LDB-074';
  if (server.is === 'found' && server.owner === 'here' && databaseName.length > 63) return 'LDB-074a';
  if (movedFrom !== '') return 'LDB-016a';
  return heldByOther ? 'LDB-027a' : null;
}

/** Letters, digits and underscores, with no digit first. */
const isPlainName = (name: string) =>
  name !== '' && !/[0-9]/.test(name.charAt(0)) && Array.from(name).every((letter) => /^[a-zA-Z0-9_]$/.test(letter));

function placeMisfit({ projectSeen: project, server }: Seen): string | null {
  if (project.is !== 'fine' || server.is === 'absent') return null;
  const { region, owner, placedOn } = server;
  if (region && project.region && region !== project.region) return 'LDB-075';
  const lacks = project.requiredTags.some((tag) => placedOn === null || !placedOn.includes(tag));
  return owner === 'shared' && lacks ? 'LDB-076' : null;
}

function uncreated({ connection, created, adminLogin, job }: Seen): string | null {
  if (!connection) return 'LDB-080';
  if (created) return null;
  if (!adminLogin) return 'LDB-081';
  const rows = { failed: 'LDB-083', taken: 'LDB-027', succeeded: null } as const;
  return job === 'failed' || job === 'taken' || job === 'succeeded' ? rows[job] : 'LDB-082';
}

/** The row of the Ready table that holds. */
export function readyRow(seen: LogicalDatabaseStanding): string {
  if (seen.leaving === 'deletion' && seen.failure === null) return 'LDB-101e';
  if (seen.retrying) return 'LDB-100';
  if (seen.gaveUp) return seen.gaveUp.by === 'failures' ? 'LDB-079' : 'LDB-095';
  return blockerRow(seen) ?? (seen.created && seen.connected ? 'LDB-059' : 'LDB-046');
}
