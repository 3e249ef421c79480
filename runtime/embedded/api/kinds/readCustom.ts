import type { Call } from '../call.ts';
import { type Json, isJson, textAt } from '../json.ts';
import { metaV1 } from '../published/definition.ts';
import type { Mismatch } from '../published/mismatch.ts';
import { readAs } from '../published/read.ts';
import { pruned } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { type Source, reportStray, unknownField } from './readable.ts';
import { groupVersion } from './type.ts';

/** An object of a declared kind without what is unknown; refuses one whose metadata cannot be read. */
export function readCustom(call: Call, object: Json, source: Source, stray: readonly string[] = []): Json {
  const { metadata, unknown } = readMetadata(object['metadata'], source);
  const fields: string[] = unknown.map((path) => `metadata.${path}`);
  const schema = schemaOf(call, object);
  const known = schema ? pruned(schema, object, '', (path) => fields.push(path)) : object;
  reportStray(call, [...stray, ...fields.toSorted().map(unknownField)], source.refuse);
  return { ...(isJson(known) ? known : {}), ...(metadata && { metadata }) };
}

/** The schema of the version that an object says it has, empty for one there is not; null for one of another kind. */
function schemaOf({ type, registry }: Call, object: Json): Schema | null {
  const apiVersion = textAt(object, 'apiVersion');
  if (apiVersion === groupVersion(type)) return type.custom?.schema ?? {};
  const [group = '', version = ''] = apiVersion.split('/');
  if (group !== type.group || version === '' || textAt(object, 'kind') !== type.kind) return null;
  return registry.find(group, version, type.plural)?.custom?.schema ?? {};
}

interface Metadata {
  readonly metadata: Json | null;
  readonly unknown: readonly string[];
}

function readMetadata(value: unknown, { refuse, words }: Source): Metadata {
  if (value === undefined || value === null) return { metadata: null, unknown: [] };
  if (!isJson(value)) throw refuse(words({ is: 'mismatch', mismatch: notMetadata(value) }));
  const reading = readAs(`${metaV1}.ObjectMeta`, value);
  if (!reading) return { metadata: value, unknown: [] };
  if ('unreadable' in reading) throw refuse(words(reading.unreadable));
  return { metadata: reading.object, unknown: reading.unknown };
}

const notMetadata = (value: unknown): Mismatch => ({
  value,
  holder: 'ObjectMeta',
  path: [],
  goType: 'v1.ObjectMeta',
  wanted: 'object',
});
