import { Optional as optional, Type } from '@sinclair/typebox';
import { causes } from './cause.ts';
import { backupStates, databasePhases, managedDatabasePhases } from './databaseStates.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { provision, reconcileRetry } from './provisioning.ts';
import { resourcesOf } from './resources.ts';

/** The engines of a database. */
export const engines = ['Postgres', 'MySQL', 'SQLite', 'Redis'] as const;

const passwordSecretRef = Type.Object(
  {
    name: shape.text('Secret in core-system.', { default: '' }),
    key: shape.text('Key of the Secret; empty means `password`.'),
    optional: optional(shape.flag('Kept for compatibility; not read.')),
  },
  { description: 'Where the password of an external database is kept.' },
);

const backup = Type.Object(
  {
    enabled: shape.flag(
      'Turns backups on for Postgres, MySQL and SQLite in the cluster; ignored for Redis and external databases.',
    ),
    retentionDays: shape.count('How many days back the database can be restored: 1 to 365, 7 when left out.', {
      default: 7,
      format: 'int32',
      minimum: 1,
      maximum: 365,
    }),
  },
  {
    description:
      "Backups to the bucket that the project's `backupStorage` names: Postgres continuously, MySQL and SQLite daily.",
  },
);

const restoreFrom = Type.Object(
  {
    archive: shape.text('Name of the CoreBackupArchive.', { minLength: 1 }),
    restorePoint: optional(
      shape.text('`id` of one of the restore points of the archive; the newest when neither it nor `time` is set.'),
    ),
    time: optional(shape.time('Moment to restore, within the recovery window of the archive; Postgres only.')),
  },
  {
    description:
      'Backups that a new database starts from; read once, at first provisioning. The original is left as it is.',
    'x-kubernetes-validations': [
      {
        rule: '!(has(self.restorePoint) && has(self.time))',
        message: 'set either restorePoint or time, not both',
      },
    ],
  },
);

const runOn = Type.Object(
  {
    tags: optional(shape.tags('Tags that a node must all carry, beside those the project requires of all it runs.')),
  },
  { description: 'Nodes that the database runs on; read once, at first provisioning, for its data stay there.' },
);

const backupStatus = Type.Object(
  {
    state: shape.choice(
      '`NeedsStorage` has nowhere to put backups, `Starting` takes the first, `AtRisk` lacks the latest changes.',
      backupStates,
    ),
    message: optional(shape.text('The state in a sentence.')),
    archive: optional(shape.text('The CoreBackupArchive that backups go to now.')),
    lastBackupTime: optional(shape.time('When the latest backup finished.', { nullable: true })),
    recoveryWindowStart: optional(shape.time('Earliest moment that can be restored.', { nullable: true })),
  },
  { description: 'Whether the data are safe; absent while backups are off.' },
);

const managed = Type.Object(
  {
    phase: shape.choice('Where the database at its provider stands.', managedDatabasePhases),
    startedAt: optional(shape.time('When the wait for the provider began.', { nullable: true })),
    login: optional(shape.text('Name of the login at the provider, known before it is issued.', { nullable: true })),
    connection: optional(shape.text('CoreCloudConnection that the login is issued by.', { nullable: true })),
    database: optional(shape.text('Database at the provider that the login is for.', { nullable: true })),
    kind: optional(shape.text('Kind of that database: `mysql` or `postgresql`.', { nullable: true })),
    storeFailedAt: optional(shape.time('When a login could last not be stored.', { nullable: true })),
    refusedGeneration: optional(
      shape.count('`metadata.generation` that was refused; only another is looked at again.', {
        format: 'int64',
        nullable: true,
      }),
    ),
  },
  { description: 'The database at its provider, where `ManagedDb` creates it.', nullable: true },
);

const running = Type.Object(
  {
    engine: shape.choice('The engine.', engines),
    placement: shape.choice('Whether it runs in the cluster.', ['InCluster', 'External']),
    version: shape.text('Major version of Postgres, as its server reports it; empty until it does.'),
    storageSize: shape.text('Disk of each instance; empty where nothing is kept on disk.'),
    databaseName: optional(
      shape.text('The database that was made in the server or at the provider; empty where none is.'),
    ),
    highAvailability: optional(shape.flag('Whether it runs with high availability.')),
  },
  { description: 'What was provisioned, in the parts that cannot change any more.', nullable: true },
);

/** A database server of a project's environment, or the shared server of the cluster. */
export const coreDatabase = defineKind({
  kind: 'CoreDatabase',
  plural: 'coredatabases',
  shortNames: ['cdb'],
  describes:
    'A database server: of one environment of a project, in the cluster or elsewhere, or shared by the whole cluster.',
  columns: [
    { name: 'Environment', type: 'string', jsonPath: '.spec.environment' },
    { name: 'Engine', type: 'string', jsonPath: '.spec.engine' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ],
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50",
      message:
        'the name of a database must be lowercase letters, digits and hyphens, begin with a letter and be no more than 50 characters',
    },
  ],
  spec: Type.Object({
    project: optional(shape.text('Project ID; empty makes it the shared server of the cluster.')),
    environment: optional(
      shape.dnsLabel('One of the environments of the project; left out for the shared server.', 63),
    ),
    engine: shape.choice('What it runs. SQLite answers HTTP on port 4001; Redis keeps nothing on disk.', engines),
    placement: shape.choice(
      '`InCluster`, when left out, runs it here; `External` connects to one elsewhere, and nothing is created in the cluster.',
      ['InCluster', 'External'],
      { default: 'InCluster' },
    ),
    provider: optional(
      shape.choice('Provider of an external database; `CloudRds` is a label alone.', ['ManagedDb', 'CloudRds']),
    ),
    mode: optional(
      shape.choice('`Create` with `ManagedDb` has the provider create the database; `Connect` uses one that exists.', [
        'Create',
        'Connect',
      ]),
    ),
    highAvailability: shape.flag(
      'Runs several instances; in the cluster only, not for SQLite, on at least three healthy nodes.',
      { default: false },
    ),
    connectionRef: optional(
      shape.emptyReference('CoreCloudConnection of the same project that holds the token of the provider.'),
    ),
    databaseName: optional(shape.text('Name of the database on the server; the name of this object when empty.')),
    externalHost: optional(shape.text('Host of an external database.')),
    externalPort: optional(
      shape.count('Port of an external database: 5432, 3306, 6379 or 4001 by its engine when left out.', {
        format: 'int32',
      }),
    ),
    clusterSize: optional(
      shape.text('Size that a managed database is created with; the provider decides when empty. Never resizes.'),
    ),
    username: optional(shape.text('Login of an external database.')),
    passwordSecretRef: optional(passwordSecretRef),
    version: shape.text('Major version of Postgres, 16 when left out; other engines ignore it.', { default: '16' }),
    instances: shape.count('Number of instances, one when left out; at least three are used with high availability.', {
      default: 1,
      format: 'int32',
      minimum: 1,
    }),
    storageSize: optional(
      shape.quantity(
        'Disk of each instance, `10Gi` when left out (`1Gi` for SQLite); grows, never shrinks. Redis has none.',
      ),
    ),
    resources: optional(
      resourcesOf(
        'Compute resources of every instance, read when `requests` is set; 250m CPU and 512Mi memory when left out.',
      ),
    ),
    deploy: Type.Object(
      { enabled: shape.flag('False while the database is a draft; a deploy sets it.', { default: false }) },
      { description: 'Whether a database made in the dashboard runs.', default: {} },
    ),
    backup: optional(backup),
    restoreFrom: optional(restoreFrom),
    runOn: optional(runOn),
    serverRegion: optional(
      shape.dnsLabel("Region of the shared server; a project's database follows the project.", 40),
    ),
  }),
  status: Type.Object({
    phase: optional(shape.choice('Where the database stands.', databasePhases)),
    deployRevision: optional(
      shape.text('The annotation `core.platform/deploy-revision` of the newest deploy that was taken up.'),
    ),
    targetNamespace: optional(shape.text('Namespace it runs in.')),
    connectionSecret: optional(
      shape.text('Secret `<name>-connection` there: `host`, `port`, `database`, `username`, `password` and `uri`.'),
    ),
    host: optional(shape.text('Host that programs of the cluster reach it by.')),
    running: optional(running),
    restoredAt: optional(shape.time('When a snapshot was loaded, so that none is loaded twice.', { nullable: true })),
    backup: optional(backupStatus),
    managed: optional(managed),
    reconcileRetry: optional(reconcileRetry),
    provision: optional(provision),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    causes: optional(causes),
    history: optional(history),
  }),
});

export type CoreDatabase = ObjectOf<typeof coreDatabase>;
export type DatabaseSpec = CoreDatabase['spec'];
export type DatabaseStatus = NonNullable<CoreDatabase['status']>;
