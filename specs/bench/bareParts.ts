import { Effect, Fiber, Queue } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { ownLabels } from '../../rules/owned/ownedObject.ts';
import { eventOfMove, kubeEvent } from '../../runtime/write/kubeEvent.ts';
import { events } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape, Resource } from '../../runtime/services/cluster/cluster.ts';

const eventsWaiting = 2_000;

/** The Events of a bare loop: like those of the runtime, they wait for nobody. */
export function bareEvents(cluster: ClusterShape) {
  const pending = Effect.runSync(Queue.sliding<Effect.Effect<unknown>>(eventsWaiting));
  return {
    post: (resource: Resource, object: KubeObject, moves: readonly HistoryEntry[]) => {
      for (const move of moves)
        if (move.from !== move.to) {
          const created = kubeEvent(resource, object, eventOfMove(move, 'Normal'));
          Queue.offerUnsafe(pending, Effect.ignore(cluster.create(events, created)));
        }
    },
    posting: Effect.forever(Effect.flatten(Queue.take(pending))),
  };
}

/** The look for what is left of an owner that must not run, or is to go, among kinds of which some may be undefined. */
export const lookForRest = (
  cluster: ClusterShape,
  owner: { readonly kind: string; readonly name: string },
  resources: readonly Resource[],
) => {
  const labelSelector = Object.entries(ownLabels(owner))
    .map((pair) => pair.join('='))
    .join(',');
  return Effect.forEach(
    resources,
    (resource) => Effect.ignore(cluster.list(resource, { namespace: 'all', labelSelector })),
    { discard: true },
  );
};

/** Runs the parts of a loop until it is ended. */
export function runParts(parts: readonly Effect.Effect<unknown, unknown>[]): () => Promise<void> {
  const running = parts.map((one) => Effect.runFork(one));
  return async () => {
    await Promise.all(running.map((fiber) => Effect.runPromise(Fiber.interrupt(fiber))));
  };
}
