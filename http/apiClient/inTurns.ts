/** Runs over every item, so many at a time; the results are in the order of the items. */
export async function inTurns<T, R>(
  items: readonly T[],
  atATime: number,
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as T;
      results.set(index, await run(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, work));
  return items.map((_, index) => results.get(index) as R);
}
