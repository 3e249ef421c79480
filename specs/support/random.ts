const golden = 0x9e3779b9;

/** Numbers from 0 up to, not with, 1: the same ones for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + golden) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** The items in a drawn order. */
export const shuffled = <T>(items: readonly T[], next: () => number): readonly T[] =>
  items
    .map((one) => ({ one, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
