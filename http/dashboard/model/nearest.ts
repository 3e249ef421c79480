/** The number of letters to change, add, leave out, or swap with the next one, to make one word of another. */
export function distance(one: string, other: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

/** Something that can be opened, by its names. */
export interface Named {
  readonly label: string;
  readonly to: string;
  /** Where it is, if several may have its name. */
  readonly place?: string;
  /** Further names of it. */
  readonly also?: readonly string[];
}

const maxShown = 5;
const shortest = 3;

/** How far a name is from one that was asked for; infinite where they have nothing in common. */
function distanceOf(asked: string, name: string): number {
  const [a, b] = [asked.toLowerCase(), name.toLowerCase()];
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const far = distance(a, b);
  if (far <= Math.max(1, Math.floor(a.length / 3))) return far;
  return short.length >= shortest && long.includes(short) ? far : Infinity;
}

/** Those whose names are like one that was asked for, the nearest first. */
export const nearestTo = (asked: string, all: readonly Named[]): readonly Named[] =>
  all
    .map((one) => ({ one, far: Math.min(...[one.label, ...(one.also ?? [])].map((name) => distanceOf(asked, name))) }))
    .filter(({ far }) => far < Infinity)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, maxShown)
    .map(({ one }) => one);
