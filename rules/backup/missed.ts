import { lastDue } from './schedule.ts';

/** A night's dump may begin within an hour and take six; one that shows nothing by then was missed. */
const lateMs = 7 * 3_600_000;

interface Nights {
  /** The newest restore point, ms since the epoch; 0 where there is none. */
  readonly newest: number;
  /** Since when there are backups at all. */
  readonly since: number;
  readonly now: number;
}

/** Whether the last night left no restore point: a missed night is a failed one. */
export function isNightMissed(database: string, { newest, since, now }: Nights): boolean {
  const due = lastDue(database, now - lateMs);
  return newest < due && since < due;
}
