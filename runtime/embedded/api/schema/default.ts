import { type Json, isJson, mapped, mappedItems } from '../json.ts';
import type { Schema } from './schema.ts';

/** The value with the defaults of its schema where nothing was given; a null that may not be is nothing. */
export function withDefaults(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? mappedItems(value, (item) => withDefaults(items, item)) : value;
  }
  return isJson(value) ? filledObject(schema, value) : value;
}

function filledObject(schema: Schema, value: Json): Json {
  const { properties, additionalProperties } = schema;
  const ofMap = typeof additionalProperties === 'object' ? additionalProperties : null;
  const kept = mapped(value, (inner, name) => {
    const below = properties?.[name] ?? ofMap;
    if (!below) return inner;
    return isReplaced(below, inner) ? undefined : withDefaults(below, inner);
  });
  const missing = defaulted(schema).filter(([name]) => kept[name] === undefined);
  if (missing.length === 0) return kept;
  return { ...kept, ...Object.fromEntries(missing.map(([name, below]) => [name, withDefaults(below, below.default)])) };
}

type Property = readonly [name: string, schema: Schema];
const known = new WeakMap<Schema, readonly Property[]>();

/** The properties that have a default, looked for once. */
function defaulted(schema: Schema): readonly Property[] {
  const found =
    known.get(schema) ?? Object.entries(schema.properties ?? {}).filter(([, below]) => below.default !== undefined);
  known.set(schema, found);
  return found;
}

const isReplaced = (schema: Schema, value: unknown) => value === null && schema.nullable !== true;
