import { isJson } from '../json.ts';
import type { Schema } from './schema.ts';

/** Only the items of a list map can be correlated with their old values. */
export function oldItem(schema: Schema, item: unknown, old: unknown): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !Array.isArray(old) || !isJson(item)) return undefined;
  return (old as readonly unknown[]).find((one) => isJson(one) && keys.every((key) => one[key] === item[key]));
}
