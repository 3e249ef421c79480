const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

const secondsOf = (ms: number): number => Math.max(0, Math.floor(ms / 1000));
const largestOf = (seconds: number): number => {
  const first = units.findIndex(([, size]) => seconds >= size);
  return first < 0 ? units.length - 1 : first;
};

/** A duration in its largest unit: `12 s`, `3 min`, `2 d`. */
export function span(ms: number): string {
  const seconds = secondsOf(ms);
  const [unit, size] = units[largestOf(seconds)] ?? units[3];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** A duration in its two largest units: `12 s`, `3 min 20 s`, `2 d 4 h`. */
export function exactSpan(ms: number): string {
  const seconds = secondsOf(ms);
  const first = largestOf(seconds);
  const [, size] = units[first] ?? units[3];
  const [unit, nextSize] = units[first + 1] ?? [];
  const rest = nextSize === undefined ? 0 : Math.floor((seconds % size) / nextSize);
  return rest === 0 ? span(ms) : `${span(ms)} ${rest} ${unit}`;
}

/** The time since, in its largest unit: `3 min ago`, `2 d ago`. */
export const ago = (ms: number): string => `${span(ms)} ago`;

const hourMs = 3_600_000;

/**
 * The time until something happens by itself: `in 12 s`, `in 9 h`, `now`, and more than three seconds past it, that it
 * is late. Seconds count down for an hour.
 */
export function until(ms: number): string {
  const left = Math.ceil(ms / 1000) * 1000;
  if (ms > 0) return `in ${left < hourMs ? exactSpan(left) : span(left)}`;
  return ms > -3000 ? 'now' : `now, ${span(-ms)} late`;
}

const two = (number: number) => String(number).padStart(2, '0');

/** `hh:mm:ss` in the reader's zone. */
export function clockTime(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `yyyy-mm-dd` in the reader's zone. */
export function day(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Day and time in the reader's zone. */
export const dayTime = (at: number): string => `${day(at)} ${clockTime(at)}`;

/** The reader's zone at a time, as its difference from UTC: `UTC`, `UTC+1`, `UTC-3:30`. */
export function zone(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  if (minutes === 0) return 'UTC';
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** Day, time and zone, for the reader who wants to be sure. */
export const zonedTime = (at: number): string => `${dayTime(at)} ${zone(at)}`;

/** The same moment a number of calendar years later; 1 March where that year has no 29 February. */
export const yearsAfter = (ms: number, years: number): number => {
  const time = new Date(ms);
  return time.setUTCFullYear(time.getUTCFullYear() + years);
};
