import type { Store } from '../store.ts';
import type { Clock } from './clock.ts';
import { type Job, bucket, finish, placeAt } from './shapes.ts';

/** Reconciles a finished Job: removes it `ttlSecondsAfterFinished` after its end. */
export function createTtl(store: Store, clock: Clock) {
  return async function reconcile(key: string): Promise<number | null> {
    const place = placeAt(bucket.jobs, key);
    const job = store.get(place) as Job | undefined;
    const ttlSeconds = job?.spec?.ttlSecondsAfterFinished;
    if (!job || ttlSeconds === undefined || job.metadata.deletionTimestamp !== undefined) return null;
    const end = Date.parse(finish(job)?.lastTransitionTime ?? job.status?.completionTime ?? '');
    if (Number.isNaN(end)) return null;
    const expiry = end + ttlSeconds * 1000;
    if (clock.now() < expiry) return expiry;
    await store.remove(place, { uid: job.metadata.uid });
    return null;
  };
}
