import { isDeepStrictEqual } from 'node:util';
import type { Store, Stored } from '../store.ts';
import type { Clock } from './clock.ts';
import type { Events, Recorded } from './events.ts';
import { type Wanted, podOf } from './jobPods.ts';
import { decidedStatus, endedStatus, statusOf, suspendedStatus } from './jobStatus.ts';
import { type Tally, tallyOf } from './jobTally.ts';
import { type End, type Verdict, deadlineOf, verdictOf } from './jobVerdict.ts';
import type { Owned } from './owned.ts';
import { type Job, type JobStatus, type Pod, bucket, finish, placeAt, placeOf } from './shapes.ts';

interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: Events;
  readonly owned: Owned;
  readonly backoffSeconds: () => number;
  /** Whether a Job that succeeded has not left behind yet what it is for. */
  readonly isAwaited: (job: Stored) => boolean;
}

const component = 'job-controller';

/** Reconciles a Job as the Job controller: creates or removes pods, then writes its counts. */
export function createJobController({ store, clock, events, owned, backoffSeconds, isAwaited }: World) {
  return async function reconcile(key: string): Promise<number | null> {
    const job = store.get(placeAt(bucket.jobs, key)) as Job | undefined;
    if (!job || job.metadata.deletionTimestamp !== undefined || finish(job)) return null;
    const now = clock.now();
    const tally = tallyOf(job, owned.of(job.metadata.uid));
    const verdict = verdictOf(job, tally, { now, backoffSeconds: backoffSeconds() });
    if (verdict.is === 'goesOn') return goOn(job, tally, verdict, now);
    await removePods(job, tally.active);
    if (verdict.is === 'complete' && isAwaited(job)) return awaitLeft(job, tally, verdict, now);
    if (verdict.is === 'suspended') await write(job, suspendedStatus(job, tally, now), suspendedEvent);
    else await write(job, endedStatus(job, tally, verdict, now), endEvent(verdict));
    return null;
  };

  /** The end is decided, as of a Job whose pods are still being stopped. */
  async function awaitLeft(job: Job, tally: Tally, verdict: End, now: number) {
    const status = decidedStatus(job, tally, verdict, now);
    await write(job, status, null);
    const next = deadlineOf({ ...job, status });
    return Number.isFinite(next) ? next : null;
  }

  async function goOn(job: Job, tally: Tally, verdict: Verdict & { is: 'goesOn' }, now: number) {
    await removePods(job, verdict.surplus);
    const created = await createPods(job, verdict.missing);
    const active = tally.active.length - verdict.surplus.length + created;
    const status = statusOf(job, tally, active, now);
    await write(job, status, resumedEvent(job, status));
    const next = Math.min(deadlineOf({ ...job, status }), verdict.later);
    return Number.isFinite(next) ? next : null;
  }

  /** Returns how many there are now: fewer when the Job went away meanwhile, for then they must not stay. */
  async function createPods(job: Job, missing: readonly Wanted[]): Promise<number> {
    for (const [made, wanted] of missing.entries()) {
      if (!isThere(job)) return made;
      const template = podOf(job, wanted);
      const { name } = template.metadata;
      const place = { bucket: bucket.pods, namespace: job.metadata.namespace ?? '', name };
      const pod = (await store.create(place, template).catch((why: unknown) => {
        const message = `Error creating: ${why instanceof Error ? why.message : String(why)}`;
        events.record(component, job, { type: 'Warning', reason: 'FailedCreate', message });
        throw why;
      })) as Pod;
      owned.put(pod);
      if (!isThere(job)) {
        await removePods(job, [pod]);
        return made;
      }
      events.record(component, job, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` });
    }
    return missing.length;
  }

  function isThere(job: Job): boolean {
    const { uid, deletionTimestamp } = store.get(placeOf(bucket.jobs, job))?.metadata ?? {};
    return uid === job.metadata.uid && deletionTimestamp === undefined;
  }

  async function removePods(job: Job, pods: readonly Pod[]) {
    for (const pod of pods) {
      const place = placeOf(bucket.pods, pod);
      if (store.get(place)?.metadata.uid !== pod.metadata.uid) continue;
      await store.remove(place, { uid: pod.metadata.uid });
      const message = `Deleted pod: ${place.name}`;
      if (isThere(job)) events.record(component, job, { type: 'Normal', reason: 'SuccessfulDelete', message });
    }
  }

  async function write(job: Job, status: JobStatus, event: Recorded | null) {
    if (isDeepStrictEqual(job.status, status) || !isThere(job)) return;
    await store.update(placeOf(bucket.jobs, job), (old) =>
      old.metadata.uid === job.metadata.uid && !finish(old as Job) ? { ...old, status } : old,
    );
    if (event) events.record(component, job, event);
  }
}

const suspendedEvent: Recorded = { type: 'Normal', reason: 'Suspended', message: 'Job suspended' };

const resumedEvent = (job: Job, status: JobStatus): Recorded | null =>
  job.status?.conditions !== undefined && !isDeepStrictEqual(job.status.conditions, status.conditions)
    ? { type: 'Normal', reason: 'Resumed', message: 'Job resumed' }
    : null;

const endEvent = (verdict: End): Recorded =>
  verdict.is === 'complete'
    ? { type: 'Normal', reason: 'Completed', message: 'Job completed' }
    : { type: 'Warning', reason: verdict.reason, message: verdict.message };
