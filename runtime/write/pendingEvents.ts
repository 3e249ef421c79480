import { Effect, Latch } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { type EventContent, kubeEvent } from './kubeEvent.ts';

/** How many Kubernetes Events may wait to be written; the oldest are dropped when there are more. */
const maxWaiting = 2_000;
/** After some were written, what is told of the same objects is collected for this long, or until so many wait. */
const collectedForMs = 1_000;
const maxCollected = 500;

interface Waiting {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly content: EventContent;
}

/** Kubernetes Events that are still to be written. Those that say the same of an object are one, with their count. */
export interface PendingEvents {
  readonly add: (resource: Resource, object: KubeObject, content: EventContent) => void;
  /** Writes what waits, now and whenever more has come. */
  readonly work: Effect.Effect<never>;
  /** Writes what waits, and does not collect any longer. */
  readonly flush: Effect.Effect<void>;
}

export function pendingEvents(write: (event: KubeObject) => Effect.Effect<unknown>): PendingEvents {
  const waiting = new Map<string, Waiting>();
  const came = Latch.makeUnsafe(false);
  const isMuch = Latch.makeUnsafe(false);

  const add = (resource: Resource, object: KubeObject, content: EventContent) => {
    const { type, reason, message, at } = content;
    const key = [object.metadata.uid, type, reason, message].join(' ');
    const like = waiting.get(key);
    const told = like && { ...like.content, count: (like.content.count ?? 1) + 1, lastAt: at };
    waiting.set(key, like && told ? { ...like, content: told } : { resource, object, content });
    const [oldest] = waiting.keys();
    if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest);
    if (waiting.size >= maxCollected) isMuch.openUnsafe();
    came.openUnsafe();
  };

  const flush = Effect.suspend(() => {
    came.closeUnsafe();
    isMuch.closeUnsafe();
    const all = [...waiting.values()];
    waiting.clear();
    return Effect.forEach(all, ({ resource, object, content }) => write(kubeEvent(resource, object, content)), {
      discard: true,
    });
  });

  return {
    add,
    flush,
    work: Effect.forever(
      came.await.pipe(
        // A pass adds the moves that it made one after the other.
        Effect.andThen(Effect.yieldNow),
        Effect.andThen(flush),
        Effect.andThen(Effect.raceFirst(Effect.sleep(collectedForMs), isMuch.await)),
      ),
    ),
  };
}
