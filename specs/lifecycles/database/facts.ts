import * as fc from 'fast-check';
import type {
  DatabaseFacts,
  DatabaseRestore,
  DatabaseObserved,
  DatabaseWanted,
} from '../../../rules/database/facts.ts';
import type { DatabaseStanding } from '../../../rules/database/ready.ts';
import { known } from '../../../rules/fact.ts';
import type { AvailableCapacity } from '../../../rules/capacity.ts';
import { seen as managed } from '../managedDatabase/facts.ts';
import { perhaps } from '../../support/facts.ts';
import { course, gate, oftenBy, retry } from '../provision/facts.ts';

const deletedAt = 1_700_000_000_000;
const tenMinutes = 10 * 60 * 1000;
const quarter = 15 * 60 * 1000;

const often = oftenBy(40);
const rarely = <T>(usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const wanted: fc.Arbitrary<DatabaseWanted> = fc.record({
  engine: fc.constantFrom('Postgres', 'MySQL', 'SQLite', 'Redis'),
  placement: fc.constantFrom('InCluster' as const, 'InCluster' as const, 'External' as const),
  provider: fc.constantFrom('', 'ManagedDb', 'CloudRds'),
  managed: fc.constantFrom(false, false, false, false, false, true),
  highAvailability: fc.constantFrom(false, false, true),
  instances: fc.constantFrom(1, 2, 3, 4),
  backup: fc.boolean(),
  restoreFrom: fc.boolean(),
  version: fc.constantFrom('16', '16', '17', '9'),
  storageSize: fc.constantFrom('10Gi', '10240Mi', '20Gi', '9Gi', ''),
  databaseName: fc.constantFrom('orders', 'orders', 'ledger', ''),
  missing: often<readonly string[]>([], ['host'], ['username', 'password']),
  passwordAwaited: often('', 'orders-password'),
  misnamed: often('', 'databaseName postgres is a database of the server itself'),
  unsupported: often('', 'Redis databases are not run here yet'),
});

const storage = rarely<DatabaseObserved['storage']>(
  { is: 'ready' },
  fc.record({
    is: fc.constant('awaited' as const),
    limited: fc.constantFrom(true, true, false),
    waitedMs: fc.constantFrom(0, quarter - 1, quarter, quarter + 1, 9 * quarter),
  }),
);

const anyAround: fc.Arbitrary<DatabaseObserved> = fc.record({
  project: often<DatabaseObserved['project']>(
    { name: 'shop', is: 'fine' },
    { name: 'shop', is: 'absent' },
    { name: 'shop', is: 'notReady' },
    { name: 'shop', is: 'withoutEnvironment' },
    { name: '', is: 'none' },
  ),
  environment: fc.constantFrom('production', 'pr-7'),
  cluster: often({ name: 'main', ready: true }, { name: 'main', ready: false }),
  cloud: often<DatabaseObserved['cloud']>(
    { name: '', is: 'none', project: '' },
    { name: 'aws', is: 'absent', project: '' },
    { name: 'aws', is: 'otherProject', project: 'blog' },
    { name: 'aws', is: 'unscoped', project: '' },
    { name: 'aws', is: 'fine', project: 'shop' },
  ),
  haReport: fc.oneof(
    { weight: 12, arbitrary: fc.constant({ ready: true, healthyNodes: 3 }) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.record({ ready: fc.boolean(), healthyNodes: fc.constantFrom(0, 2, 3, 4) }) },
  ),
  canGrow: fc.constantFrom(true, true, true, false),
  uninstalled: often('', 'The Postgres operator'),
  storage,
  workload: fc.constantFrom(
    'absent' as const,
    'stale' as const,
    ...Array.from({ length: 4 }, () => 'current' as const),
  ),
  chart: often<DatabaseObserved['chart']>('none', 'installing'),
  pods: fc.constantFrom('running', 'running', 'running', 'running', 'starting', 'failed', 'none'),
  notActed: often<DatabaseObserved['notActed']>('', 'failover'),
  contested: fc.constant([]),
  managed: rarely(null, managed),
  ran: rarely<DatabaseObserved['ran']>(
    null,
    fc.record({
      engine: fc.constantFrom('Postgres', 'MySQL', 'SQLite', 'Redis'),
      placement: fc.constantFrom('InCluster' as const, 'InCluster' as const, 'External' as const),
      version: fc.constantFrom('16', '15', '10'),
      storageSize: fc.constantFrom('10Gi', '9Gi', ''),
      databaseName: fc.constantFrom('', 'orders', 'orders', 'ledger'),
      highAvailability: fc.boolean(),
    }),
  ),
  restoreRefused: often<DatabaseObserved['restoreRefused']>(
    null,
    { counts: 'permanent', why: 'These backups are no longer available' },
    { counts: 'counted', why: 'The backup storage is not available: AccessDenied' },
    { counts: 'waiting', why: 'These backups have no restore points yet' },
  ),
  room: fc.record({
    crowded: often<AvailableCapacity['crowded']>(null, { cpu: '250m', memory: '512Mi', free: '100m CPU' }),
    nodes: often<AvailableCapacity['nodes']>('fit', 'none', 'reserved', 'full'),
  }),
  region: fc.constantFrom('', 'eu'),
  tags: fc.constantFrom([], ['ssd'], ['ssd', 'gpu']),
  connected: fc.boolean(),
  failure: often<DatabaseObserved['failure']>(
    null,
    { counts: 'permanent', why: 'access denied' },
    { counts: 'counted', why: 'connection reset' },
    { counts: 'waiting', why: 'the API does not answer' },
  ),
});

/** A database that serves while a change of it waits. */
const servingMeanwhile = (of: DatabaseObserved): DatabaseObserved => ({
  ...of,
  ran: of.ran ?? { engine: 'Postgres', placement: 'InCluster', version: '16', storageSize: '10Gi' },
  pods: 'running',
  connected: true,
  failure: { counts: 'waiting', why: 'the API does not answer' },
});

const around: fc.Arbitrary<DatabaseObserved> = fc.oneof(
  { weight: 15, arbitrary: anyAround },
  { weight: 1, arbitrary: anyAround.map(servingMeanwhile) },
);

const restore: fc.Arbitrary<DatabaseRestore> = fc.record({
  job: fc.constantFrom('absent', 'absent', 'running', 'succeeded', 'failed'),
  recorded: fc.constantFrom(false, false, true),
  served: fc.constantFrom(false, false, true),
});

const plain = { gate, retry, wanted, restore } as const;
const sinceDeletion = fc.constantFrom(0, tenMinutes - 1, tenMinutes, tenMinutes + 1);
const finalBackup = fc.constantFrom(
  'running' as const,
  'running' as const,
  'finished' as const,
  'failed' as const,
  'absent' as const,
);

/** Known facts. */
export const facts: fc.Arbitrary<DatabaseFacts> = fc
  .record({
    ...plain,
    sinceDeletion,
    deleted: fc.constantFrom(false, false, false, false, false, true),
    around: around.map(known),
    finalBackup: finalBackup.map(known),
    remains: fc.constantFrom<readonly string[]>([], ['PersistentVolumeClaim shop-production/orders']).map(known),
  })
  .map(({ sinceDeletion: since, deleted, ...rest }) => ({
    ...rest,
    now: deletedAt + since,
    deletedAt: deleted ? deletedAt : null,
  }));

const number = fc.constantFrom(0, -1, Number.NaN, Number.MAX_SAFE_INTEGER);
const text = fc.constantFrom('', 'postgres', '__proto__', '<b>', 'x'.repeat(10_000));

/** Invalid facts. */
export const invalid: fc.Arbitrary<DatabaseFacts> = fc.record({
  ...plain,
  now: number,
  deletedAt: fc.option(number),
  wanted: fc
    .tuple(wanted, text, number)
    .map(([of, engine, instances]) => ({ ...of, engine, provider: engine, instances, missing: [engine] })),
  around: perhaps(
    fc.tuple(around, text, number).map(([of, name, waitedMs]) => ({
      ...of,
      environment: name,
      region: name,
      tags: [name],
      storage: { is: 'awaited' as const, limited: true, waitedMs },
      haReport: { ready: true, healthyNodes: waitedMs },
      failure: { counts: of.connected ? ('counted' as const) : ('permanent' as const), why: name },
    })),
  ),
  finalBackup: perhaps(finalBackup),
  remains: perhaps(fc.constantFrom<readonly string[]>([], ['<b>'])),
});

/** A database with its progress, for the Ready condition. */
export const standing: fc.Arbitrary<DatabaseStanding> = fc
  .record({
    around,
    wanted,
    restore,
    ...course(often),
    provisioned: often(true, false),
    leaving: often<DatabaseStanding['leaving']>(null, 'lastBackup', 'deletion'),
  })
  .map(({ around: of, ...rest }) => ({ ...of, ...rest }));
