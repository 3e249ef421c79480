import { isObject } from '../json.ts';

/**
 * Removes fields with an empty list or map, at any depth, because some controllers treat an empty and an absent value
 * differently, and replace workloads. Items of lists stay, and so do fields with `meaningful` names.
 */
export function withoutEmpty(value: unknown, meaningful: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, meaningful));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, before]) => {
      const after = withoutEmpty(before, meaningful);
      return isEmpty(after) && !meaningful.includes(name) ? [] : [[name, after]];
    }),
  );
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
