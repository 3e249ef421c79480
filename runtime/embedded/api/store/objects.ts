import { randomUUID } from 'node:crypto';
import type { Place, Stored } from '../../store.ts';
import { type Json, isJson, listAt, same, textAt } from '../json.ts';

/** The current time as Kubernetes writes it: to the second. */
export const timestamp = (ms = Date.now()) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** What was asked to be created, with the metadata that only the store gives; a uid given is kept. */
export function born(place: Place, object: Json, revision: number): Stored {
  const given = isJson(object['metadata']) ? object['metadata'] : {};
  const { deletionTimestamp: _, ...metadata } = given;
  return {
    ...head(object),
    metadata: {
      ...metadata,
      name: place.name,
      ...(place.namespace !== '' && { namespace: place.namespace }),
      uid: textAt(given, 'uid') || randomUUID(),
      resourceVersion: String(revision),
      ...('spec' in object && { generation: 1 }),
      creationTimestamp: timestamp(),
    },
    ...rest(object),
  };
}

/** The next version of an object: what names it stays, the generation follows the spec. */
export function changed(old: Stored, next: Stored, revision: number): Stored {
  const { generation, uid, creationTimestamp, name, namespace, deletionTimestamp } = old.metadata;
  const deleting = deletionTimestamp ?? next.metadata.deletionTimestamp;
  const bump = !same(old.spec, next.spec) || (deleting !== undefined && deletionTimestamp === undefined);
  return {
    ...head(next),
    metadata: {
      ...next.metadata,
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      resourceVersion: String(revision),
      ...(generation !== undefined && { generation: generation + (bump ? 1 : 0) }),
      creationTimestamp,
      ...(deleting !== undefined && { deletionTimestamp: deleting }),
    },
    ...rest(next),
  };
}

/** Whether somebody still has something to do before the object may go. */
export const isHeld = (object: Stored) =>
  (object.metadata.finalizers ?? []).length > 0 ||
  (object.kind === 'Namespace' && listAt(object, 'spec', 'finalizers').length > 0);

const head = (object: Json) => ({ apiVersion: textAt(object, 'apiVersion'), kind: textAt(object, 'kind') });

function rest(object: Json): Json {
  const { apiVersion: _, kind: __, metadata: ___, ...others } = object;
  return others;
}
