import { Context, Effect } from 'effect';
import { msOf } from '../../../rules/time.ts';
import * as ownedObject from '../../../rules/owned/ownedObject.ts';
import * as deletions from '../../../runtime/controllers/provisioned/deletion.ts';
import * as listed from '../../../runtime/controllers/backupArchive/ensures.ts';
import * as restore from '../../../runtime/controllers/database/actions/restore.ts';
import * as points from '../../../rules/backup/points.ts';
import * as folder from '../../../rules/backup/folder.ts';
import * as names from '../../../rules/backup/names.ts';
import * as name from '../../../rules/backupArchive/name.ts';
import * as retirement from '../../../rules/backupArchive/retirement.ts';
import * as final from '../../../runtime/controllers/backupArchive/observe/finalBackup.ts';
import * as owner from '../../../runtime/controllers/backupArchive/observe/owner.ts';
import * as progress from '../../../runtime/controllers/backupArchive/observe/progress.ts';
import * as purge from '../../../runtime/controllers/backupArchive/actions/purge.ts';
import * as purging from '../../../runtime/controllers/backupArchive/ask.ts';
import { Cloud, type CloudShape } from '../../../runtime/services/cloud.ts';
import { around, type Bug, type Plant, replaced } from './bug.ts';
import { withController } from './decorators.ts';

/** One lifecycle of a kind without these rules. */
export const dropped = (kind: string, lifecycle: string, ...ids: readonly string[]): Plant =>
  withController(kind, (controller) => ({
    ...controller,
    lifecycles: controller.lifecycles.map((one) => {
      if (one.name !== lifecycle) return one;
      const rules = new Map([...one.rules].map(([at, those]) => [at, those.filter(({ id }) => !ids.includes(id))]));
      return { ...one, rules };
    }),
  }));
const withoutArchiveRule = (...ids: readonly string[]) => dropped('CoreBackupArchive', 'backupArchive', ...ids);
const withoutBackupRule = (...ids: readonly string[]) => dropped('CoreDatabase', 'databaseBackup', ...ids);

export const withCloud = (change: (cloud: CloudShape) => Partial<CloudShape>): Plant =>
  around({
    services: (services) => {
      const cloud = Context.get(services, Cloud);
      return Context.add(services, Cloud, { ...cloud, ...change(cloud) });
    },
  });

/** Bugs of backups and their archives, each with the plan that shows it. */
export const backupBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'folder without its slash',
    family: 'wrong rule',
    text: 'the folder of an archive is the start of its neighbours, too',
    plan: 'backupArchive / it is purged',
    plant: replaced(folder, 'isInFolder', () => (key, prefix) => key.startsWith(prefix.slice(0, -1))),
    unseen: 'the store is asked with the slash, and names nothing else',
  },
  {
    name: 'prefix without its slash',
    family: 'wrong rule',
    text: 'a folder is asked for without the slash at its end',
    plan: 'backupArchive / it is purged',
    plant: replaced(folder, 'folderPrefix', () => (project, serverName) => `${project}/${serverName}`),
  },
  {
    name: 'any folder is its own',
    family: 'wrong rule',
    text: 'a folder that is no path segment is purged',
    plan: 'backupArchive / its folder is no folder',
    plant: replaced(folder, 'isOwnFolder', () => () => true),
  },
  {
    name: 'owner taken for gone',
    family: 'wrong rule',
    text: 'a due archive is purged without a look at its database',
    plan: 'backupArchive / its database lives',
    plant: replaced(purging, 'ownerNow', () => () => Effect.succeed({ is: 'gone' })),
  },
  {
    name: 'living owner purged',
    family: 'wrong rule',
    text: 'a due archive is purged although its database lives (database-alive dropped)',
    plan: 'backupArchive / its database lives',
    plant: withoutArchiveRule('database-alive'),
  },
  {
    name: 'folder in use purged',
    family: 'wrong rule',
    text: 'a folder is purged that another archive uses (folder-in-use dropped)',
    plan: 'backupArchive / another archive uses the folder',
    plant: withoutArchiveRule('folder-in-use'),
  },
  {
    name: 'purge amid a restore',
    family: 'wrong rule',
    text: 'an archive is purged while a database is restored from it (restore-runs dropped)',
    plan: 'backupArchive / a database is restored from it',
    plant: withoutArchiveRule('restore-runs'),
  },
  {
    name: 'purged before its time',
    family: 'wrong rule',
    text: 'a retired archive is purged at once (retention-lasts dropped)',
    plan: 'backupArchive / it is kept for its time',
    plant: withoutArchiveRule('retention-lasts'),
  },
  {
    name: 'vanished owner unnoticed',
    family: 'wrong rule',
    text: 'an archive whose database is gone stays protected (owner-vanished dropped)',
    plan: 'backupArchive / nobody owns it any more',
    plant: withoutArchiveRule('owner-vanished'),
  },
  {
    name: 'refusal unsaid',
    family: 'swallowed error',
    text: 'that the cloud refuses the purge is not told (purge-refused dropped)',
    plan: 'backupArchive / the cloud refuses, then allows it',
    plant: withoutArchiveRule('purge-refused'),
  },
  {
    name: 'lost connection unsaid',
    family: 'wrong rule',
    text: 'that the connection is gone is not told (connection-lost dropped)',
    plan: 'backupArchive / the connection is gone and comes back',
    plant: withoutArchiveRule('connection-lost'),
  },
  {
    name: 'uploads left',
    family: 'wrong rule',
    text: 'unfinished uploads are no part of a folder',
    plan: 'backupArchive / it is purged',
    plant: withCloud(() => ({ uploads: () => Effect.succeed({ items: [], next: null }) })),
  },
  {
    name: 'old versions left',
    family: 'wrong rule',
    text: 'only the newest versions of objects are removed',
    plan: 'backupArchive / it is purged',
    plant: withCloud((cloud) => ({
      versions: (account, bucket, listing) =>
        Effect.map(cloud.objects(account, bucket, listing), ({ items, next }) => ({
          items: items.map(({ key }) => ({ key, version: null })),
          next,
        })),
    })),
  },
  {
    name: 'kept six days',
    family: 'wall time',
    text: 'the backups of a deleted database are kept for six days',
    plan: 'databaseBackup / SQLite is deleted',
    plant: replaced(retirement, 'deleteAfterOf', () => (now) => now + 6 * 24 * 3_600_000),
  },
  {
    name: 'one folder for all',
    family: 'wrong rule',
    text: 'backups that are turned on again go to the old folder',
    plan: 'databaseBackup / backups are turned off and on',
    plant: replaced(name, 'archiveName', () => (serverName) => serverName),
  },
  {
    name: 'folder by name alone',
    family: 'run not compared',
    text: 'two databases of one name in turn have one folder',
    plan: 'databaseBackup / an archive of an earlier database stands',
    plant: replaced(names, 'serverNameOf', () => (database) => database),
  },
  {
    name: 'old last backup adopted',
    family: 'run not compared',
    text: 'the last dump of an earlier database of that name is taken for ours',
    plan: 'databaseBackup / a last dump of an earlier database stands',
    plant: replaced(progress, 'isMadeFor', () => () => true),
  },
  {
    name: 'no last backup',
    family: 'wrong rule',
    text: 'a database goes without a last dump',
    plan: 'databaseBackup / SQLite is deleted',
    plant: replaced(final, 'finalBackupSeen', () => () => 'finished'),
  },
  {
    name: 'failed last backup final',
    family: 'recovery',
    text: 'a last dump that failed is not taken again (backup-retried dropped)',
    plan: 'databaseBackup / the last dump fails once',
    plant: dropped('CoreDatabase', 'database', 'backup-retried'),
  },
  {
    name: 'last backup awaited for ever',
    family: 'lost requeue',
    text: 'a last dump that cannot be taken keeps its database (backup-waited-out dropped)',
    plan: 'databaseBackup / the cloud refuses the last dump',
    plant: dropped('CoreDatabase', 'database', 'backup-waited-out'),
    unseen: 'its archive is retired after the same time, and then there is nothing to wait for',
  },
  {
    name: 'second key kept',
    family: 'effect twice',
    text: 'a key that no Secret tells of is not deleted',
    plan: 'databaseBackup / SQLite is protected / dies at=7 when=after',
    plant: withCloud(() => ({ removeKey: () => Effect.void })),
  },
  {
    name: 'protected without a dump',
    family: 'wrong rule',
    text: 'a database without a backup is called protected (no-backup-yet dropped)',
    plan: 'databaseBackup / the first dump fails',
    plant: withoutBackupRule('no-backup-yet'),
  },
  {
    name: 'dumps unread',
    family: 'wrong rule',
    text: 'no name in the folder is a restore point',
    plan: 'databaseBackup / SQLite is protected',
    plant: replaced(points, 'dumpIn', () => () => null),
  },
  {
    name: 'failing storage unsaid',
    family: 'swallowed error',
    text: 'that the cloud refuses is not told (storage-fails dropped)',
    plan: 'databaseBackup / the cloud refuses, then allows it',
    plant: withoutBackupRule('storage-fails'),
  },
  {
    name: 'backups never off',
    family: 'wrong rule',
    text: 'a database whose backups were turned off counts as backed up',
    plan: 'databaseBackup / backups are turned off',
    plant: replaced(owner, 'isBackedUpNow', () => () => true),
  },
  {
    name: 'deletion by the wall clock',
    family: 'wall time',
    text: 'how long a deletion lasts is read off a clock that may be set',
    plan: 'databaseBackup / the cloud refuses the last dump / jumps at=97 ms=-1800000',
    plant: replaced(deletions, 'makeDeletions', () => () => ({
      since: ({ metadata: { deletionTimestamp } }) =>
        deletionTimestamp === undefined ? null : msOf(deletionTimestamp),
      forget: () => {},
    })),
  },
  {
    name: 'refused keys taken for deleted',
    family: 'swallowed error',
    text: 'a 200 that names keys it did not delete counts as done (`Errors` ignored)',
    plan: 'backupArchive / the cloud deletes nothing for a while',
    plant: replaced(
      purge,
      'purgeFor',
      () =>
        ({ account, bucket, prefix }) =>
          Effect.flatMap(Cloud, (cloud) =>
            cloud.versions(account, bucket, { prefix, from: null }).pipe(
              Effect.flatMap(({ items }) => cloud.removeVersions(account, bucket, items)),
              Effect.asVoid,
            ),
          ),
    ),
  },
  {
    name: 'retention deletes the newest',
    family: 'wrong rule',
    text: 'every dump goes that is older than dumps are kept, also the last one of those',
    plan: 'databaseBackup / dumps are older than they are kept',
    plant: replaced(
      points,
      'expired',
      () => (all, days, now) => all.filter(({ at }) => at < now - days * 24 * 3_600_000),
    ),
  },
  {
    name: 'window before its newest point',
    family: 'wrong rule',
    text: 'the window of Postgres ends five minutes ago, whatever was saved since',
    plan: 'databaseBackup / Postgres is protected',
    plant: replaced(points, 'windowEnd', () => (newest, log, now) => (log === null ? newest : now - 300_000)),
  },
  {
    name: 'window moved back',
    family: 'stale view',
    text: 'an older look moves the end of the window back',
    plan: 'databaseBackup / Postgres is protected / twins',
    plant: replaced(
      points,
      'windowEnd',
      () => (newest, log, now) => Math.max(newest, log?.isSaved === true ? now - 300_000 : (log?.end ?? newest)),
    ),
  },
  {
    name: 'older list written',
    family: 'stale view',
    text: 'a list from before an archive was retired is written over a later one',
    plan: 'databaseBackup / SQLite is deleted / twins',
    plant: replaced(listed, 'isListed', () => () => true),
  },
  {
    name: 'failed restore kept',
    family: 'recovery',
    text: 'Retry leaves the failed Job of a restore, which is then found again',
    plan: 'databaseBackup / a restore fails and is tried again',
    plant: replaced(restore, 'discardRestore', () => () => Effect.void),
  },
  {
    name: 'recovery taken for surplus',
    family: 'wrong rule',
    text: 'the Job by which the operator for Postgres recovers a server is removed',
    plan: 'databaseBackup / Postgres is restored to a point',
    plant: replaced(ownedObject, 'isControlled', () => () => false),
  },
];
