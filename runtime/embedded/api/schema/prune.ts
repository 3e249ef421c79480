import { isJson, mapped, mappedItems } from '../json.ts';
import { type Schema, keepsUnknown } from './schema.ts';

const ofEveryObject = ['apiVersion', 'kind', 'metadata'];

/** The value without the fields that its schema does not know; their paths are returned. */
export function pruned(schema: Schema, value: unknown, path: string, unknown: (path: string) => void): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? mappedItems(value, (item, index) => pruned(items, item, `${path}[${index}]`, unknown)) : value;
  }
  if (!isJson(value)) return value;
  const { properties, additionalProperties } = schema;
  const isWhole = path === '' || schema['x-kubernetes-embedded-resource'] === true;
  return mapped(value, (inner, name) => {
    if (isWhole && ofEveryObject.includes(name)) return inner;
    const below = properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (below) return pruned(below, inner, innerPath, unknown);
    if (keepsUnknown(schema) || additionalProperties === true) return inner;
    unknown(innerPath);
    return undefined;
  });
}
