import { Effect, Latch } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { type EventContent, kubeEvent } from './kubeEvent.ts';

/** The most Kubernetes Events that may be pending; beyond that the oldest are dropped. */
const maxWaiting = 2_000;
/** After a write, Events are collected for this long, or until this many are pending. */
const collectedForMs = 1_000;
const maxCollected = 500;

interface Waiting {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly content: EventContent;
}

/** Pending Kubernetes Events. Equal ones about the same object are merged, with their count. */
export interface PendingEvents {
  readonly add: (resource: Resource, object: KubeObject, content: EventContent) => void;
  /** Writes the pending Events, now and whenever more are added. */
  readonly work: Effect.Effect<never>;
  /** Writes the pending Events without collecting. */
  readonly flush: Effect.Effect<void>;
}

export function pendingEvents(write: (event: KubeObject) => Effect.Effect<unknown>): PendingEvents {
  const waiting = new Map<string, Waiting>();
  const came = Latch.makeUnsafe(false);
  const isMuch = Latch.makeUnsafe(false);

  const add = (resource: Resource, object: KubeObject, content: EventContent) => {
    const { id, type, reason, message, at, isOnce } = content;
    const key = [object.metadata.uid, ...(isOnce ? [id] : [type, reason, message])].join(' ');
    const like = waiting.get(key);
    const told = like && !isOnce && { ...like.content, count: (like.content.count ?? 1) + 1, lastAt: at };
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
        // Yields, because a pass adds its moves one by one.
        Effect.andThen(Effect.yieldNow),
        Effect.andThen(flush),
        Effect.andThen(Effect.raceFirst(Effect.sleep(collectedForMs), isMuch.await)),
      ),
    ),
  };
}
