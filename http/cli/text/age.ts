const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `30s`, `5m`, `3h` below 48 hours, `4d` (decision 123). */
export function ageText(ms: number): string {
  const age = Math.max(ms, 0);
  if (age < minute) return `${Math.floor(age / 1_000)}s`;
  if (age < hour) return `${Math.floor(age / minute)}m`;
  return age < 2 * day ? `${Math.floor(age / hour)}h` : `${Math.floor(age / day)}d`;
}

/** The age of something at a time; empty where the time is none. */
export const ageSince = (time: string | null | undefined, now: number): string => {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? '' : ageText(now - at);
};
