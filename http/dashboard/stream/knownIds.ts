/** Remembers the newest ids, for a resumed stream tells again what was already told. */
export function knownIds(limit: number): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => {
    if (known.has(id)) return false;
    known.add(id);
    const [oldest] = known;
    if (known.size > limit && oldest !== undefined) known.delete(oldest);
    return true;
  };
}
