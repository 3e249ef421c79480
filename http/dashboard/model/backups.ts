import type { Read, Summary } from '../../api.ts';
import { capital } from './capital.ts';
import { detailOf, fieldsIn, textIn } from './details.ts';
import { plural } from './plural.ts';
import { dayMinute } from './time.ts';

/** What a database says of its backups; null while they are off. */
export interface BackupStatus {
  readonly state: string;
  readonly message: string;
  readonly archive: string;
  readonly lastBackupTime: string;
  /** The time of day, UTC, at which a backup is taken; empty where none is planned. */
  readonly dailyAt: string;
}

export function backupOf({ details }: Summary): BackupStatus | null {
  const { state, message, archive, lastBackupTime, dailyAt } = fieldsIn(details['backup']);
  return textIn(state) === ''
    ? null
    : {
        state: textIn(state),
        message: textIn(message),
        archive: textIn(archive),
        lastBackupTime: textIn(lastBackupTime),
        dailyAt: textIn(dailyAt),
      };
}

const dayMs = 86_400_000;

/** When a time of day, UTC, comes next. */
export function nextAt(timeOfDay: string, now: number): string {
  const midnight = Math.floor(now / dayMs) * dayMs;
  const today = Date.parse(`${new Date(midnight).toISOString().slice(0, 11)}${timeOfDay}:00Z`);
  return new Date(today > now ? today : today + dayMs).toISOString();
}

/** How long the backups of a database are kept, by its spec. */
export function keptDays(spec: Read['spec']): string {
  const { retentionDays } = fieldsIn(spec['backup']);
  return `Backups are kept for ${plural(typeof retentionDays === 'number' ? retentionDays : 7, 'day')}.`;
}

/** A moment that can be restored. */
interface RestorePoint {
  readonly id: string;
  readonly time: string;
  /** Where it stands in the window, from 0 to 1. */
  readonly at: number;
}

/** The moments between which a database can be restored. */
export interface RecoveryWindow {
  readonly start: string;
  readonly end: string;
  /** The newest first. */
  readonly points: readonly RestorePoint[];
}

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** The window of an archive with its points; null while nothing can be restored. */
export function windowOf({ status }: Read): RecoveryWindow | null {
  const listed = Array.isArray(status['restorePoints']) ? status['restorePoints'].map(fieldsIn) : [];
  const restorePoints = listed.map(({ id, time }) => ({ id: textIn(id), time: textIn(time) }));
  const times = restorePoints.map(({ time }) => time).toSorted();
  const start = textIn(status['recoveryWindowStart']) || (times[0] ?? '');
  const end = textIn(status['recoveryWindowEnd']) || (times.at(-1) ?? '');
  if (start === '' || end === '') return null;
  const from = Date.parse(start);
  const length = Date.parse(end) - from;
  const at = (time: string): number => (length <= 0 ? 1 : within((Date.parse(time) - from) / length));
  return { start, end, points: restorePoints.map((point) => ({ ...point, at: at(point.time) })) };
}

const archiveWords: Readonly<Record<string, string>> = {
  ready: 'In use',
  pending: 'First backup',
  deleting: 'Kept for now',
  failed: 'Not removed',
};

/** The state of an archive in words: one that is due to go is kept until then. */
export const archiveWord = (state: string): string => archiveWords[state] ?? state;

/** Whether the backups of an archive are due to be removed: none of them can be restored any more. */
export const isDue = (archive: Summary, now: number): boolean => Date.parse(detailOf(archive, 'deleteAfter')) <= now;

/** When an archive goes, or was to go, or that it is in use. */
export const keptWord = (archive: Summary, due: boolean): string => {
  const until = detailOf(archive, 'deleteAfter');
  if (until === '') return 'while the database is protected by it';
  return `${due ? 'past' : 'until'} ${dayMinute(Date.parse(until))}`;
};

/** Why an archive is still there: what stands in the way of its purge, as its explanation says, or how long it is kept. */
export function archiveMessage(archive: Summary, due: boolean, why: string): string {
  if (purgedWord(archive) !== '') return purgedWord(archive);
  return due && why !== '' ? capital(why) : `Kept ${keptWord(archive, due)}`;
}

/** The next check of an archive: its purge is retried until it succeeds. */
export const nextTryWord = (archive: Summary): string => (archive.state === 'failed' ? 'Next try' : 'Next check');

/** Why the purge of an archive failed, as its condition \`Purged\` has it; empty where none did. */
export const purgeReason = ({ details }: Summary): string => textIn(fieldsIn(details['purged'])['reason']);

/** How the purge of an archive went; empty before there was one. */
export const purgedWord = ({ details }: Summary): string => textIn(fieldsIn(details['purged'])['message']);
