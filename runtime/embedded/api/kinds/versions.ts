import type { Stored } from '../../store.ts';
import { type Json, jsonAt, without } from '../json.ts';
import { type ResourceType, groupVersion } from './type.ts';

const shown = new WeakMap<Stored, Stored>();

/** A stored object as the version asked for shows it. */
export function fromStored(type: ResourceType, object: Stored): Stored {
  const apiVersion = groupVersion(type);
  if (object.apiVersion === apiVersion) return object;
  const known = shown.get(object);
  if (known?.apiVersion === apiVersion) return known;
  const converted = type.group === 'events.k8s.io' ? newEvent(object) : { ...object, apiVersion };
  shown.set(object, converted);
  return converted;
}

/** What a client sent in the version asked for, as it is stored. */
export const toStored = (type: ResourceType, object: Json): Json =>
  type.group === 'events.k8s.io' ? coreEvent(object) : object;

const eventFields = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['count', 'deprecatedCount'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['source', 'deprecatedSource'],
  ['reportingComponent', 'reportingController'],
] as const;

const newEvent = (object: Stored): Stored => ({
  ...rename(object, eventFields),
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: object.metadata,
});

function coreEvent(object: Json): Json {
  const turned = eventFields.map(([core, newer]) => [newer, core] as const);
  const event = rename(object, turned);
  return { ...event, involvedObject: jsonAt(event, 'involvedObject'), apiVersion: 'v1', kind: 'Event' };
}

function rename(object: Json, fields: readonly (readonly [string, string])[]): Json {
  const renamed = fields.filter(([from]) => object[from] !== undefined).map(([from, to]) => [to, object[from]]);
  return { ...without(object, ...fields.map(([from]) => from)), ...Object.fromEntries(renamed) };
}
