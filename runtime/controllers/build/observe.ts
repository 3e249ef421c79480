import type { Job } from '../../../crds/builtIn.ts';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { annotation, jobNameLabel } from '../../../crds/names.ts';
import { jobName } from '../../../rules/build/build.ts';
import type { BuildFacts, ChecksSeen, ConnectionSeen, JobSeen, LogSeen } from '../../../rules/build/facts.ts';
import { type Blocker, blockerOf } from '../../../rules/build/blockers.ts';
import { repositoryName } from '../../../rules/build/repository.ts';
import { isReady } from '../../../rules/condition.ts';
import { type Fact, known, unasked } from '../../../rules/fact.ts';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import { jobOutcome } from '../../../rules/jobOutcome.ts';
import { connections, objectStores } from '../../services/cluster/kinds.ts';
import type { ReconcileInput, Trigger } from '../../contract/lifecycle.ts';
import { failedCreations, failedMounts, jobPods, jobs, secrets } from '../../services/cluster/resources.ts';
import { secretText } from '../../services/secretText.ts';
import type { CacheReader } from '../../cache/reader.ts';

/** The facts of a build without calls; others are `unasked`. */
export function observe(
  build: CoreBuild,
  reader: CacheReader,
  input: ReconcileInput,
  gitUrl: string,
): Omit<BuildFacts, keyof Trigger> {
  const { spec, status = {} } = build;
  return {
    now: input.now,
    resetFrom: input.resetFrom,
    phase: status.phase ?? '',
    run: status.startedAt ?? null,
    cancelRequested: status.cancelRequested ?? false,
    registry: spec.registry ?? '',
    context: spec.context ?? '',
    buildfile: spec.buildfile ?? '',
    revision: spec.revision ?? '',
    sourceRevision: status.sourceRevision ?? '',
    pushes: pushesKept(status),
    waitForCI: spec.waitForCI,
    connectionRef: spec.connectionRef?.name ?? '',
    connection: known(connectionSeen(build, reader)),
    commit: commitSeen(build, gitUrl),
    checks: spec.waitForCI ? unasked : known<ChecksSeen>({ is: 'notAwaited' }),
    job: input.claimed ? known({ is: 'absent' }) : jobSeen(build, reader),
    hindrance: blockerSeen(build, reader),
    digest: unasked,
    log: logSeen(build, reader),
  };
}

const pushesKept = ({ head = '', deliveries = [] }: NonNullable<CoreBuild['status']>) => ({ head, deliveries });

/** Whether the build's connection can be used. */
export function connectionSeen({ spec }: CoreBuild, reader: CacheReader): ConnectionSeen {
  const connection = reader.get(connections, spec.connectionRef?.name ?? '');
  if (!connection) return 'absent';
  if (!isReady(connection)) return 'notReady';
  return secretText(reader.get(secrets, connection.spec.secretRef.name), 'token') === '' ? 'noToken' : 'ready';
}

/**
 * The commit is kept for the run once it is resolved; without a connection a revision is used as it is (decision 45).
 */
function commitSeen({ spec, status }: CoreBuild, gitUrl: string): Fact<GitAnswer<string>> {
  const resolved = status?.sourceRevision || (spec.connectionRef ? '' : spec.revision);
  if (resolved) return known({ is: 'found', value: resolved });
  if (repositoryName(spec.repository ?? '', gitUrl) === null)
    return known({ is: 'refused', code: 404, status: '404 Not Found' });
  return unasked;
}

/**
 * The Job as cached. The cache may lag, so the Job is read directly when its absence would decide, or when a Job of
 * another run has its name.
 */
export function jobSeen({ metadata, status }: CoreBuild, reader: CacheReader): Fact<JobSeen> {
  const job = reader.get(jobs, jobName(metadata.name));
  const claimed = typeof status?.startedAt === 'string' && status.phase !== 'Cancelled';
  if (!job) return claimed ? unasked : known({ is: 'absent' });
  return claimed && job.metadata.annotations?.[annotation.run] !== status.startedAt ? unasked : known(readJob(job));
}

/** The blocker of a running Job, or the cause of a failed one, while its pods exist. */
function blockerSeen(build: CoreBuild, reader: CacheReader): Blocker | null {
  const { phase = '', logRef } = build.status ?? {};
  const isOfInterest = phase === 'Running' || (phase === 'Failed' && logRef !== undefined && logRef !== '');
  const seen = isOfInterest ? runSeen(build, reader) : null;
  return seen && blockerOf({ ...seen, mounts: reader.list(failedMounts), refusals: reader.list(failedCreations) });
}

/** The claimed run of a build with the cached pods of its Job; null before the claim. */
export function runSeen({ metadata, status }: CoreBuild, reader: CacheReader) {
  const run = status?.startedAt;
  if (typeof run !== 'string') return null;
  const name = jobName(metadata.name);
  const job = reader.get(jobs, name);
  const jobUid = job?.metadata.annotations?.[annotation.run] === run ? (job.metadata.uid ?? '') : '';
  return { run, jobUid, pods: reader.indexed(jobPods, jobNameLabel, name) };
}

export function readJob(job: Job): JobSeen {
  const { is } = jobOutcome(job);
  return {
    is: 'present',
    run: job.metadata.annotations?.[annotation.run] ?? '',
    outcome: is === 'running' ? 'active' : is,
    failedPods: job.status?.failed ?? 0,
  };
}

/** `object://<store>/builds/<build>.log` */
export const archivedLogRef = ({ metadata, spec }: CoreBuild): string =>
  `object://${spec.logStoreRef?.name ?? ''}/${logKey(metadata.name)}`;

export const logKey = (build: string): string => `builds/${build}.log`;

function logSeen(build: CoreBuild, reader: CacheReader): Fact<LogSeen> {
  const { spec, status, metadata } = build;
  if (!spec.logStoreRef || status?.logRef === archivedLogRef(build)) return known('settled');
  if (isReady(reader.get(objectStores, spec.logStoreRef.name))) return unasked;
  return known(reader.get(jobs, jobName(metadata.name)) ? 'waiting' : 'gone');
}
