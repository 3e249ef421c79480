const firstMs = 500;
const longestMs = 10_000;

/** The delay before attempt n + 1: doubling from half a second to ten, with random jitter in its upper half. */
export function backoffMs(failures: number, chance: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.max(firstMs, Math.round(full / 2 + (full / 2) * chance));
}
