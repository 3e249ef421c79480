import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { PassError } from '../pass/pass.ts';
import type { WorkQueue } from '../queue/priorityQueue.ts';
import { askedMs } from '../services/pause.ts';

/** What a pass was given, what it left, and in how many ms it asked for the next; null for never. */
interface Passed {
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly requeueAfterMs: number | null;
}

/**
 * A pass that changed nothing and wants another at once acted outside, and the watch has not reported the result yet:
 * the next pass comes with that event, or after a growing pause, so that no rule can keep the operator spinning.
 */
const isUnchanged = ({ before, after }: Passed): boolean =>
  before.metadata.resourceVersion === after.metadata.resourceVersion;

/** Requeues a key when its pass asked for it, and resets its backoff. */
export const requeueAfterPass = Effect.fnUntraced(function* (queue: WorkQueue, key: string, passed: Passed) {
  const { requeueAfterMs } = passed;
  if (requeueAfterMs === 0 && isUnchanged(passed)) return yield* queue.backOff(key);
  queue.forget(key);
  if (requeueAfterMs !== null) yield* queue.addIn(key, requeueAfterMs);
});

/** Requeues a key whose pass failed: after a growing pause, and not before the server wants to be asked again. */
export const requeueAfterFailure = (queue: WorkQueue, key: string, error: PassError): Effect.Effect<void> =>
  queue.backOff(key, askedMs(error));
