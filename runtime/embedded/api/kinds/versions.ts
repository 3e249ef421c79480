import type { Stored } from '../../store.ts';
import { type Json, jsonAt, without } from '../json.ts';
import { pruned } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { autoscalerV1, autoscalerV2 } from './autoscalerVersions.ts';
import { builtIn } from './builtIn.ts';
import { checkConvertible } from './conversion.ts';
import { type ResourceType, groupVersion } from './type.ts';

const shown = new WeakMap<Stored, { readonly type: ResourceType; readonly object: Stored }>();

/** A stored object as the version asked for shows it; refused where only a webhook could convert it. */
export function fromStored(type: ResourceType, object: Stored): Stored {
  const apiVersion = groupVersion(type);
  if (object.apiVersion === apiVersion) return object;
  const known = shown.get(object);
  if (known?.type === type) return known.object;
  const made = type.custom
    ? (converted(type, object, type.custom) as Stored)
    : (converterOf(type)?.shown(object) ?? { ...object, apiVersion });
  shown.set(object, { type, object: made });
  return made;
}

/** An object of a declared kind as it is shown, in the version in which such objects are stored; any other as it is. */
export function inStorage<O extends Json>(type: ResourceType, object: O): O {
  const { storage } = type.custom ?? {};
  if (storage === undefined || object['apiVersion'] === groupVersion(storage)) return object;
  return converted({ ...type, version: storage.version }, object, storage) as O;
}

/** What another version does not know is lost on the way to it. */
function converted(type: ResourceType, object: Json, { schema }: { readonly schema: Schema }): unknown {
  checkConvertible(type, object);
  return pruned(schema, { ...object, apiVersion: groupVersion(type) }, '', () => {});
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
