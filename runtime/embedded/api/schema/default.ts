import { type Json, isJson } from '../json.ts';
import type { Schema } from './schema.ts';

/** The value with the defaults of its schema where nothing was given; a null that may not be is nothing. */
export function withDefaults(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => withDefaults(items, item)) : value;
  }
  return isJson(value) ? filledObject(schema, value) : value;
}

function filledObject({ properties = {}, additionalProperties }: Schema, value: Json): Json {
  const ofMap = typeof additionalProperties === 'object' ? additionalProperties : null;
  const filled: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const below = properties[name] ?? ofMap;
    if (below && isReplaced(below, inner)) continue;
    filled[name] = below ? withDefaults(below, inner) : inner;
  }
  for (const [name, below] of Object.entries(properties))
    if (filled[name] === undefined && below.default !== undefined) filled[name] = withDefaults(below, below.default);
  return filled;
}

const isReplaced = (schema: Schema, value: unknown) => value === null && schema.nullable !== true;
