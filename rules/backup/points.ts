import type { BackupArchiveStatus } from '../../crds/coreBackupArchive.ts';
import { isoTime, msOf } from '../time.ts';
import { positionIn } from './changeLog.ts';

/** A time that the backups of an archive can restore. */
export interface RestorePoint {
  readonly id: string;
  /** In ms since the epoch. */
  readonly at: number;
}

const dumpName = /^dumps\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sql\.gz$/;
const baseName = /^base\/([^/]+)\/backup\.info$/;
const endTime = /^end_time=(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d(?::?\d\d)?)?\s*$/m;

/** The id of a dump taken at a moment: `20060102T150405Z` (decision 91). */
export const pointId = (ms: number): string =>
  isoTime(ms)
    .replaceAll(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z');

/** Where the dump of a restore point is within its folder. */
export const dumpKey = (id: string): string => `dumps/${id}.sql.gz`;

/** The restore point of a name in the folder; null for any other name, or an invalid time. */
export function dumpIn(name: string): RestorePoint | null {
  const [, year, month, day, hour, minute, second] = dumpName.exec(name) ?? [];
  if (year === undefined) return null;
  const at = msOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const id = name.slice('dumps/'.length, -'.sql.gz'.length);
  // 30 February is parsed as 2 March.
  return Number.isNaN(at) || pointId(at) !== id ? null : { id, at };
}

/** The id of the base backup that a description in the folder belongs to; null for any other name. */
export const baseIn = (name: string): string | null => baseName.exec(name)?.[1] ?? null;

/** When a base backup ended, by its `backup.info`; null when that does not state it, as for one that never ended. */
export function baseEnd(info: string): number | null {
  const [, day, time, zone] = endTime.exec(info) ?? [];
  if (day === undefined || /^status=(?!DONE)/m.test(info)) return null;
  const offset = zone === undefined ? 'Z' : /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const at = msOf(`${day}T${time}${offset}`);
  return Number.isNaN(at) ? null : at;
}

/** Where in the change log a base backup ended, by its `backup.info`; null when that does not state it. */
export const baseStop = (info: string): bigint | null => positionIn(/^end_xlog=(\S+)\s*$/m.exec(info)?.[1] ?? '');

const maxListed = 100;
/** The change log of Postgres is saved within five minutes. */
export const archivedWithinMs = 300_000;

/** The state of the change log, which only Postgres has. */
export interface ChangeLog {
  /** Whether it is being saved now. */
  readonly isSaved: boolean;
  /** The current `status.recoveryWindowEnd`; null for none. */
  readonly end: number | null;
}

/**
 * The end of the recovery window: the newest dump; with a change log, five minutes ago while it is saved, else
 * unchanged, never before the newest point. An older listing does not move it back.
 */
export function windowEnd(newest: number, log: ChangeLog | null, now: number): number {
  if (log === null) return newest;
  const end = log.end ?? newest;
  if (!log.isSaved) return Math.max(newest, end);
  return Math.max(newest, now - archivedWithinMs, end <= now ? end : newest);
}

interface Points {
  readonly lastBackupTime: string | null;
  readonly recoveryWindowStart: string | null;
  readonly recoveryWindowEnd: string | null;
  readonly restorePoints: NonNullable<BackupArchiveStatus['restorePoints']>;
}

/** The restore points of an archive: 100 are listed, newest first, and all count for the window. */
export function pointsStatus(points: readonly RestorePoint[], log: ChangeLog | null, now: number): Points {
  const sorted = points.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const [newest, oldest] = [sorted[0], sorted.at(-1)];
  if (newest === undefined || oldest === undefined)
    return { lastBackupTime: null, recoveryWindowStart: null, recoveryWindowEnd: null, restorePoints: [] };
  return {
    lastBackupTime: isoTime(newest.at),
    recoveryWindowStart: isoTime(oldest.at),
    recoveryWindowEnd: isoTime(windowEnd(newest.at, log, now)),
    restorePoints: sorted.slice(0, maxListed).map(({ id, at }) => ({ id, time: isoTime(at) })),
  };
}

const dayMs = 86_400_000;

/** The dumps that are no longer needed: those with a newer dump that is itself older than the retention. */
export function expired(points: readonly RestorePoint[], retentionDays: number, now: number): readonly RestorePoint[] {
  const old = points.filter(({ at }) => at < now - retentionDays * dayMs).toSorted((a, b) => b.at - a.at);
  return old.slice(1);
}
