interface Identified {
  readonly id: string;
}

/** Keeps rows where they are while they are held: known ones stay in place, new ones come last. */
export function heldOrder(): <T extends Identified>(sorted: readonly T[], held: boolean) => readonly T[] {
  let before: readonly string[] = [];
  return <T extends Identified>(sorted: readonly T[], held: boolean) => {
    let rows = sorted;
    if (held && before.length > 0) {
      const byId = new Map(sorted.map((item) => [item.id, item]));
      const kept = before.flatMap((id) => byId.get(id) ?? []);
      const known = new Set(before);
      rows = [...kept, ...sorted.filter(({ id }) => !known.has(id))];
    }
    before = rows.map(({ id }) => id);
    return rows;
  };
}
