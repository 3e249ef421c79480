import { isSameJson } from '../../rules/sameJson.ts';
import type { Fields } from '../contract/lifecycle.ts';
import { isObject } from '../../rules/json.ts';

/** Reads an own property, else null: a variable may have the name of an inherited one. */
const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? (fields[name] ?? null) : null);

/** Computes the JSON merge patch between two objects; a removed key becomes null, else it would stay. */
export function mergePatchOf(before: Fields, after: Fields): Fields {
  if (before === after) return {};
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !isSameJson(own(before, name), own(after, name)));
  return Object.fromEntries(
    changed.map((name) => {
      const [old, value] = [own(before, name), own(after, name)];
      return [name, isObject(old) && isObject(value) ? mergePatchOf(old, value) : value];
    }),
  );
}

/** Applies a JSON merge patch (RFC 7396): null removes a key, maps are merged, everything else is replaced. */
export function merged<O extends object>(before: O, patch: Fields): O {
  // Not by assignment, because a variable may be named `__proto__`.
  const after = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(patch)) {
    const old = after.get(name);
    if (value === null) after.delete(name);
    else after.set(name, isObject(value) ? merged(isObject(old) ? old : {}, value) : value);
  }
  return Object.fromEntries(after) as O;
}

export const isEmpty = (patch: Fields): boolean => Object.keys(patch).length === 0;
