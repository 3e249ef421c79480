import type { KubeObject } from '../crds/kind.ts';

/** RFC 3339 in UTC with milliseconds, of a time in ms since the epoch. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** ms since the epoch of an RFC 3339 time; NaN when the text is not one. */
export const msOf = (time: string): number => Date.parse(time);

/** When an object was created, in ms since the epoch; 0 for one that was never stored. */
export const createdAtMs = ({ metadata }: KubeObject): number => msOf(metadata.creationTimestamp ?? '') || 0;

const units = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of `now`, `5s`, `15m`, `1h`. */
export function durationMs(text: string): number {
  if (text === 'now') return 0;
  const [, count, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) throw new Error(`"${text}" is not a duration`);
  return Number(count) * units[unit as keyof typeof units];
}

const descending = Object.entries(units).toReversed();

/** A duration as text: `10m`, `1h30m`, `45s`; fractions of a second are dropped. */
export function durationText(ms: number): string {
  let rest = Math.max(ms, 0);
  const parts = descending.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? `${count}${unit}` : '';
  });
  return parts.join('') || '0s';
}

/**
 * Whether a span that began at a time still runs. A start in the future comes from a clock that was set back since, so
 * the span does not count as running.
 */
export const isWithin = (now: number, since: number, spanMs: number): boolean => now >= since && now < since + spanMs;
