/** Keeps the order of rows while the list is held: known rows keep their places, new ones go to the end. */
export function heldOrder<T>(keyOf: (item: T) => string): (sorted: readonly T[], held: boolean) => readonly T[] {
  let before: readonly string[] = [];
  return (sorted, held) => {
    let rows = sorted;
    if (held && before.length > 0) {
      const byKey = new Map(sorted.map((item) => [keyOf(item), item]));
      const kept = before.flatMap((key) => byKey.get(key) ?? []);
      const known = new Set(before);
      rows = [...kept, ...sorted.filter((item) => !known.has(keyOf(item)))];
    }
    before = rows.map(keyOf);
    return rows;
  };
}
