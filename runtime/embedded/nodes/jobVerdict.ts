import { freeIndexes, indexOf } from './jobIndexes.ts';
import { successOf } from './jobPolicies.ts';
import type { Wanted } from './jobPods.ts';
import type { IndexTally, Tally } from './jobTally.ts';
import { statusesOf } from './podStatus.ts';
import type { Job, Pod } from './shapes.ts';
import { backoffMs } from './timeline.ts';

/** How a Job ends, as in its conditions. */
export interface End {
  readonly is: 'complete' | 'failed';
  readonly reason: string;
  readonly message: string;
}

/** What a Job calls for. */
export type Verdict =
  | { readonly is: 'suspended' }
  | End
  | {
      readonly is: 'goesOn';
      readonly missing: readonly Wanted[];
      readonly surplus: readonly Pod[];
      /** When more pods are due; Infinity when none are missing. */
      readonly later: number;
    };

interface Moment {
  readonly now: number;
  readonly backoffSeconds: number;
}

const defaultBackoffLimit = 6;

/** What follows from the tally, in the order in which the real Job controller asks. */
export function verdictOf(job: Job, tally: Tally, moment: Moment): Verdict {
  const end = failureEnd(job, tally, moment.now) ?? successEnd(job, tally);
  if (end) return end;
  if (job.spec?.suspend === true) return { is: 'suspended' };
  const active = wantedPods(job, tally) - tally.active.length;
  if (tally.indexes) return byIndex(job, tally, { indexes: tally.indexes, active, ...moment });
  const notBefore = tally.failed > 0 ? tally.lastFailure + backoffMs(moment.backoffSeconds, tally.failed) : 0;
  const missing = Array.from({ length: Math.max(0, active) }, () => ({ index: null, failures: 0 }));
  return {
    is: 'goesOn',
    missing: moment.now >= notBefore ? missing : [],
    surplus: tally.active.slice(0, Math.max(0, -active)),
    later: moment.now >= notBefore ? Infinity : notBefore,
  };
}

const failed = (reason: string, message: string): End => ({ is: 'failed', reason, message });

function failureEnd(job: Job, tally: Tally, now: number): End | null {
  const { backoffLimit = defaultBackoffLimit } = job.spec ?? {};
  if (tally.failsJob !== null) return failed('PodFailurePolicy', tally.failsJob);
  if (tally.failed > backoffLimit || restartedTooOften(job, tally, backoffLimit))
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  if (now >= deadlineOf(job)) return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
  return indexesEnd(job, tally);
}

function indexesEnd({ spec }: Job, { indexes, succeeded }: Tally): End | null {
  const givenUp = indexes?.failed?.size ?? 0;
  if (givenUp > (spec?.maxFailedIndexes ?? Infinity))
    return failed('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  return givenUp > 0 && givenUp + succeeded >= (spec?.completions ?? 0)
    ? failed('FailedIndexes', 'Job has failed indexes')
    : null;
}

function successEnd(job: Job, { active, succeeded, indexes }: Tally): End | null {
  const { completions = 1 } = job.spec ?? {};
  const early = indexes ? successOf(job, indexes.completed) : null;
  if (early !== null) return { is: 'complete', reason: 'SuccessPolicy', message: early };
  const reached = completions === null ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  return reached
    ? { is: 'complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
    : null;
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
function wantedPods({ spec }: Job, { active, succeeded, indexes }: Tally): number {
  const { parallelism = 1, completions = 1 } = spec ?? {};
  if (completions !== null) return Math.min(parallelism, completions - succeeded - (indexes?.failed?.size ?? 0));
  return succeeded === 0 ? parallelism : active.length;
}

interface ByIndex extends Moment {
  readonly indexes: IndexTally;
  /** How many pods are missing, or too many where it is below zero. */
  readonly active: number;
}

/** The lowest indexes first; one that failed is tried again after its own pause where each has a limit of its own. */
function byIndex(job: Job, tally: Tally, { indexes, active, now, backoffSeconds }: ByIndex): Verdict {
  const { completions = 0 } = job.spec ?? {};
  const { completed, failed, active: underWay, retries } = indexes;
  const perIndex = failed !== null;
  const dueOf = (index: number) => {
    const { failures, at } = retries.get(index) ?? { failures: 0, at: 0 };
    if (perIndex) return failures === 0 ? 0 : at + backoffMs(backoffSeconds, failures);
    return tally.failed === 0 ? 0 : tally.lastFailure + backoffMs(backoffSeconds, tally.failed);
  };
  const free = freeIndexes(completions ?? 0, [completed, failed ?? new Set(), underWay]);
  const due = free.filter((index) => dueOf(index) <= now);
  const waiting = free.filter((index) => dueOf(index) > now).map(dueOf);
  const missing = due.slice(0, Math.max(0, active));
  return {
    is: 'goesOn',
    missing: missing.map((index) => ({ index, failures: retries.get(index)?.failures ?? 0 })),
    surplus: surplusOf(tally.active, -active),
    later: missing.length < active ? Math.min(Infinity, ...waiting) : Infinity,
  };
}

/** The pods of the highest indexes go first. */
const surplusOf = (pods: readonly Pod[], count: number) =>
  pods.toSorted((a, b) => (indexOf(b) ?? Infinity) - (indexOf(a) ?? Infinity)).slice(0, Math.max(0, count));
