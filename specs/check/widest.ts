/** A field of a world, and its number of different values. */
export interface Wide {
  readonly field: string;
  readonly values: number;
}

/** The field with the most different values in some worlds: the one to bound if a search was cut off. */
export function widestOf(worlds: readonly unknown[]): Wide | null {
  const values = new Map<string, Set<string>>();
  for (const world of worlds) {
    if (typeof world !== 'object' || world === null) continue;
    for (const [field, value] of Object.entries(world)) {
      const seen = values.get(field) ?? new Set<string>();
      values.set(field, seen.add(JSON.stringify(value) ?? ''));
    }
  }
  const [widest] = [...values].toSorted(([, a], [, b]) => b.size - a.size);
  return widest ? { field: widest[0], values: widest[1].size } : null;
}
