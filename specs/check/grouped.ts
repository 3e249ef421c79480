/** Items grouped by a key, in the order in which each key first occurs. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/** Names or places without duplicates. */
export const once = (names: readonly string[]): readonly string[] => [...new Set(names)];
