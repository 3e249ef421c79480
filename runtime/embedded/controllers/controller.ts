import type { Change, Store, Stored } from '../store.ts';
import type { Marks } from '../surroundings.ts';
import type { Clock } from '../nodes/clock.ts';
import type { Events } from '../nodes/events.ts';
import { type Pod, bucket, controllerOf } from '../nodes/shapes.ts';
import { shelves } from './shapes.ts';

/** What controllers work on. */
export interface World {
  readonly store: Store;
  readonly marks: Marks;
  readonly clock: Clock;
  readonly events: Events;
}

/** Brings objects of one kind to what they ask for. */
export interface Controller {
  readonly name: string;
  /** The keys of what to reconcile after a change. */
  readonly concerns: (change: Change) => readonly string[];
  /** Re-reads everything and acts; resolves to the time, in ms since the epoch, at which to reconcile again without a change. */
  readonly reconcile: (key: string) => Promise<number | null>;
}

/** The pods of a namespace. */
export const podsIn = (store: Store, namespace: string): readonly Pod[] =>
  store.list(bucket.pods, namespace) as readonly Pod[];

/** The key of the controller of an object, if it is of this kind. */
export function ownerKey(object: Stored, kind: string): readonly string[] {
  const owner = controllerOf(object);
  return owner?.kind === kind ? [`${object.metadata.namespace ?? ''}/${owner.name}`] : [];
}

/** Whether an object is still there and nobody asked for its end. */
export function stays(store: Store, where: string, { metadata }: Stored): boolean {
  const { namespace = '', name } = metadata;
  const found = store.get({ bucket: where, namespace, name })?.metadata;
  return found?.uid === metadata.uid && found.deletionTimestamp === undefined && acceptsNew(store, namespace);
}

/** Whether a namespace takes new objects. */
export const acceptsNew = (store: Store, namespace: string): boolean =>
  store.get({ bucket: shelves.namespaces, namespace: '', name: namespace })?.metadata.deletionTimestamp === undefined;
