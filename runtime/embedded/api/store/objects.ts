import { randomUUID } from 'node:crypto';
import type { Place, Stored } from '../../store.ts';
import { isRunHere } from '../../runAnnotation.ts';
import { type Json, at, isJson, listAt, same, textAt } from '../json.ts';
import { assembled } from './assembled.ts';

/** The current time as Kubernetes writes it: to the second. */
export function timestamp(ms = Date.now()): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond)
    [lastSecond, lastText] = [second, `${new Date(second * 1000).toISOString().slice(0, -5)}Z`];
  return lastText;
}

/** Most are asked for in the same second as the one before. */
let [lastSecond, lastText] = [0, '1970-01-01T00:00:00Z'];

/** Kinds of Kubernetes with a spec whose changes nobody counts. */
export const uncounted: ReadonlySet<string> = new Set([
  'CSIDriver',
  'CSINode',
  'HorizontalPodAutoscaler',
  'Lease',
  'LimitRange',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ResourceQuota',
  'Service',
  'VolumeAttachment',
]);

/** What was asked to be created, with the metadata that only the store gives; a uid given is kept. */
export function born(place: Place, object: Json, revision: number): Stored {
  const given = isJson(object['metadata']) ? object['metadata'] : {};
  const metadata = assembled({ ...given, deletionTimestamp: undefined }, nameOf(place), {
    uid: textAt(given, 'uid') || randomUUID(),
    resourceVersion: String(revision),
    generation:
      ('spec' in object && !uncounted.has(textAt(object, 'kind'))) || given['generation'] === 1 ? 1 : undefined,
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
    generation:
      generation === undefined ? undefined : Math.max(generation + (bump ? 1 : 0), next.metadata.generation ?? 0),
    creationTimestamp,
    deletionTimestamp: deleting,
  });
  return whole(next, metadata);
}

/** A deleted object as watchers get it: its last stored state, at the version of its deletion. */
export const ended = (last: Stored, revision: number): Stored => ({
  ...last,
  metadata: { ...last.metadata, resourceVersion: String(revision) },
});

/** Whether somebody still has something to do before the object may go. */
export const isHeld = (object: Stored) =>
  (object.metadata.finalizers ?? []).length > 0 ||
  (object.kind === 'Namespace' && listAt(object, 'spec', 'finalizers').length > 0) ||
  (isRun(object) && graceOf(object) > 0);

const defaultGraceSeconds = 30;

/** A pod that a node runs: it goes when the node has stopped it. */
const isRun = (object: Stored) =>
  object.kind === 'Pod' &&
  isRunHere(object.metadata) &&
  !['Succeeded', 'Failed'].includes(textAt(object, 'status', 'phase'));

function graceOf(object: Stored): number {
  const seconds =
    at(object, 'metadata', 'deletionGracePeriodSeconds') ?? at(object, 'spec', 'terminationGracePeriodSeconds');
  return typeof seconds === 'number' ? seconds : defaultGraceSeconds;
}

/** Kinds whose end is a process of its own: nobody counts its seconds. */
const endsAtItsOwnPace = ['Namespace', 'CustomResourceDefinition'];

/** An object whose deletion is asked for; a pod that a node runs is given its time to end. */
export function ending(object: Stored, graceSeconds?: number): Stored {
  const seconds = isRun(object) ? (graceSeconds ?? graceOf(object)) : 0;
  const { deletionTimestamp = timestamp(Date.now() + seconds * 1000), ...metadata } = object.metadata;
  const grace = endsAtItsOwnPace.includes(object.kind) ? {} : { deletionGracePeriodSeconds: seconds };
  return { ...object, metadata: { ...metadata, deletionTimestamp, ...grace } };
}

const nameOf = ({ name, namespace }: Place) => ({ name, namespace: namespace === '' ? undefined : namespace });

/** What kind it is and its metadata first, then the rest. */
function whole(object: Json, metadata: object): Stored {
  const head = { apiVersion: textAt(object, 'apiVersion'), kind: textAt(object, 'kind'), metadata };
  return assembled(head, object, head) as Stored;
}
