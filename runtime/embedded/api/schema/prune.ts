import { isJson } from '../json.ts';
import { type Schema, keepsUnknown } from './schema.ts';

const ofEveryObject = ['apiVersion', 'kind', 'metadata'];

/** The value without the fields that its schema does not know; their paths are told. */
export function pruned(schema: Schema, value: unknown, path: string, unknown: (path: string) => void): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, index) => pruned(items, item, `${path}[${index}]`, unknown)) : value;
  }
  if (!isJson(value)) return value;
  const { properties, additionalProperties } = schema;
  const isWhole = path === '' || schema['x-kubernetes-embedded-resource'] === true;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const below = properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (isWhole && ofEveryObject.includes(name)) kept[name] = inner;
    else if (below) kept[name] = pruned(below, inner, innerPath, unknown);
    else if (keepsUnknown(schema) || additionalProperties === true) kept[name] = inner;
    else unknown(innerPath);
  }
  return kept;
}
