import { isJson } from '../json.ts';
import type { Schema } from './schema.ts';

/** The value with the defaults of its schema where nothing, or a null that may not be, was given. */
export function withDefaults(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => withDefaults(items, item)) : value;
  }
  if (!isJson(value)) return value;
  const { properties = {}, additionalProperties } = schema;
  const filled: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const below = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : null);
    if (inner === null && below && !below.nullable && below.default !== undefined) continue;
    filled[name] = below ? withDefaults(below, inner) : inner;
  }
  for (const [name, below] of Object.entries(properties))
    if (filled[name] === undefined && below.default !== undefined) filled[name] = withDefaults(below, below.default);
  return filled;
}
