/** The windows of usage queries and their steps, in seconds. */
const windows = {
  '15m': { seconds: 900, step: 15 },
  '1h': { seconds: 3_600, step: 30 },
  '6h': { seconds: 21_600, step: 180 },
  '24h': { seconds: 86_400, step: 720 },
} as const;

export type Window = keyof typeof windows;
export const windowNames = Object.keys(windows) as readonly Window[];

/** The range of a query in seconds since the epoch: whole steps, so that a repeated query gives the same values. */
export function rangeOf(
  window: Window,
  nowMs: number,
): { readonly start: number; readonly end: number; readonly step: number } {
  const { seconds, step } = windows[window];
  const end = Math.floor(nowMs / 1_000 / step) * step;
  return { start: end - seconds, end, step };
}
