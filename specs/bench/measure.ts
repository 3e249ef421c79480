/** The middle one. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('there is no median of nothing');
  return middle;
}

/** Nanoseconds one call takes, over enough calls to tell. */
export function nanosecondsEach(run: () => unknown, calls = 20_000): number {
  for (let warm = 0; warm < calls / 10; warm++) run();
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) run();
  return Number(process.hrtime.bigint() - start) / calls;
}
