/** Characters of text that a tool answers with at most. */
export const maxText = 48_000;

/** The characters of a value as text. */
export const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** The first items of a list that fit; one in any case. What is left out is not even measured. */
export function firstItems<T>(items: readonly T[], size: number): readonly T[] {
  let left = size;
  const end = items.findIndex((item, index) => (left -= sizeOf(item) + 1) < 0 && index > 0);
  return end === -1 ? items : items.slice(0, end);
}

/** The last items of a list that fit; one in any case. */
export const lastItems = <T>(items: readonly T[], size: number): readonly T[] => {
  const last = firstItems(items.toReversed(), size);
  return last.length === items.length ? items : last.toReversed();
};
