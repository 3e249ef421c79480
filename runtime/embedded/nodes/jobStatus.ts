import { stamp } from './clock.ts';
import { indexText } from './jobIndexes.ts';
import type { Tally } from './jobTally.ts';
import type { End } from './jobVerdict.ts';
import { type Condition, type Job, type JobStatus, withCondition } from './shapes.ts';

/** The Job status of a tally. */
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
    ...indexesOf(tally),
  };
}

const indexesOf = ({ indexes }: Tally): Pick<JobStatus, 'completedIndexes' | 'failedIndexes'> =>
  indexes === null
    ? {}
    : {
        ...(indexes.completed.size > 0 && { completedIndexes: indexText(indexes.completed) }),
        ...(indexes.failed !== null && { failedIndexes: indexText(indexes.failed) }),
      };

/** The condition types before the final ones: the end is decided. */
const criterion = { complete: 'SuccessCriteriaMet', failed: 'FailureTarget' } as const;
const endOf = { complete: 'Complete', failed: 'Failed' } as const;

/** The status of a Job whose end is decided, and has not come. */
export function decidedStatus(job: Job, tally: Tally, { is, reason, message }: End, now: number): JobStatus {
  // Pods that were still active are removed with the Job's end, and count as failed.
  const stopped = { ...tally, failed: tally.failed + (is === 'failed' ? tally.active.length : 0) };
  const status = statusOf(job, stopped, 0, now);
  const decided = condition(criterion[is], 'True', reason, message);
  return { ...status, conditions: withCondition(status.conditions, decided, stamp(now)) };
}

/** The status of a Job that came to its end. */
export function endedStatus(job: Job, tally: Tally, end: End, now: number): JobStatus {
  const { is, reason, message } = end;
  const at = stamp(now);
  const status = decidedStatus(job, tally, end, now);
  return {
    ...status,
    conditions: withCondition(status.conditions, condition(endOf[is], 'True', reason, message), at),
    ...(is === 'complete' && { completionTime: at }),
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
