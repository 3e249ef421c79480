import { msOf } from '../time.ts';
import { levelOf } from './level.ts';
import { isShownAt, type LogLevel } from './levels.ts';

/** A line of one container with its time: ms since the epoch and the nanoseconds beyond. */
export interface StampedLine {
  readonly at: number;
  readonly nanos: number;
  readonly text: string;
}

/** A line with its place in the log of its container: `n` counts those of the same millisecond, from 0. */
export interface PlacedLine extends StampedLine {
  readonly n: number;
}

const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?/;

/** A line as Kubernetes gives it with `timestamps`; null without a time, as for a line that was cut off. */
export function stampedLine(raw: string): StampedLine | null {
  const [found, seconds = '', fraction = '', zone = 'Z'] = stamp.exec(raw) ?? [];
  if (found === undefined) return null;
  const nanos = Number(fraction.padEnd(9, '0'));
  const at = msOf(`${seconds}${zone}`) + Math.floor(nanos / 1e6);
  return Number.isNaN(at) ? null : { at, nanos: nanos % 1e6, text: raw.slice(found.length) };
}

const isSameMoment = (a: StampedLine, b: StampedLine) => a.at === b.at && a.nanos === b.nanos;
const isBefore = (a: StampedLine, b: StampedLine) => a.at < b.at || (a.at === b.at && a.nanos < b.nanos);

/** How far a log was read: its last line, and how many lines with that time were read. */
export interface Reached {
  readonly last: PlacedLine;
  readonly ofThatMoment: number;
}

/** The position of the log after the next line. */
export function placed(line: StampedLine, reached: Reached | null): Reached {
  const last = reached?.last;
  const n = last?.at === line.at ? last.n + 1 : 0;
  const ofThatMoment = last !== undefined && isSameMoment(line, last) ? (reached?.ofThatMoment ?? 0) + 1 : 1;
  const { at, nanos, text } = line;
  return { last: { at, nanos, text, n }, ofThatMoment };
}

/** Selects the unread lines of a log that is reread from some earlier time. */
export function unreadAfter(reached: Reached | null): (line: StampedLine) => boolean {
  let again = 0;
  return (line) => {
    if (reached === null || isBefore(reached.last, line)) return true;
    if (!isSameMoment(line, reached.last)) return false;
    again += 1;
    return again > reached.ofThatMoment;
  };
}

/** The filter of lines: a text, ignoring case, and a minimum level. */
export interface Wanted {
  readonly q: string;
  readonly level: LogLevel | undefined;
}

/** The level of a line that passes the filter; null otherwise. */
export function shownLevel(text: string, { q, level }: Wanted): LogLevel | null {
  if (q !== '' && !text.toLowerCase().includes(q.toLowerCase())) return null;
  const own = levelOf(text);
  return level === undefined || isShownAt(own, level) ? own : null;
}

/** The place of a line in the log of a service. */
export interface LinePlace {
  readonly at: number;
  readonly pod: string;
  readonly container: string;
  readonly n: number;
}

export const lineId = ({ at, pod, container, n }: LinePlace): string => `${at}.${pod}.${container}.${n}`;

/** Parses the id of a place; null for other text. Names of pods may contain dots, those of containers not. */
export function linePlace(id: string): LinePlace | null {
  const [, at, pod, container, n] = /^(\d{1,16})\.([^\s/]+)\.([^.\s/]+)\.(\d{1,9})$/.exec(id) ?? [];
  return at === undefined || pod === undefined || container === undefined || n === undefined
    ? null
    : { at: Number(at), pod, container, n: Number(n) };
}

/** Whether a line comes after a place. Lines of other containers are placed by their time alone. */
export const isAfter = (line: LinePlace, place: LinePlace): boolean =>
  line.at > place.at ||
  (line.at === place.at && line.pod === place.pod && line.container === place.container && line.n > place.n);
