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

/** The last night, when it left no restore point: a missed night is a failed one. Null when it left one. */
export function missedNight(database: string, { newest, since, now }: Nights): number | null {
  const due = lastDue(database, now - lateMs);
  return newest < due && since < due ? due : null;
}

export const isNightMissed = (database: string, nights: Nights): boolean => missedNight(database, nights) !== null;
