import { isJson } from '../json.ts';
import type { Schema } from './schema.ts';

/** Items whose keys begin alike, by their next key. */
interface Keyed {
  item?: unknown;
  below?: Map<unknown, Keyed>;
}

/** What finds the old value of an item by its keys: only the items of a list map can be correlated with theirs. */
export function oldItemOf(schema: Schema, old: unknown): (item: unknown) => unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !Array.isArray(old)) return () => undefined;
  let items: Keyed | null = null;
  return (item) => {
    if (!isJson(item)) return undefined;
    items ??= keyed(keys, old);
    let found: Keyed | undefined = items;
    for (const key of keys) found = found?.below?.get(item[key]);
    return found?.item;
  };
}

/** Read once for a whole list: where items share their keys, the first counts. */
function keyed(keys: readonly string[], old: readonly unknown[]): Keyed {
  const items: Keyed = {};
  for (const one of old) {
    if (!isJson(one)) continue;
    let at = items;
    for (const key of keys) {
      at.below ??= new Map();
      const next = at.below.get(one[key]) ?? {};
      at.below.set(one[key], next);
      at = next;
    }
    at.item ??= one;
  }
  return items;
}
