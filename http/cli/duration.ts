const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const part = /(\d+(?:\.\d+)?)(ms|h|m|s)/g;

/** The ms of a duration such as `90s`, `48h` or `1h30m`; null for anything else, such as `2d`. */
export function durationMs(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/.test(text)) return null;
  let sum = 0;
  for (const [, count = '', unit = ''] of text.matchAll(part)) sum += Number(count) * (units[unit] ?? 0);
  return Number.isSafeInteger(Math.round(sum)) ? sum : null;
}

/** Refuses a flag that is no duration. */
export function checkDuration(text: string): void {
  if (durationMs(text) === null) throw new Error('It must be a duration such as 90s, 10m or 1h30m.');
}

/** The longest time that a timer takes. */
const longestMs = 2_147_483_647;

/** Refuses a flag that is no time to wait for. */
export function checkTimeout(text: string): void {
  checkDuration(text);
  const ms = durationMs(text) ?? 0;
  if (ms < 1 || ms > longestMs) throw new Error('It must be longer than nothing and at most 596h.');
}
