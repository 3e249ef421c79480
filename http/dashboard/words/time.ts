const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units: `12 s`, `3 min 20 s`, `2 d 4 h`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const first = units.findIndex(([, size]) => seconds >= size);
  const [unit, size] = units[first] ?? units[3];
  const next = units[first + 1];
  const whole = `${Math.floor(seconds / size)} ${unit}`;
  if (next === undefined) return whole;
  const rest = Math.floor((seconds % size) / next[1]);
  return rest === 0 ? whole : `${whole} ${rest} ${next[0]}`;
}

/** The time since, in its largest unit: `3 min ago`, `2 d ago`. */
export const ago = (ms: number): string => `${span(ms).split(' ').slice(0, 2).join(' ')} ago`;

/**
 * The time until something happens by itself: `in 12 s`, `now`, and more than three seconds past it, that it is late.
 */
export function until(ms: number): string {
  if (ms > 0) return `in ${span(Math.ceil(ms / 1000) * 1000)}`;
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

/** The same moment a number of calendar years later; 1 March where that year has no 29 February. */
export const yearsAfter = (ms: number, years: number): number => {
  const time = new Date(ms);
  return time.setUTCFullYear(time.getUTCFullYear() + years);
};
