import { randomUUID } from 'node:crypto';
import type { Place, Stored } from '../../store.ts';
import { type Json, isJson, listAt, same, textAt } from '../json.ts';
import { assembled } from './assembled.ts';

/** The current time as Kubernetes writes it: to the second. */
export const timestamp = (ms = Date.now()) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** What was asked to be created, with the metadata that only the store gives; a uid given is kept. */
export function born(place: Place, object: Json, revision: number): Stored {
  const given = isJson(object['metadata']) ? object['metadata'] : {};
  const metadata = assembled({ ...given, deletionTimestamp: undefined }, nameOf(place), {
    uid: textAt(given, 'uid') || randomUUID(),
    resourceVersion: String(revision),
    generation: 'spec' in object ? 1 : undefined,
    creationTimestamp: timestamp(),
  });
  return whole(object, metadata);
}

/** The next version of an object: what names it stays, the generation follows the spec. */
export function changed(old: Stored, next: Stored, revision: number): Stored {
  const { generation, uid, creationTimestamp, name, namespace, deletionTimestamp } = old.metadata;
  const deleting = deletionTimestamp ?? next.metadata.deletionTimestamp;
  const bump = !same(old.spec, next.spec) || (deleting !== undefined && deletionTimestamp === undefined);
  const metadata = assembled(next.metadata, {
    name,
    namespace,
    uid,
    resourceVersion: String(revision),
    generation: generation === undefined ? undefined : generation + (bump ? 1 : 0),
    creationTimestamp,
    deletionTimestamp: deleting,
  });
  return whole(next, metadata);
}

/** A deleted object as it is told: as it was stored last, in the version of its deletion. */
export const ended = (last: Stored, revision: number): Stored => ({
  ...last,
  metadata: { ...last.metadata, resourceVersion: String(revision) },
});

/** Whether somebody still has something to do before the object may go. */
export const isHeld = (object: Stored) =>
  (object.metadata.finalizers ?? []).length > 0 ||
  (object.kind === 'Namespace' && listAt(object, 'spec', 'finalizers').length > 0);

const nameOf = ({ name, namespace }: Place) => ({ name, namespace: namespace === '' ? undefined : namespace });

/** What kind it is and its metadata first, then the rest. */
function whole(object: Json, metadata: object): Stored {
  const head = { apiVersion: textAt(object, 'apiVersion'), kind: textAt(object, 'kind'), metadata };
  return assembled(head, object, head) as Stored;
}
