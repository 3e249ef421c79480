import { createHash } from 'node:crypto';

/** The minutes after 02:00 UTC over which the databases are spread. */
const spreadMinutes = 30;

/** The minute after 02:00 UTC at which a database is backed up, by a hash of its name. */
const backupMinute = (database: string): number =>
  createHash('sha256').update(database).digest().readUInt32BE(0) % spreadMinutes;

/** The time of day, UTC, at which a database is backed up: `02:07`. */
export const backupTime = (database: string): string => `02:${String(backupMinute(database)).padStart(2, '0')}`;

/** The schedule of a CronJob. */
export const dailySchedule = (database: string): string => `${backupMinute(database)} 2 * * *`;

/** The schedule of the Postgres operator, which begins with seconds. */
export const dailyScheduleWithSeconds = (database: string): string => `0 ${dailySchedule(database)}`;

const dayMs = 86_400_000;

/** When a database is due next, after `now`. */
export const nextDue = (database: string, now: number): number => lastDue(database, now) + dayMs;

/** When a database was last due, by `now`. */
export function lastDue(database: string, now: number): number {
  const today = Math.floor(now / dayMs) * dayMs + (2 * 60 + backupMinute(database)) * 60_000;
  return today <= now ? today : today - dayMs;
}
