interface Identified {
  readonly id: string;
}

/** Keeps the order of rows while the list is held: known rows keep their places, new ones go to the end. */
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
