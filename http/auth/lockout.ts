import type { Lockout } from './directory.ts';

const minuteMs = 60_000;
const recordsKept = 256;

/** How many failures in a minute lock: of a configured name, of a public address (document 002, Sign-in lockouts). */
export const failuresOfName = 5;
export const failuresOfAddress = 20;

export const isLocked = (record: Lockout | undefined, now: number): boolean =>
  record !== undefined && now < record.lockedUntil;

/** One more failure, in a window of a minute that began with the first (decision 119); the last one locks for a minute. */
export function withFailure(record: Lockout | undefined, now: number, limit: number): Lockout {
  if (record && isLocked(record, now)) return record;
  const goesOn = record !== undefined && record.failures < limit && now < record.since + minuteMs;
  const failures = goesOn ? record.failures + 1 : 1;
  return {
    since: goesOn ? record.since : now,
    failures,
    lockedUntil: failures >= limit ? now + minuteMs : 0,
  };
}

/** Nothing of it matters any more: its minute is over and its lock is lifted. */
export const isSpent = (record: Lockout, now: number): boolean =>
  now >= record.since + minuteMs && !isLocked(record, now);

/** The records worth keeping at a write: none that is spent, and of too many the oldest unlocked goes (decision 118). */
export function keptRecords(
  records: ReadonlyMap<string, Lockout>,
  now: number,
  most: number = recordsKept,
): ReadonlyMap<string, Lockout> {
  const live = [...records].filter(([, record]) => !isSpent(record, now));
  const droppable = live
    .filter(([, record]) => !isLocked(record, now))
    .toSorted(([, a], [, b]) => a.since - b.since)
    .slice(0, Math.max(0, live.length - most))
    .map(([name]) => name);
  const dropped = new Set(droppable);
  // All locked at once: the newest stay.
  return new Map(live.filter(([name]) => !dropped.has(name)).slice(-most));
}
