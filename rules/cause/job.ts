import { isDeleting } from '../deleting.ts';
import { createdAtMs, isoTime } from '../time.ts';
import { sentence, toObservers, toViewers } from '../words.ts';
import type { FoundCause } from './cause.ts';
import { copyContainers, type Ended, lastEndOf } from './containers.ts';
import { causesOfCopies } from './copies.ts';
import { lastLine } from './lastLine.ts';
import type { CauseReason } from './reasons.ts';
import type { JobRole, JobSeen } from './jobSeen.ts';
import { type CauseRule, found } from './rule.ts';

/** The reasons for which the pod of a Job does not start. */
const heldReasons = [
  'Unschedulable',
  'VolumeFailed',
  'ImagePullFailed',
  'ContainerConfigMissing',
] as const satisfies readonly CauseReason[];

/** How the newest container that failed ended, and the line that tells most; undefined when none failed. */
export function failureIn({ pods, secrets }: Pick<JobSeen, 'pods' | 'secrets'>) {
  const ends = pods
    .flatMap(copyContainers)
    .map(lastEndOf)
    .filter((end): end is Ended => end !== undefined && end.exitCode !== 0)
    .toSorted((one, other) => other.atMs - one.atMs);
  const [end] = ends;
  if (end === undefined) return undefined;
  const logLine = lastLine(end.message, secrets());
  return { exitCode: end.exitCode, lastAt: isoTime(end.atMs), ...(logLine === '' ? {} : { logLine }) };
}

/** A Job of which a pod failed; undefined when none did. */
export function causeOfFailed(reason: CauseReason, job: JobSeen): FoundCause | undefined {
  const failure = failureIn(job);
  if (failure === undefined) return undefined;
  const message = sentence('{job} failed: exit code {code}', {
    job: toObservers(job.on.name),
    code: toViewers(failure.exitCode),
  });
  return { reason, message, on: job.on, ...failure };
}

/** Why the newest pod of a Job does not start; undefined when it runs or ended. */
export function causeOfHeld({ pods, ...job }: JobSeen): FoundCause | undefined {
  const newest = pods
    .filter((pod) => !isDeleting(pod))
    .toSorted((one, other) => createdAtMs(other) - createdAtMs(one))
    .slice(0, 1);
  return causesOfCopies({ ...job, owners: [], wanted: 1, pods: newest }).find(({ reason }) =>
    (heldReasons as readonly string[]).includes(reason),
  );
}

/** By a Job that works for the object: how its pod failed, else why it does not start. */
export const byJob = (reason: CauseReason, role: JobRole): CauseRule<unknown> =>
  found([reason, ...heldReasons], (_, { job }) => {
    const seen = job?.(role);
    const cause = seen && (causeOfHeld(seen) ?? causeOfFailed(reason, seen));
    return cause ? [cause] : [];
  });
