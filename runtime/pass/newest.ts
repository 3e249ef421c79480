/** A set of texts of which only the newest are kept. */
export interface Newest {
  readonly add: (text: string) => void;
  readonly has: (text: string) => boolean;
}

export function newest(most: number): Newest {
  const kept = new Set<string>();
  return {
    add: (text) => {
      kept.add(text);
      const [oldest] = kept;
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    },
    has: (text) => kept.has(text),
  };
}
