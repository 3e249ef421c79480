/** Remembers the newest ids, because a resumed stream repeats events. */
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
