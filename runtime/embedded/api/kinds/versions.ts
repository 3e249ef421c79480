import type { Stored } from '../../store.ts';
import { type Json, jsonAt, without } from '../json.ts';
import { autoscalerV1, autoscalerV2 } from './autoscalerVersions.ts';
import { builtIn } from './builtIn.ts';
import { type ResourceType, groupVersion } from './type.ts';

const shown = new WeakMap<Stored, Stored>();

/** A stored object as the version asked for shows it. */
export function fromStored(type: ResourceType, object: Stored): Stored {
  const apiVersion = groupVersion(type);
  if (object.apiVersion === apiVersion) return object;
  const known = shown.get(object);
  if (known?.apiVersion === apiVersion) return known;
  const converted = converterOf(type)?.shown(object) ?? { ...object, apiVersion };
  shown.set(object, converted);
  return converted;
}

/** What a client sent in the version asked for, as it is stored. */
export const toStored = (type: ResourceType, object: Json): Json => converterOf(type)?.stored(object) ?? object;

/** The type whose objects are stored: that of another version, where one group serves two. */
export const storedTypeOf = (type: ResourceType): ResourceType =>
  isOldAutoscaler(type)
    ? (builtIn.find(({ bucket, version }) => bucket === type.bucket && version === 'v2') ?? type)
    : type;

const isOldAutoscaler = ({ group, version }: ResourceType) => group === 'autoscaling' && version === 'v1';

interface Converter {
  readonly shown: (object: Stored) => Stored;
  readonly stored: (object: Json) => Json;
}

function converterOf(type: ResourceType): Converter | null {
  if (type.group === 'events.k8s.io') return { shown: newEvent, stored: coreEvent };
  return isOldAutoscaler(type) ? { shown: autoscalerV1, stored: autoscalerV2 } : null;
}

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
