import type { Stored } from '../../store.ts';
import type { Call } from '../call.ts';
import { type Json, isJson, jsonAt, same, textAt, without } from '../json.ts';
import { builtInSchema } from '../schema/builtIn.ts';
import { withDefaults } from '../schema/default.ts';
import { pruned } from '../schema/prune.ts';
import { brokenRules } from '../schema/rules.ts';
import type { Schema } from '../schema/schema.ts';
import { faultsOf } from '../schema/validate.ts';
import { type Cause, badRequest, invalid, resourceOf } from '../status.ts';
import { builtInRules } from './builtInRules.ts';
import { metadataChangeFaults, metadataFaults } from './metadata.ts';
import { type ResourceType, groupVersion } from './type.ts';

/** A new object as it may be stored: status dropped, unknown fields pruned, defaults filled in, everything checked. */
export function prepareNew(call: Call, asked: Json): Json {
  const { type } = call;
  const hasStatus = type.subresources.includes('status') && !keepsGivenStatus.includes(type.kind);
  const object = filled(call, hasStatus ? without(asked, 'status') : asked);
  check(call, object, metadataFaults(type.kind, object), undefined);
  return object;
}

/** These report themselves: what they say of their state at birth counts. */
const keepsGivenStatus = ['Node'];

/** The next version of an object: a write of the status changes nothing else, any other write all but the status. */
export function prepareNext(call: Call, old: Stored, asked: Json): Stored {
  const { type, subresource } = call;
  const hasStatus = type.subresources.includes('status');
  const merged =
    subresource === 'status' ? withStatus(old, asked, asked) : hasStatus ? withStatus(asked, old, asked) : asked;
  const next = filled(call, { ...merged, apiVersion: old.apiVersion, kind: old.kind });
  const metadata = { ...without(jsonAt(next, 'metadata'), ...fixed), ...fixedMetadata(old) };
  const object = { ...next, metadata } as unknown as Stored;
  if (same(object, old)) return old;
  check(call, object, [...metadataFaults(type.kind, object), ...metadataChangeFaults(old, object)], old);
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
] as const;

function fixedMetadata({ metadata }: Stored): Json {
  const own: Json = { ...metadata };
  return Object.fromEntries(fixed.filter((name) => own[name] !== undefined).map((name) => [name, own[name]]));
}

/** One object with the status of another, and with the record of who applied what. */
function withStatus(object: Json, { status }: Json, asked: Json): Json {
  const managedFields = jsonAt(asked, 'metadata')['managedFields'];
  const metadata = { ...jsonAt(object, 'metadata'), ...(managedFields !== undefined && { managedFields }) };
  return { ...without(object, 'status'), metadata, ...(status !== undefined && { status }) };
}

function filled(call: Call, object: Json): Json {
  const { type } = call;
  const known = knownFields(call, object);
  const whole = type.custom
    ? withDefaults(type.custom.schema, known)
    : (builtInRules(type.kind)?.fill?.(known) ?? known);
  return isJson(whole) ? whole : {};
}

function knownFields(call: Call, object: Json): Json {
  const schema = schemaOf(call);
  if (!schema) return object;
  const unknown: string[] = [];
  const known = pruned(schema, object, '', (path) => unknown.push(path));
  tellUnknown(call, unknown);
  return isJson(known) ? known : {};
}

const schemaOf = ({ type }: Pick<Call, 'type'>) =>
  type.custom?.schema ?? builtInSchema(resourceOf(type.bucket).group, type.kind);

function tellUnknown({ query, type, warn }: Call, unknown: readonly string[]): void {
  const mode = query.get('fieldValidation') ?? 'Warn';
  if (!['Strict', 'Warn', 'Ignore'].includes(mode))
    throw badRequest(
      `fieldValidation: Unsupported value: ${JSON.stringify(mode)}: supported values: "Ignore", "Strict", "Warn"`,
    );
  const texts = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (mode === 'Warn') texts.forEach(warn);
  if (mode === 'Strict' && texts.length > 0)
    throw badRequest(
      `${type.kind} in version ${JSON.stringify(groupVersion(type).split('/').at(-1))} cannot be handled as a ${type.kind}: strict decoding error: ${texts.join(', ')}`,
    );
}

function check({ type }: Call, object: Json, metadata: readonly Cause[], old: Stored | undefined): void {
  const causes = [...metadata, ...(type.custom ? custom(type.custom.schema, object, old) : builtIn(type, object, old))];
  if (causes.length > 0) throw invalid(type.group, type.kind, textAt(object, 'metadata', 'name'), causes);
}

function builtIn(type: ResourceType, object: Json, old: Stored | undefined): readonly Cause[] {
  const schema = schemaOf({ type });
  const faults = schema ? faultsOf(schema, object, '') : [];
  return faults.length > 0 ? faults : (builtInRules(type.kind)?.faults?.(object, old) ?? []);
}

/** Rules in CEL are evaluated only over values of the right shape. */
function custom(schema: Schema, object: Json, old: Stored | undefined): readonly Cause[] {
  const faults = faultsOf(schema, object, '');
  return faults.length > 0 ? faults : brokenRules(schema, object, old, '');
}
