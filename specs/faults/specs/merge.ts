import { canonicalJson } from '../../../rules/canonical.ts';
import { isObject } from '../../../rules/json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The JSON merge patch that turns the first value into the second. */
export function mergeFrom(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const gone = Object.keys(from).filter((name) => to[name] === undefined);
  const changed = Object.entries(to).filter(
    ([name, value]) => canonicalJson(from[name] ?? null) !== canonicalJson(value ?? null),
  );
  return Object.fromEntries([
    ...gone.map((name) => [name, null]),
    ...changed.map(([name, value]) => [name, mergeFrom(from[name], value)]),
  ]);
}

/** Where the stored value lacks or changes something of the written one; additional defaults are allowed. */
export function lost(written: unknown, stored: unknown, path = 'spec'): readonly string[] {
  if (Array.isArray(written) && Array.isArray(stored) && written.length === stored.length)
    return written.flatMap((item, index) => lost(item, stored[index], `${path}[${index}]`));
  if (isObject(written) && isObject(stored))
    return Object.entries(written).flatMap(([name, value]) => lost(value, stored[name], `${path}.${name}`));
  return canonicalJson(written ?? null) === canonicalJson(stored ?? null) ? [] : [`${path} is not as it was written`];
}
