import type { BackupArchiveEvent, BackupArchiveState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { BackupArchiveFacts, OwnerSeen } from './facts.ts';
import { archiveName } from './name.ts';
import { unpurgedText } from './purged.ts';
import { archiveKeptMs, deleteAfterOf, finalBackupEnds, isKeptTooShort } from './retirement.ts';
import { closed, nothing, open, sentence, toViewers } from '../words.ts';

/** The longest time that a deletion waits for the final backup, and how long backups are kept after it (001 Limits). */
export const backupArchiveLimits = { finalBackupMs: 600_000, keptMs: archiveKeptMs } as const;
export type BackupArchiveLimits = Readonly<Record<keyof typeof backupArchiveLimits, number>>;

type Rules = readonly EventRule<BackupArchiveFacts, BackupArchiveState | Absence, BackupArchiveEvent['type']>[];
const rule = ruleFor<BackupArchiveFacts, BackupArchiveState | Absence, BackupArchiveEvent['type']>();
const always = () => true;
const now = { afterMs: 0 };
const windowMoves = { afterMs: 300_000 };
const later = { afterMs: 900_000 };
const retirement = (keptMs: number) => ({
  at: 'deleteAfter',
  moment: ({ now }: Pick<BackupArchiveFacts, 'now'>) => deleteAfterOf(now, keptMs),
});

type OwnerKnown = { readonly owner: { readonly value: OwnerSeen } };
const wantsArchive = ({ owner: { value: owner } }: OwnerKnown) =>
  owner.is === 'alive' && owner.backupsOn && owner.deletingSince === null;
const nextName = ({ serverName, earlier }: Pick<BackupArchiveFacts, 'serverName' | 'earlier'>) =>
  archiveName(serverName, earlier);

const birth: Rules = [
  rule({
    id: 'region-unknown',
    in: ['(none)'],
    needs: ['owner'],
    when: (facts) => wantsArchive(facts) && facts.projectStorage === 'regionUnknown',
    then: 'regionAwaited',
    says: () => closed('waiting for the region of the bucket'),
    look: { afterMs: 60_000 },
  }),
  rule({
    id: 'turned-on-again',
    in: ['(none)'],
    needs: ['owner'],
    when: (facts) => wantsArchive(facts) && facts.projectStorage === 'ready' && facts.earlier.length > 0,
    finds: true,
    then: 'backupsTurnedOnAgain',
    says: (facts) =>
      sentence('the archive {nextName} is made beside a retired one', { nextName: toViewers(nextName(facts)) }),
    look: now,
  }),
  rule({
    id: 'turned-on',
    in: ['(none)'],
    needs: ['owner'],
    when: (facts) => wantsArchive(facts) && facts.projectStorage === 'ready',
    finds: true,
    then: 'backupsTurnedOn',
    says: (facts) => sentence('the archive {nextName} is made', { nextName: toViewers(nextName(facts)) }),
    look: now,
  }),
  rule({
    id: 'archive-found',
    in: ['(none)'],
    when: ({ found }) => found !== null,
    finds: true,
    then: 'archiveFound',
    says: () => closed('the archive was made before its database went on'),
    look: now,
  }),
];

const protecting = ({ finalBackupMs, keptMs }: BackupArchiveLimits): Rules => [
  rule({
    id: 'owner-vanished',
    in: ['Protected'],
    needs: ['owner'],
    when: ({ owner }) => owner.value.is === 'gone',
    then: 'ownerVanished',
    says: () => closed('the database is gone'),
    look: retirement(keptMs),
  }),
  rule({
    id: 'final-backup-awaited',
    in: ['Protected'],
    needs: ['owner'],
    when: ({ now, owner: { value: owner } }) =>
      owner.is === 'alive' &&
      owner.backupsOn &&
      owner.finalBackup === 'awaited' &&
      now < (finalBackupEnds(owner, finalBackupMs) ?? 0),
    then: 'finalBackupAwaited',
    says: () => closed('the database is being deleted: its final backup is taken'),
    look: { at: 'finalBackupLimit', moment: ({ now, owner }) => finalBackupEnds(owner.value, finalBackupMs) ?? now },
  }),
  rule({
    id: 'database-deleted',
    in: ['Protected'],
    needs: ['owner'],
    when: ({ owner: { value: owner } }) => owner.is === 'alive' && owner.deletingSince !== null,
    then: 'databaseDeleted',
    says: () => closed('the database is being deleted; its backups are kept for 7 days'),
    look: retirement(keptMs),
  }),
  rule({
    id: 'turned-off',
    in: ['Protected'],
    needs: ['owner'],
    when: ({ owner: { value: owner } }) => owner.is === 'alive' && !owner.backupsOn,
    then: 'backupsTurnedOff',
    says: () => closed('backups were turned off; those taken are kept for 7 days'),
    look: retirement(keptMs),
  }),
  rule({
    id: 'namespace-changed',
    in: ['Protected'],
    needs: ['owner'],
    when: ({ owner: { value: owner } }) => owner.is === 'alive' && owner.moved,
    then: 'namespaceChanged',
    says: () => closed('the database runs in another namespace; its old backups are kept for 7 days'),
    look: retirement(keptMs),
  }),
  rule({
    id: 'database-followed',
    in: ['Protected'],
    when: always,
    then: 'databaseFollowed',
    says: () => closed('the database is alive and has backups'),
    look: windowMoves,
  }),
];

/**
 * Rules with direct reads follow the date check, because only a purge that is due justifies the calls (decision 148).
 */
const purge = ({ keptMs }: BackupArchiveLimits): Rules => [
  rule({
    id: 'deletion-followed',
    in: ['Retired'],
    needs: ['owner'],
    when: ({ owner, deleteAfter }) => isKeptTooShort(owner.value, deleteAfter, keptMs),
    then: 'deletionFollowed',
    says: () => closed('the database is being deleted: these backups are kept for 7 more days, too'),
    look: retirement(keptMs),
  }),
  rule({
    id: 'retention-lasts',
    in: ['Retired'],
    // An unreadable date never becomes due.
    when: ({ now, deleteAfter }) => deleteAfter === null || !(now >= deleteAfter),
    then: 'retentionLasted',
    says: () => open('the backups can be restored until deleteAfter'),
    look: { at: 'deleteAfter', moment: ({ now, deleteAfter }) => deleteAfter ?? deleteAfterOf(now, keptMs) },
  }),
  rule({
    id: 'database-alive',
    in: ['Retired'],
    needs: ['owner'],
    when: ({ owner }) => owner.value.is === 'alive',
    then: 'databaseFoundAlive',
    says: () => open('kept while its database exists'),
    look: later,
  }),
  rule({
    id: 'folder-in-use',
    in: ['Retired'],
    needs: ['folderInUse'],
    when: ({ folderInUse }) => folderInUse.value,
    then: 'folderFoundInUse',
    says: () => open('another archive uses the folder'),
    look: later,
  }),
  rule({
    id: 'restore-runs',
    in: ['Retired'],
    needs: ['restoring'],
    when: ({ restoring }) => restoring.value,
    then: 'restoreFoundRunning',
    says: () => open('a database is being restored from these backups'),
    look: { afterMs: 60_000 },
  }),
  rule({
    id: 'connection-lost',
    in: ['Retired'],
    needs: ['connection'],
    when: ({ connection }) => connection.value !== 'ready',
    then: 'connectionLost',
    says: ({ connectionName }) => unpurgedText.connection(connectionName),
    look: later,
  }),
  rule({
    id: 'purge-refused',
    in: ['Retired'],
    needs: ['folder'],
    when: ({ folder }) => folder.value.is === 'refused',
    then: 'purgeRefused',
    says: ({ folder }) => (folder.value.is === 'refused' ? unpurgedText.refusal(folder.value) : nothing),
    look: later,
  }),
  rule({
    id: 'page-left',
    in: ['Retired'],
    needs: ['folder'],
    when: ({ folder }) => folder.value.is === 'filled',
    then: 'pagePurged',
    says: () => closed('a page of the folder was removed'),
    look: now,
  }),
  rule({
    id: 'purged',
    in: ['Retired'],
    needs: ['folder'],
    when: ({ folder }) => folder.value.is === 'empty',
    then: 'purged',
    says: () => closed('the folder is empty: the archive is removed'),
  }),
];

/** The rules with other limits, for the test of the limits. */
export const backupArchiveEventsWith = (limits: BackupArchiveLimits): Rules => [
  ...birth,
  ...protecting(limits),
  ...purge(limits),
];

export const backupArchiveEvents = backupArchiveEventsWith(backupArchiveLimits);
