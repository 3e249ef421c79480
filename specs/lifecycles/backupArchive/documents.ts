import type { BackupArchiveEvent, BackupArchiveState } from '../../../machines/names.ts';
import type { BackupArchiveFacts, OwnerSeen } from '../../../rules/backupArchive/facts.ts';
import type { UnpurgedSeen } from '../../../rules/backupArchive/purged.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { Fact } from '../../../rules/fact.ts';

type Event = BackupArchiveEvent['type'];

/** 001 Backup archive lifecycle: what happened. */
export function documents(state: BackupArchiveState | Absence, facts: BackupArchiveFacts): Event | null {
  if (facts.owner.is !== 'known') return null;
  const { value: owner } = facts.owner;
  if (state === '(none)') return made(facts, owner);
  if (facts.found !== null) return null;
  return state === 'Protected' ? protects(facts.now, owner) : purges(facts, owner);
}

function made(facts: BackupArchiveFacts, owner: OwnerSeen): Event | null {
  const turnedOn = isMade(facts, owner);
  if (facts.found === null) return turnedOn;
  return turnedOn === null || turnedOn === 'regionAwaited' ? 'archiveFound' : turnedOn;
}

function isMade({ projectStorage, earlier }: BackupArchiveFacts, owner: OwnerSeen): Event | null {
  if (owner.is === 'gone' || !owner.backupsOn) return null;
  if (owner.deletingSince !== null || projectStorage === 'none') return null;
  if (projectStorage === 'regionUnknown') return 'regionAwaited';
  return earlier.length === 0 ? 'backupsTurnedOn' : 'backupsTurnedOnAgain';
}

function protects(now: number, owner: OwnerSeen): Event {
  if (owner.is === 'gone') return 'ownerVanished';
  const { backupsOn, moved, deletingSince, finalBackup } = owner;
  if (deletingSince !== null) {
    const inTime = now - deletingSince < 600_000;
    return backupsOn && finalBackup === 'awaited' && inTime ? 'finalBackupAwaited' : 'databaseDeleted';
  }
  if (!backupsOn) return 'backupsTurnedOff';
  return moved ? 'namespaceChanged' : 'databaseFollowed';
}

const valueOf = <T>(fact: Fact<T>): T | undefined => (fact.is === 'known' ? fact.value : undefined);

function purges(facts: BackupArchiveFacts, owner: OwnerSeen): Event | null {
  const { now, deleteAfter } = facts;
  const sevenDays = 7 * 24 * 60 * 60 * 1000;
  const deleted = owner.is === 'gone' ? null : owner.deletingSince;
  if (deleted !== null && deleteAfter !== null && deleteAfter - deleted < sevenDays) return 'deletionFollowed';
  if (deleteAfter === null || deleteAfter > now) return 'retentionLasted';
  if (owner.is !== 'gone') return 'databaseFoundAlive';
  if (valueOf(facts.folderInUse)) return 'folderFoundInUse';
  if (valueOf(facts.restoring)) return 'restoreFoundRunning';
  if (valueOf(facts.connection) !== 'ready') return 'connectionLost';
  const folder = valueOf(facts.folder)?.is;
  return folder === undefined
    ? null
    : ({ refused: 'purgeRefused', filled: 'pagePurged', empty: 'purged' } as const)[folder];
}

/** The row of the table "Purged" that holds. */
export const unpurgedRow = ({ connection }: UnpurgedSeen): string =>
  connection === 'absent' || connection === 'noSecret' || connection === 'noKeys' ? 'BAK-085' : 'BAK-087';
