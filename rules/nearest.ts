/** The edit distance of two words: letters omitted, added, changed, or swapped with the next one. */
function distance(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = one[i - 1] === other[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + changed,
          isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

const maxWrong = 2;

/** The closest of some words to an unknown one; null when none is close. */
export function nearest(word: string, words: readonly string[]): string | null {
  const near = words
    .map((one) => ({ one, wrong: distance(word.toLowerCase(), one) }))
    .filter(({ one, wrong }) => wrong <= maxWrong && wrong * 2 < one.length);
  const least = Math.min(...near.map(({ wrong }) => wrong));
  const begun = words.filter((one) => word.length > 1 && one.startsWith(word));
  const shortest = Math.min(...begun.map(({ length }) => length));
  const meant = near.find(({ wrong }) => wrong === least)?.one ?? begun.find(({ length }) => length === shortest);
  return meant ?? null;
}
