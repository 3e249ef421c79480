import { type Indexes, failuresBefore, indexOf, indexesIn, isIndexed } from './jobIndexes.ts';
import { type Failure, failureOf } from './jobPolicies.ts';
import { endOf } from './podEnd.ts';
import { isActive, isReady } from './readiness.ts';
import type { Job, Pod } from './shapes.ts';

/** The pods of a Job, counted. */
export interface Tally {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly failed: number;
  readonly succeeded: number;
  /** When the last failure was, or 0. */
  readonly lastFailure: number;
  /** Why a failed pod ends the whole Job. */
  readonly failsJob: string | null;
  /** Null for a Job whose pods are all alike. */
  readonly indexes: IndexTally | null;
}

/** How far each index of a Job is. */
export interface IndexTally {
  readonly completed: Indexes;
  /** Those given up; null without a limit for each index. */
  readonly failed: Indexes | null;
  readonly active: Indexes;
  /** Of those that failed and may be tried again: how often, and when last. */
  readonly retries: ReadonlyMap<number, { readonly failures: number; readonly at: number }>;
}

interface FailedPod {
  readonly pod: Pod;
  readonly failure: Failure;
}

/** A pod that was counted as active and is gone, without having succeeded, counts as failed. */
export function tallyOf(job: Job, pods: readonly Pod[]): Tally {
  const before = { active: 0, failed: 0, succeeded: 0, ...job.status };
  const active = pods.filter(isActive);
  const ended = pods.filter(({ status }) => status?.phase === 'Failed');
  const failures = ended.map((pod): FailedPod => ({ pod, failure: failureOf(job, pod) }));
  const done = pods.filter(({ status }) => status?.phase === 'Succeeded');
  const indexes = isIndexed(job) ? indexTally(job, { active, done, failures }) : null;
  const succeeded = indexes?.completed.size ?? Math.max(before.succeeded, done.length);
  const counted = failures.filter(({ failure }) => failure.is !== 'ignored').map(({ pod }) => pod);
  // With a policy only pods that can still be judged count: what became of others nobody knows.
  const judged = job.spec?.podFailurePolicy !== undefined;
  const lost = judged ? 0 : before.active - active.length - (succeeded - before.succeeded);
  return {
    active,
    ready: active.filter(isReady).length,
    failed: Math.max(before.failed + Math.max(0, lost), counted.length),
    succeeded,
    lastFailure: Math.max(0, ...counted.map(endOf)),
    failsJob: failures.flatMap(({ failure }) => (failure.is === 'failsJob' ? failure.message : []))[0] ?? null,
    indexes,
  };
}

interface Sorted {
  readonly active: readonly Pod[];
  readonly done: readonly Pod[];
  readonly failures: readonly FailedPod[];
}

function indexTally({ spec, status }: Job, { active, done, failures }: Sorted): IndexTally {
  const completions = spec?.completions ?? 0;
  const limit = spec?.backoffLimitPerIndex;
  const own = (pods: readonly Pod[]) =>
    pods.flatMap((pod) => indexOf(pod) ?? []).filter((index) => index < completions);
  const completed = new Set([...indexesIn(status?.completedIndexes, completions), ...own(done)]);
  const givenUp = failures.filter(
    ({ pod, failure }) =>
      failure.is === 'failsIndex' || (failure.is === 'counts' && failuresBefore(pod) >= (limit ?? Infinity)),
  );
  const failed = new Set([...indexesIn(status?.failedIndexes, completions), ...own(givenUp.map(({ pod }) => pod))]);
  const open = [...failed].filter((index) => !completed.has(index));
  return {
    completed,
    failed: limit === undefined ? null : new Set(open),
    active: new Set(own(active)),
    retries: limit === undefined ? new Map() : retriesOf(failures),
  };
}

function retriesOf(failures: readonly FailedPod[]): IndexTally['retries'] {
  const retries = new Map<number, { readonly failures: number; readonly at: number }>();
  for (const { pod, failure } of failures) {
    const index = indexOf(pod);
    if (index === null) continue;
    const known = retries.get(index) ?? { failures: 0, at: 0 };
    const count = failuresBefore(pod) + (failure.is === 'ignored' ? 0 : 1);
    retries.set(index, { failures: Math.max(known.failures, count), at: Math.max(known.at, endOf(pod)) });
  }
  return retries;
}
