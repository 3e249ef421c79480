import { Effect } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import type { Caches } from './caches.ts';
import type { Controller } from './lifecycle.ts';
import { askedMs, pauseAfter } from './pause.ts';
import { asSeen, Cluster } from './services/cluster.ts';
import { why } from './why.ts';

export interface AdoptGiven {
  readonly controllers: readonly Controller[];
  readonly caches: Caches;
  /** Told of every object that was brought up to date. */
  readonly adopted: (controller: Controller, object: KubeObject) => void;
}

/** So few that passes, which go on beside it, hardly notice. */
const atATime = 4;
const growing = { firstMs: 1_000, mostMs: 60_000 };

/** One object that an older release wrote, and what it lacks. */
interface Old {
  readonly controller: Controller;
  readonly object: KubeObject;
  readonly patch: object;
}

function* oldOnes({ controllers, caches }: AdoptGiven): Generator<Old> {
  for (const controller of controllers)
    for (const object of controller.adopt ? caches.list(controller.resource) : []) {
      const patch = controller.adopt?.(object) ?? null;
      if (patch !== null) yield { controller, object, patch };
    }
}

/**
 * Brings the objects that older releases wrote up to date, and ends when there are none. What could not be written, or
 * was changed meanwhile, is read from the cache and tried once more in the next round, with a growing pause.
 */
export const adopt = Effect.fnUntraced(function* (given: AdoptGiven): Effect.fn.Return<void, never, Cluster> {
  const cluster = yield* Cluster;
  for (let round = 1; ; round++) {
    let left = 0;
    let askedForMs = 0;
    let complaint = '';
    const one = ({ controller, object, patch }: Old) =>
      cluster.patch(controller.resource, { name: object.metadata.name }, patch, asSeen(object)).pipe(
        Effect.map((written) => given.adopted(controller, written)),
        Effect.catch((failure) =>
          Effect.sync(() => {
            left++;
            askedForMs = Math.max(askedForMs, askedMs(failure));
            if (failure._tag !== 'Conflict' && failure._tag !== 'NotFound') complaint = why(failure);
          }),
        ),
      );
    yield* Effect.forEach(oldOnes(given), one, { concurrency: atATime, discard: true });
    if (left === 0) return;
    if (complaint !== '')
      yield* Effect.logWarning('adoption is tried again').pipe(Effect.annotateLogs({ objects: left, why: complaint }));
    yield* Effect.sleep(Math.max(askedForMs, pauseAfter(round, growing)));
  }
});
