import { stamp } from './clock.ts';
import { endOf } from './podEnd.ts';
import { type Condition, type Job, type JobStatus, type Pod, isOver, withCondition } from './shapes.ts';
import { statusesOf } from './podStatus.ts';
import { backoffMs } from './timeline.ts';

/** The pods of a Job, counted. */
export interface Tally {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly failed: number;
  readonly succeeded: number;
  /** When the last failure was, or 0. */
  readonly lastFailure: number;
}

/** What a Job calls for. */
export type Verdict =
  | { readonly is: 'suspended' }
  | { readonly is: 'complete' }
  | { readonly is: 'failed'; readonly reason: string; readonly message: string }
  | { readonly is: 'goesOn'; readonly missing: number; readonly surplus: number; readonly notBefore: number };

const defaultBackoffLimit = 6;

/** A pod that was counted as active and is gone, without having succeeded, counts as failed. */
export function tallyOf(job: Job, pods: readonly Pod[]): Tally {
  const before = { active: 0, failed: 0, succeeded: 0, ...job.status };
  const active = pods.filter((pod) => !isOver(pod) && pod.metadata.deletionTimestamp === undefined);
  const failedPods = pods.filter(({ status }) => status?.phase === 'Failed');
  const succeeded = Math.max(before.succeeded, pods.filter(({ status }) => status?.phase === 'Succeeded').length);
  const lost = before.active - active.length - (succeeded - before.succeeded);
  return {
    active,
    ready: active.filter(isReady).length,
    failed: Math.max(before.failed + Math.max(0, lost), failedPods.length),
    succeeded,
    lastFailure: Math.max(0, ...failedPods.map(endOf)),
  };
}

const isReady = ({ status }: Pod) =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** What follows from the tally, in the order in which the real Job controller asks. */
export function verdictOf(job: Job, tally: Tally, now: number, backoffSeconds: number): Verdict {
  const { suspend, backoffLimit = defaultBackoffLimit } = job.spec ?? {};
  if (tally.failed > backoffLimit || restartedTooOften(job, tally, backoffLimit))
    return {
      is: 'failed',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    };
  if (now >= deadlineOf(job))
    return { is: 'failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  const wanted = wantedPods(job, tally);
  if (wanted === 'none') return { is: 'complete' };
  if (suspend === true) return { is: 'suspended' };
  const notBefore = tally.failed > 0 ? tally.lastFailure + backoffMs(backoffSeconds, tally.failed) : 0;
  const missing = wanted - tally.active.length;
  return { is: 'goesOn', missing: Math.max(0, missing), surplus: Math.max(0, -missing), notBefore };
}

/** When a Job has been active for too long; Infinity without a limit or while it does not run. */
export function deadlineOf({ spec, status }: Job): number {
  if (spec?.activeDeadlineSeconds === undefined || status?.startTime === undefined || spec.suspend === true)
    return Infinity;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000;
}

function restartedTooOften(job: Job, { active }: Tally, limit: number): boolean {
  if (job.spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = active.flatMap(({ status }) => statusesOf(status)).reduce((sum, one) => sum + one.restartCount, 0);
  return restarts > 0 && restarts >= limit;
}

/** How many pods should be active; `completions` null is a work queue: done when one succeeded and none is active. */
function wantedPods({ spec }: Job, { active, succeeded }: Tally): number | 'none' {
  const { parallelism = 1, completions = 1 } = spec ?? {};
  if (completions !== null) return succeeded >= completions ? 'none' : Math.min(parallelism, completions - succeeded);
  if (succeeded === 0) return parallelism;
  return active.length === 0 ? 'none' : active.length;
}

/** The status that tells a tally. */
export function statusOf(job: Job, tally: Tally, active: number, now: number): JobStatus {
  const { active: _, failed: __, succeeded: ___, ...rest } = job.status ?? {};
  const resumed = rest.conditions?.some(({ type, status }) => type === 'Suspended' && status === 'True');
  const conditions = resumed
    ? withCondition(rest.conditions, condition('Suspended', 'False', 'JobResumed', 'Job resumed'), stamp(now))
    : rest.conditions;
  return {
    ...rest,
    startTime: rest.startTime ?? stamp(now),
    ...(conditions && { conditions }),
    ...(active > 0 && { active }),
    ...(tally.failed > 0 && { failed: tally.failed }),
    ...(tally.succeeded > 0 && { succeeded: tally.succeeded }),
    ready: Math.min(tally.ready, active),
  };
}

/** The status of a Job that came to its end. */
export function endedStatus(job: Job, tally: Tally, verdict: Verdict & { is: 'complete' | 'failed' }, now: number) {
  const at = stamp(now);
  const end =
    verdict.is === 'complete'
      ? condition('Complete', 'True', 'CompletionsReached', 'Reached expected number of succeeded pods')
      : condition('Failed', 'True', verdict.reason, verdict.message);
  // Pods that were still active are removed with the Job's end, and count as failed.
  const stopped = { ...tally, failed: tally.failed + (verdict.is === 'failed' ? tally.active.length : 0) };
  const status = statusOf(job, stopped, 0, now);
  return {
    ...status,
    conditions: withCondition(status.conditions, end, at),
    ...(verdict.is === 'complete' && { completionTime: at }),
  };
}

/** The status of a suspended Job: its time starts anew when it goes on. */
export function suspendedStatus(job: Job, tally: Tally, now: number): JobStatus {
  const { startTime: _, ...status } = statusOf(job, tally, 0, now);
  const suspended = condition('Suspended', 'True', 'JobSuspended', 'Job suspended');
  return { ...status, conditions: withCondition(job.status?.conditions, suspended, stamp(now)) };
}

const condition = (type: string, status: Condition['status'], reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
});
