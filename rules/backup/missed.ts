import { lastDue } from './schedule.ts';

/** A nightly dump may start within an hour and take six; without a result by then it was missed. */
const lateMs = 7 * 3_600_000;

interface Nights {
  /** The newest restore point, ms since the epoch; 0 for none. */
  readonly newest: number;
  /** When backups were turned on. */
  readonly since: number;
  readonly now: number;
}

/** Whether the last night left no restore point: a missed night is a failed one. */
export function isNightMissed(database: string, { newest, since, now }: Nights): boolean {
  const due = lastDue(database, now - lateMs);
  return newest < due && since < due;
}
