/** Caches bytes by name up to a total size; concurrent requests for one name share one computation. */
export function makeByteCache(maxBytes: number): (name: string, make: () => Promise<Buffer>) => Promise<Buffer> {
  const kept = new Map<string, Buffer>();
  const underWay = new Map<string, Promise<Buffer>>();
  let size = 0;
  const keep = (name: string, bytes: Buffer) => {
    kept.set(name, bytes);
    size += bytes.length;
    for (const [oldest, { length }] of kept) {
      if (size <= maxBytes) return;
      kept.delete(oldest);
      size -= length;
    }
  };
  const making = async (name: string, make: () => Promise<Buffer>) => {
    try {
      const bytes = await make();
      keep(name, bytes);
      return bytes;
    } finally {
      underWay.delete(name);
    }
  };
  return async (name, make) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const pending = underWay.get(name) ?? making(name, make);
    underWay.set(name, pending);
    return pending;
  };
}
