import type { Stored } from '../../store.ts';
import type { Call } from '../call.ts';
import { type Json, at, isJson, jsonAt, same, textAt, without } from '../json.ts';
import { publishedFaults } from '../published/faults.ts';
import { withDefaults } from '../schema/default.ts';
import { pruned } from '../schema/prune.ts';
import { type Cause, invalid } from '../status.ts';
import { builtInRules } from './builtInRules.ts';
import { checkKind } from './identity.ts';
import { customFaults } from './customFaults.ts';
import { assembled } from '../store/assembled.ts';
import { formatWarnings } from './declared/formats.ts';
import { firstGeneration, nextGeneration } from './generation.ts';
import { finalizerWarnings, metadataChangeFaults, metadataFaults, strangeFinalizers } from './metadata.ts';
import { withLeastStatus } from './leastStatus.ts';
import { inBody, publishedName, readBuiltIn, reportUnknown } from './readable.ts';
import type { ResourceType } from './type.ts';

/** A new object as it may be stored: status dropped, unknown fields pruned, defaults filled in, everything checked. */
export function prepareNew(call: Call, asked: Json): Json {
  const { type } = call;
  checkKind(type, asked);
  const hasStatus = type.subresources.includes('status') && !keepsGivenStatus.includes(type.kind);
  const filledIn = filled(call, hasStatus ? without(asked, 'status') : asked);
  const generation = firstGeneration(type, filledIn);
  const metadata = assembled(without(jsonAt(filledIn, 'metadata'), 'generation'), { generation });
  const object = assembled(filledIn, { metadata });
  check(call, object, metadataFaults(type.kind, object, true), undefined);
  return object;
}

/** These report themselves: what they say of their state at birth counts. */
const keepsGivenStatus = ['Node'];

/** The next version of an object: a write of the status changes nothing else, any other write all but the status. */
export function prepareNext(call: Call, old: Stored, asked: Json): Stored {
  const { type, subresource } = call;
  const hasStatus = type.subresources.includes('status');
  const merged =
    subresource === 'ephemeralcontainers'
      ? withEphemeral(old, asked)
      : subresource === 'status'
        ? withStatus(old, asked, asked)
        : hasStatus
          ? withStatus(asked, old, asked)
          : asked;
  const changed = (type.custom ? undefined : builtInRules(type.kind)?.change)?.(merged, old) ?? merged;
  const isSameKind = merged['apiVersion'] === old.apiVersion && merged['kind'] === old.kind;
  const next = filled(call, isSameKind ? changed : { ...changed, apiVersion: old.apiVersion, kind: old.kind });
  const metadata = nextMetadata(old, jsonAt(next, 'metadata'), nextGeneration(type, old, next));
  const object = (metadata === next['metadata'] ? next : assembled(next, { metadata })) as unknown as Stored;
  if (same(object, old)) return old;
  check(call, object, [...metadataFaults(type.kind, object, false), ...metadataChangeFaults(old, object, type)], old);
  return object;
}

/** Metadata that no client may change. */
const fixed = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const;

function nextMetadata(old: Stored, given: Json, generation: number | undefined): Json {
  const own = (name: string) => (name === 'generation' ? generation : at(old.metadata, name));
  if (fixed.every((name) => given[name] === own(name))) return given;
  const kept: Record<string, unknown> = {};
  for (const name of fixed) kept[name] = own(name);
  return assembled(without(given, ...fixed), kept);
}

/** One object with the status of another, and with the record of who applied what. */
function withStatus(object: Json, { status }: Json, asked: Json): Json {
  const given = jsonAt(object, 'metadata');
  const { managedFields } = jsonAt(asked, 'metadata');
  const isSameRecord = managedFields === undefined || managedFields === given['managedFields'];
  const metadata = isSameRecord ? given : assembled(given, { managedFields });
  if (metadata === object['metadata'] && status === object['status']) return object;
  return assembled(without(object, 'status'), { metadata, status });
}

/** A pod with other ephemeral containers, and nothing else changed. */
function withEphemeral(pod: Stored, asked: Json): Json {
  const { ephemeralContainers } = jsonAt(asked, 'spec');
  const spec = without(jsonAt(pod, 'spec'), 'ephemeralContainers');
  return { ...pod, spec: { ...spec, ...(ephemeralContainers !== undefined && { ephemeralContainers }) } };
}

const omitted = ['labels', 'annotations', 'finalizers', 'ownerReferences'];
const isEmpty = (value: unknown) =>
  value === null || (Array.isArray(value) && value.length === 0) || (isJson(value) && Object.keys(value).length === 0);

/** Metadata that holds nothing is left out. */
function withoutEmpty(object: Json): Json {
  const metadata = jsonAt(object, 'metadata');
  const empty = omitted.filter((name) => name in metadata && isEmpty(metadata[name]));
  return empty.length === 0 ? object : { ...object, metadata: without(metadata, ...empty) };
}

function filled(call: Call, object: Json): Json {
  const { type } = call;
  const known = withoutEmpty(knownFields(call, object));
  const whole = type.custom
    ? withDefaults(type.custom.schema, known)
    : withLeastStatus(type.kind, builtInRules(type.kind)?.fill?.(known) ?? known);
  return isJson(whole) ? whole : {};
}

function knownFields(call: Call, object: Json): Json {
  const { type } = call;
  if (!type.custom) return readBuiltIn(call, object, inBody(type));
  const unknown: string[] = [];
  const known = pruned(type.custom.schema, object, '', (path) => unknown.push(path));
  reportUnknown(call, unknown.toSorted(), inBody(type).refuse);
  return isJson(known) ? known : {};
}

function check({ type, warn }: Call, object: Json, metadata: readonly Cause[], old: Stored | undefined): void {
  const causes = type.custom
    ? customFaults(type.custom, object, old, { metadata, warn })
    : [...metadata, ...builtIn(type, object, old)];
  if (causes.length > 0) throw invalid(type.group, type.kind, textAt(object, 'metadata', 'name'), causes);
  if (type.custom) finalizerWarnings(object, old).forEach(warn);
  if (type.kind === 'CustomResourceDefinition') formatWarnings(object, old).forEach(warn);
}

function builtIn(type: ResourceType, object: Json, old: Stored | undefined): readonly Cause[] {
  // A definition says itself of every part what it needs.
  const named = old === undefined ? strangeFinalizers(type.group, object) : [];
  const faults = type.kind === 'CustomResourceDefinition' ? [] : publishedFaults(publishedName(type), object);
  const own = builtInRules(type.kind)?.faults?.(object, old) ?? [];
  const all = [...named, ...besides(own, faults), ...own];
  return all.length > 0 && old !== undefined && keepsSpec(type, object, old) ? all.filter(isOutsideSpec) : all;
}

/** A spec that was stored is not judged again where it stays as it is, so that older ones can still be written. */
const keepsSpec = (type: ResourceType, object: Json, old: Stored) =>
  same(object['spec'], (builtInRules(type.kind)?.fill?.({ ...old }) ?? { ...old })['spec']);

const isOutsideSpec = ({ field }: Cause) => !/^spec\b/.test(field);

/** The faults of fields that have no other fault. */
function besides(others: readonly Cause[], faults: readonly Cause[]): readonly Cause[] {
  if (faults.length === 0) return faults;
  const told = new Set(others.map(({ field }) => field));
  return faults.filter(({ field }) => !told.has(field));
}
