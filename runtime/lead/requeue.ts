import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { PassError } from '../pass/pass.ts';
import type { WorkQueue } from '../queue/priorityQueue.ts';
import { askedMs } from '../services/pause.ts';

/** A pass: the object before and after it, and in how many ms it requeues; null for never. */
interface Passed {
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly requeueAfterMs: number | null;
}

/**
 * Whether a pass changed nothing but wants another at once: it had an outside effect that the watch has not reported
 * yet. The next pass comes with that event or with backoff, so that no rule can cause a busy loop.
 */
const isUnchanged = ({ before, after }: Passed): boolean =>
  before.metadata.resourceVersion === after.metadata.resourceVersion;

/** Requeues a key as its pass requested, and resets its backoff. */
export const requeueAfterPass = Effect.fnUntraced(function* (queue: WorkQueue, key: string, passed: Passed) {
  const { requeueAfterMs } = passed;
  if (requeueAfterMs === 0 && isUnchanged(passed)) return yield* queue.backOff(key);
  queue.forget(key);
  if (requeueAfterMs !== null) yield* queue.addIn(key, requeueAfterMs);
});

/** Requeues a key whose pass failed: with backoff, and not before the server's Retry-After. */
export const requeueAfterFailure = (queue: WorkQueue, key: string, error: PassError): Effect.Effect<void> =>
  queue.backOff(key, askedMs(error));
