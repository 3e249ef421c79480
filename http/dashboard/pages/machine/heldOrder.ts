interface Named {
  readonly name: string;
}

/** Keeps rows where they are while they are held: known ones stay in place, new ones come last. */
export function heldOrder(): <T extends Named>(sorted: readonly T[], held: boolean) => readonly T[] {
  let before: readonly string[] = [];
  return <T extends Named>(sorted: readonly T[], held: boolean) => {
    let rows = sorted;
    if (held && before.length > 0) {
      const byName = new Map(sorted.map((item) => [item.name, item]));
      const kept = before.flatMap((name) => byName.get(name) ?? []);
      const known = new Set(before);
      rows = [...kept, ...sorted.filter(({ name }) => !known.has(name))];
    }
    before = rows.map(({ name }) => name);
    return rows;
  };
}
