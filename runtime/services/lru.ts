/** A map that evicts the least recently used entries once it holds more than `capacity`. */
export interface Lru<V> {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, value: V) => void;
}

export function lru<V extends object>(capacity: number): Lru<V> {
  const entries = new Map<string, V>(); // In the order of their last use.
  const set = (key: string, value: V) => {
    entries.delete(key);
    entries.set(key, value);
    for (const oldest of entries.keys()) {
      if (entries.size <= capacity) break;
      entries.delete(oldest);
    }
  };
  return {
    set,
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
  };
}
