import { type Json, at, isJson } from '../json.ts';
import type { ResourceType } from '../kinds/type.ts';
import type { Schema } from '../schema/schema.ts';
import { mergeKeyOf } from './strategic.ts';

/** Which fields somebody set, in the form of `managedFields[].fieldsV1`. */
export type FieldSet = Json;

/** How the items of a list are told apart: by keys, by value, or not at all. */
type ListKind = { readonly by: 'keys'; readonly keys: readonly string[] } | { readonly by: 'value' | 'nothing' };

/** The schema of a custom kind where there is one; built-in kinds are known by the names of their lists. */
export const rootSchema = ({ custom }: ResourceType): Schema | null => custom?.schema ?? null;

export function schemaBelow(schema: Schema | null | undefined, field: string): Schema | null {
  const found = schema?.properties?.[field] ?? schema?.additionalProperties;
  return typeof found === 'object' ? found : null;
}

export function listKind(schema: Schema | null, field: string, items: readonly unknown[]): ListKind {
  if (field === 'finalizers') return { by: 'value' };
  if (schema) {
    const type = schema['x-kubernetes-list-type'];
    if (type === 'map') return { by: 'keys', keys: schema['x-kubernetes-list-map-keys'] ?? [] };
    return { by: type === 'set' ? 'value' : 'nothing' };
  }
  const key = mergeKeyOf(field, items);
  return key === undefined ? { by: 'nothing' } : { by: 'keys', keys: [key] };
}

/** The name of an item of a list in a field set. */
export const itemName = (kind: ListKind, item: unknown) =>
  kind.by === 'keys'
    ? `k:${JSON.stringify(Object.fromEntries(kind.keys.map((key) => [key, at(item, key)])))}`
    : `v:${JSON.stringify(item)}`;

/** The set of all fields of a value. */
export function fieldsOf(value: unknown, schema: Schema | null, field = ''): FieldSet {
  if (isJson(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [`f:${name}`, fieldsOf(inner, schemaBelow(schema, name), name)]),
    );
  if (!Array.isArray(value)) return {};
  const kind = listKind(schema, field, value);
  if (kind.by === 'nothing') return {};
  return Object.fromEntries(
    value.map((item) => [itemName(kind, item), { '.': {}, ...fieldsOf(item, schema?.items ?? null) }]),
  );
}

/** The members of a value that a field set can name. */
export function members(value: unknown, schema: Schema | null, field: string): ReadonlyMap<string, unknown> {
  if (isJson(value)) return new Map(Object.entries(value).map(([name, inner]) => [`f:${name}`, inner]));
  if (!Array.isArray(value)) return new Map();
  const kind = listKind(schema, field, value);
  return kind.by === 'nothing' ? new Map() : new Map(value.map((item) => [itemName(kind, item), item]));
}
