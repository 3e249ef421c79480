import { Optional as optional, Type } from '@sinclair/typebox';
import { engines } from './coreDatabase.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { resourcesOf } from './resources.ts';

const fixed = (field: string) => ({
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: `${field} cannot be changed` }],
});

const storage = Type.Object(
  {
    connectionRef: shape.emptyReference('CoreCloudConnection of the account that owns the bucket.'),
    bucket: shape.bucket('Bucket; created when it is missing.'),
    region: optional(shape.text('Cloud region of the bucket, as it was found.', { maxLength: 63 })),
  },
  { description: 'Where the backups are; fixed when the archive is made.', ...fixed('storage') },
);

const source = Type.Object(
  {
    engine: optional(shape.choice('Engine of the database; empty means Postgres.', ['', ...engines])),
    version: optional(shape.text('Major version of Postgres; a restored database has the same.')),
    databaseName: optional(shape.text('Name of the database on its server, of Postgres and MySQL.')),
    storageSize: optional(shape.quantity('Disk of the database; a restored one needs at least as much.')),
    resources: optional(resourcesOf('Compute resources of the database.')),
  },
  { description: 'What the database was, so that a restored one can be like it.' },
);

const restorePoint = Type.Object({
  id: shape.text('Names the restore point.'),
  time: shape.time('The moment it restores.'),
});

/** The backups of one database, which may outlive it. */
export const coreBackupArchive = defineKind({
  kind: 'CoreBackupArchive',
  plural: 'corebackuparchives',
  shortNames: ['cba'],
  describes: 'The backups of one database, and how far back they reach. Written by the platform; they may outlive it.',
  columns: [
    { name: 'Database', type: 'string', jsonPath: '.spec.database' },
    { name: 'Last backup', type: 'date', jsonPath: '.status.lastBackupTime' },
    // A string column, because kubectl shows a date column as an age and this date lies in the future.
    { name: 'Delete after', type: 'string', jsonPath: '.spec.deleteAfter' },
  ],
  spec: Type.Object({
    project: shape.text('Project ID of the owner of the database.', { minLength: 1 }),
    environment: shape.dnsLabel('Environment of the database.', 63),
    database: shape.text('Name of the CoreDatabase.', { maxLength: 253, ...fixed('database') }),
    databaseUID: shape.text(
      '`metadata.uid` of the database, which distinguishes it from a later one of the same name.',
      {
        maxLength: 63,
        ...fixed('databaseUID'),
      },
    ),
    serverName: shape.text('Folder of the backups: the start of the name of the database and of its UID.', {
      maxLength: 253,
      ...fixed('serverName'),
    }),
    storage,
    retentionDays: shape.count('How many days back the database can be restored: 1 to 365.', {
      format: 'int32',
      minimum: 1,
      maximum: 365,
    }),
    source: optional(source),
    deleteAfter: optional(
      shape.time('When the backups are removed; empty while the database is protected by them.', { nullable: true }),
    ),
  }),
  status: Type.Object({
    lastBackupTime: optional(shape.time('When the latest backup finished.', { nullable: true })),
    recoveryWindowStart: optional(shape.time('Earliest moment that can be restored.', { nullable: true })),
    recoveryWindowEnd: optional(
      shape.time('Latest moment known to be restorable, some five minutes ago while the database runs.', {
        nullable: true,
      }),
    ),
    restorePoints: optional(
      Type.Array(restorePoint, {
        description: 'Base backups, or daily snapshots of MySQL and SQLite: the newest 100, newest first.',
        maxItems: 100,
      }),
    ),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    history: optional(history),
  }),
});

export type CoreBackupArchive = ObjectOf<typeof coreBackupArchive>;
export type BackupArchiveSpec = CoreBackupArchive['spec'];
export type BackupArchiveStatus = NonNullable<CoreBackupArchive['status']>;
