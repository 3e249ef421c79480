import { type Json, at, isJson } from '../json.ts';
import type { Cause } from '../status.ts';
import { duplicate, invalidValue } from './cause.ts';
import type { Schema } from './schema.ts';

const withTypes = new WeakMap<Schema, boolean>();

/** Whether a schema, or any inside it, has a list whose items must be unique. */
function hasListTypes(schema: Schema): boolean {
  const known = withTypes.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, additionalProperties, items } = schema;
  const inner = [...Object.values(properties), additionalProperties, items];
  const own = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? '');
  const found = own || inner.some((one) => typeof one === 'object' && hasListTypes(one));
  withTypes.set(schema, found);
  return found;
}

/** What lists hold more than once although their type says that they do not. */
export function repeated(schema: Schema, value: unknown, path: string): readonly Cause[] {
  if (!hasListTypes(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    const inner = items ? value.flatMap((item, index) => repeated(items, item, `${path}[${index}]`)) : [];
    return [...ofList(schema, value, path), ...inner];
  }
  if (!isJson(value)) return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = properties?.[name];
    if (known) return repeated(known, inner, path === '' ? name : `${path}.${name}`);
    return typeof additionalProperties === 'object' ? repeated(additionalProperties, inner, `${path}[${name}]`) : [];
  });
}

function ofList(schema: Schema, value: readonly unknown[], path: string): readonly Cause[] {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return twice(value, (item) => item, path);
  if (type !== 'map') return [];
  const strange = value.findIndex((item) => item !== null && !isJson(item));
  if (strange >= 0)
    return [invalidValue(`${path}[${strange}]`, value[strange], 'must be an object for an array of list-type map')];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return twice(value, (item) => keyOf(keys, item), path);
}

const keyOf = (keys: readonly string[], item: unknown): Json =>
  Object.fromEntries(keys.filter((key) => at(item, key) !== undefined).map((key) => [key, at(item, key)]));

/** A third duplicate is not reported again. */
function twice(value: readonly unknown[], identity: (item: unknown) => unknown, path: string): readonly Cause[] {
  const seen = new Map<string, number>();
  return value.flatMap((item, index) => {
    const own = identity(item);
    const text = JSON.stringify(own);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return times === 2 ? [duplicate(`${path}[${index}]`, own)] : [];
  });
}
