import type { NameLockoutAction } from '../../machines/names.ts';
import { nameLockoutLimits } from './events.ts';
import type { FailureRecord } from './facts.ts';

/** Failed sign-ins by name, as stored in the Secret. */
export type FailureRecords = ReadonlyMap<string, FailureRecord>;

export const noFailures: FailureRecord = { since: 0, failures: 0, lockedUntil: 0 };

const { windowMs, lockMs, recordsMost } = nameLockoutLimits;

/**
 * True once its minute is over and its lock is lifted, so that the record has no effect (document 002, Sign-in
 * lockouts).
 */
export const isSpent = ({ since, lockedUntil }: FailureRecord, now: number): boolean =>
  now >= since + windowMs && now >= lockedUntil;

/**
 * Limits the minute of counting and the lock to their full length from now, because the clock may have been set back.
 */
const reckonedFrom = ({ since, failures, lockedUntil }: FailureRecord, now: number): FailureRecord => ({
  since: Math.min(since, now),
  failures,
  lockedUntil: Math.min(lockedUntil, now + lockMs),
});

const withoutSpent = (records: FailureRecords, now: number): FailureRecords =>
  new Map([...records].filter(([, record]) => !isSpent(record, now)));

/** Records of other names that a write would keep. */
export const otherRecords = (records: FailureRecords, name: string, now: number): number =>
  [...withoutSpent(records, now).keys()].filter((other) => other !== name).length;

const isLocked = ({ lockedUntil }: FailureRecord, now: number) => now < lockedUntil;

/**
 * Makes space for one more record: removes the oldest that is not locked, or the oldest when all are (decision 118).
 */
function withCapacity(records: FailureRecords, now: number): FailureRecords {
  const order = [...records].toSorted(
    ([, a], [, b]) => Number(isLocked(a, now)) - Number(isLocked(b, now)) || a.since - b.since,
  );
  return new Map(order.slice(Math.max(0, order.length - recordsMost + 1)));
}

type Change = (records: FailureRecords, name: string, now: number) => FailureRecords;

const changed =
  (change: (record: FailureRecord, now: number) => FailureRecord): Change =>
  (records, name, now) =>
    new Map(records).set(name, change(records.get(name) ?? noFailures, now));

/** The change of the stored records by each action; other actions only answer. */
const changes: Readonly<Partial<Record<NameLockoutAction, Change>>> = {
  reckonFromNow: (records, _, now) => new Map([...records].map(([name, one]) => [name, reckonedFrom(one, now)])),
  dropSpent: (records, _, now) => withoutSpent(records, now),
  dropOldestUnlocked: (records, _, now) => withCapacity(records, now),
  beginMinute: changed((_, now) => ({ since: now, failures: 1, lockedUntil: 0 })),
  countFailure: changed((record) => ({ ...record, failures: record.failures + 1 })),
  lock: changed((record, now) => ({ ...record, lockedUntil: now + lockMs })),
};

/** The records after the actions of one arrow. */
export const afterActions = (
  records: FailureRecords,
  actions: readonly string[],
  { name, now }: { readonly name: string; readonly now: number },
): FailureRecords =>
  actions.reduce((kept, action) => changes[action as NameLockoutAction]?.(kept, name, now) ?? kept, records);
