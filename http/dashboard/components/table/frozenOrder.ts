/** Keeps the order of rows while the list is held: known rows keep their places, new ones go to the end. */
export function frozenOrder<T>(keyOf: (item: T) => string): (sorted: readonly T[], held: boolean) => readonly T[] {
  let before: readonly T[] = [];
  return (sorted, held) => {
    let rows = sorted;
    if (held && before.length > 0) {
      const byKey = new Map(sorted.map((item) => [keyOf(item), item]));
      const known = new Set(before.map(keyOf));
      const remaining = [...known].flatMap((key) => byKey.get(key) ?? []);
      rows = [...remaining, ...sorted.filter((item) => !known.has(keyOf(item)))];
    }
    before = rows;
    return rows;
  };
}
