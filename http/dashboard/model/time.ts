import { zone } from '../store/zone.ts';

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

const minuteMs = 60_000;

/** How far the chosen zone is ahead of UTC at a time, in minutes. */
const aheadOf = (at: number): number => (zone.value === 'utc' ? 0 : -new Date(at).getTimezoneOffset());

/** Day and time as the chosen zone has them, and as a field of date and time has them: `2026-11-21T14:00:00`. */
export const fieldTime = (at: number): string =>
  Number.isNaN(at) ? '' : new Date(at + aheadOf(at) * minuteMs).toISOString().slice(0, 19);

/** The time of a field of date and time; NaN where there is none. */
export const fieldMs = (text: string): number => Date.parse(zone.value === 'utc' ? `${text}Z` : text);

/** `hh:mm:ss` in the chosen zone. */
export const clockTime = (at: number): string => fieldTime(at).slice(11);

/** `yyyy-mm-dd` in the chosen zone. */
export const day = (at: number): string => fieldTime(at).slice(0, 10);

/** Day and time in the chosen zone. */
export const dayTime = (at: number): string => fieldTime(at).replace('T', ' ');

/** Day and time to the minute. */
export const dayMinute = (at: number): string => dayTime(at).slice(0, 16);

/** The chosen zone at a time, as its difference from UTC: `UTC`, `UTC+1`, `UTC-3:30`. */
export function zoneWord(at: number): string {
  const minutes = aheadOf(at);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  if (minutes === 0) return 'UTC';
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** Day, time and zone, for the reader who wants to be sure. */
export const zonedTime = (at: number): string => `${dayTime(at)} ${zoneWord(at)}`;

/** The same moment a number of calendar years later; 1 March where that year has no 29 February. */
export const yearsAfter = (ms: number, years: number): number => {
  const time = new Date(ms);
  return time.setUTCFullYear(time.getUTCFullYear() + years);
};
