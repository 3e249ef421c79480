import type { LogicalDatabaseEvent, LogicalDatabaseState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { Fact } from '../../../rules/fact.ts';
import type { LogicalDatabaseFacts, LogicalDatabaseSeen } from '../../../rules/logicalDatabase/facts.ts';

type Event = LogicalDatabaseEvent['type'];

const valueOf = <T>(fact: Fact<T>): T => {
  if (fact.is === 'known') return fact.value;
  throw new Error('the documents are about what is known');
};

/** 001 CoreLogicalDatabase, Database and logical database, Errors: what happened. */
export function documents(state: LogicalDatabaseState | Absence, facts: LogicalDatabaseFacts): Event | null {
  const { deletingSince, finalizer, server, retry, generation } = facts;
  if (state === '(none)') return null;
  if (facts.asked === 'retry') return state === 'ProvisionFailed' && deletingSince === null ? 'retryAsked' : null;
  if (deletingSince !== null) {
    if (!finalizer || (server.is === 'found' && server.owner !== 'shared')) return 'ownServerLeft';
    if (state !== 'Deleting') return 'deletionFound';
  }
  if (state === 'Deleting') return drops(facts);
  if (state === 'ProvisionFailed') return retry.generation === generation ? null : 'specChanged';
  return provisions(state, facts);
}

function drops({ now, deletingSince, server, job, dropJob }: LogicalDatabaseFacts): Event {
  if (server.is === 'absent' || !server.ready) return 'serverLost';
  if (deletingSince !== null && now - deletingSince >= 180_000) return 'dropTimedOut';
  if (valueOf(job).is === 'present') return 'createJobFound';
  const drop = valueOf(dropJob);
  if (drop === 'succeeded') return 'dropped';
  return drop === 'absent' ? 'dropStarted' : 'dropProgressed';
}

const told: Readonly<Record<string, Event>> = {
  'LDB-069': 'serverMissing',
  'LDB-070': 'serverNotReady',
  'LDB-073': 'specRefused',
  'LDB-074': 'specRefused',
};

function provisions(state: 'Provisioning' | 'Ready', facts: LogicalDatabaseFacts): Event {
  const { attempt, server, finalizer, connection, created } = facts;
  if (state === 'Provisioning' && attempt === null) return 'attemptDue';
  const counts = () => (state === 'Provisioning' && givesUp(facts) ? 'gaveUp' : 'failureCounted');
  const misfit = projectMisfit(facts) ?? serverMisfit(facts);
  if (misfit !== null) return told[misfit] ?? counts();
  if (!finalizer && server.is === 'found' && server.owner === 'shared') return 'finalizerMissing';
  if (!valueOf(connection)) return counts();
  if (state === 'Ready') return 'connectionKept';
  return created ? 'connectionWritten' : creates(facts);
}

function givesUp({ now, generation, retry }: LogicalDatabaseFacts): boolean {
  if (retry.generation !== generation) return false;
  if (retry.failures >= 4) return true;
  return retry.startedAt !== null && retry.startedAt <= now - 180_000;
}

function creates({ adminLogin, job, attempt }: LogicalDatabaseFacts): Event {
  if (!valueOf(adminLogin)) return 'adminLoginMissing';
  const seen = valueOf(job);
  if (seen.is === 'absent') return 'jobCreated';
  if (seen.attempt !== attempt) return 'otherJobFound';
  if (seen.outcome === 'running') return 'jobProgressed';
  return seen.outcome === 'succeeded' ? 'connectionWritten' : 'jobFailed';
}

type Checked = Pick<LogicalDatabaseSeen, 'projectSeen' | 'server' | 'databaseName'>;

function projectMisfit({ projectSeen }: Checked): string | null {
  if (projectSeen.is === 'absent') return 'LDB-008';
  if (projectSeen.is === 'notReady') return 'LDB-008a';
  return projectSeen.is === 'withoutEnvironment' ? 'LDB-008b' : null;
}

function serverMisfit({ projectSeen, server, databaseName }: Checked): string | null {
  if (server.is === 'absent') return 'LDB-069';
  if (!server.ready) return 'LDB-070';
  if (server.owner === 'elsewhere') return 'LDB-071';
  if (!server.hasConnection) return 'LDB-072';
  if (!['Postgres', 'MySQL'].includes(server.engine)) return 'LDB-073';
  if (!isPlainName(databaseName)) return 'LDB-074';
  return projectSeen.is === 'fine' ? placeMisfit(projectSeen, server) : null;
}

/** Letters, digits and underscores, with no digit first. */
const isPlainName = (name: string) =>
  name !== '' && !/[0-9]/.test(name.charAt(0)) && Array.from(name).every((letter) => /^[a-zA-Z0-9_]$/.test(letter));

type Fine = Extract<LogicalDatabaseSeen['projectSeen'], { readonly is: 'fine' }>;
type Found = Extract<LogicalDatabaseSeen['server'], { readonly is: 'found' }>;

function placeMisfit(project: Fine, { region, owner, placedOn }: Found): string | null {
  if (region && project.region && region !== project.region) return 'LDB-075';
  const lacks = project.requiredTags.some((tag) => placedOn === null || !placedOn.includes(tag));
  return owner === 'shared' && lacks ? 'LDB-076' : null;
}

/** The row of the Ready table that holds. */
export function readyRow(seen: LogicalDatabaseSeen): string {
  if (seen.moved === 'gaveUp') return 'LDB-079';
  if (seen.moved === 'retried') return 'LDB-100';
  const misfit = projectMisfit(seen) ?? serverMisfit(seen);
  if (misfit !== null) return misfit;
  if (!seen.connection) return 'LDB-080';
  if (seen.created) return 'LDB-059';
  if (!seen.adminLogin) return 'LDB-081';
  const rows = { absent: 'LDB-082', running: 'LDB-082', failed: 'LDB-083', taken: 'LDB-027', succeeded: 'LDB-059' };
  return rows[seen.job];
}
