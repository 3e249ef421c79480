import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import { type DatabaseStanding, databaseReady } from '../../../rules/database/ready.ts';
import type { StartingPod } from '../../../rules/pods.ts';
import { suite } from '../../support/suite.ts';
import { served } from '../servedDatabase.ts';
import { endedPod, hanging, input, jobOf, now, told, unpulledPod } from './told.ts';

const spec = suite('the causes of a database');

const self = input('CoreDatabase', { causeOf: (_, name) => (name === 'shop' ? hanging : undefined) });
const lines = (change: Partial<DatabaseStanding>, given = self) => told(databaseReady, { ...served, ...change }, given);
const wanted = (change: Partial<DatabaseStanding['wanted']>) => ({ wanted: { ...served.wanted, ...change } });
const withJob = (...pods: readonly StartingPod[]) => ({ ...self, job: () => jobOf(...pods) });
const copies = () =>
  [
    { reason: 'OutOfMemory', message: { text: 'killed' }, on: { kind: 'Cluster', name: 'it', namespace: 'n' } },
  ] as const;
const byCopies = ['failure OutOfMemory on Cluster it: killed'];

spec('a database that serves has no cause', () => {
  assert.equal(lines({}), []);
});

spec('DB-173 DB-175 a wait for the project or its cluster ends in the root of that', () => {
  assert.equal(lines({ project: { name: 'shop', is: 'notReady' } }), [
    'waiting ProjectNotReady on CoreProject shop: project "shop" is not ready: namespace "shop-staging" is being deleted',
  ]);
  assert.equal(lines({ cluster: { name: 'main', ready: false } }), [
    'waiting ClusterNotReady on CoreCluster main: project "shop" cluster "main" is not ready',
  ]);
});

spec('DB-199 what was given up keeps the cause of the row that would hold otherwise', () => {
  const gaveUp = { by: 'failures' } as const;
  assert.match(lines({ gaveUp, project: { name: 'shop', is: 'notReady' } })[0] ?? '', /^waiting ProjectNotReady/);
  assert.equal(lines({ gaveUp }), []);
});

spec('DB-183 DB-184 the storage class is named, and until when it is awaited', () => {
  const storage = { is: 'awaited', class: 'core-replicated', limited: true, since: now, waitedMs: 0 } as const;
  const line =
    'waiting StorageClassMissing on StorageClass core-replicated: storage class "core-replicated" is not there';
  assert.equal(lines({ storage }), [`${line}; it is awaited until 2026-07-01T12:15:00.000Z`]);
  assert.equal(lines({ storage: { ...storage, waitedMs: 900_000 } }), [
    `${line}; it is awaited until 2026-07-01T12:15:00.000Z`,
  ]);
  assert.equal(lines({ storage: { ...storage, limited: false } }), [line]);
});

spec('DB-189 DB-190 DB-191 a chart that is installed is named; its Job tells why it fails or does not start', () => {
  const installing = { ...wanted({ engine: 'MySQL' }), chart: 'installing', pods: 'none' } as const;
  assert.equal(lines(installing), [
    'progress ChartInstalling on HelmChart core-mysql-it: Installing MySQL database chart',
  ]);
  assert.equal(lines(installing, withJob(endedPod(1, 'no such chart'))), [
    'failure ChartFailed on Job the-job: the-job failed: exit code 1',
  ]);
  assert.match(lines(installing, withJob(unpulledPod))[0] ?? '', /^failure ImagePullFailed/);
  const redis = lines({ ...installing, ...wanted({ engine: 'Redis' }) });
  assert.match(redis[0] ?? '', /on HelmChart core-redis-db-it: Installing Redis/);
  const postgres = lines({ ...installing, ...wanted({}) });
  assert.match(postgres[0] ?? '', /on HelmChart core-pg-operator: Installing Postgres/);
});

spec('DB-192 DB-193 DB-194 DB-195 pods tell why they start or failed, as those of a service', () => {
  for (const engine of ['Postgres', 'MySQL', 'Redis', 'SQLite'])
    for (const pods of ['starting', 'failed'] as const)
      assert.equal(lines({ ...wanted({ engine }), pods }, { ...self, copies }), byCopies, `${engine} ${pods}`);
  assert.equal(lines({ ...wanted({ engine: 'MySQL' }), pods: 'failed' }, withJob(endedPod(1))), [
    'failure ChartFailed on Job the-job: the-job failed: exit code 1',
  ]);
  assert.equal(lines({ pods: 'starting' }), [
    'progress CopiesStarting on CoreDatabase it: Postgres database is starting',
  ]);
});

spec('DB-179 the report of nodes tells how many are healthy and when they were counted; none tells that', () => {
  const high = wanted({ highAvailability: true });
  assert.equal(lines({ ...high, haReport: null }), [
    'failure ReadinessReportMissing on CoreDatabase it: there is no report of healthy nodes',
  ]);
  const haReport = { ready: true, healthyNodes: 2, name: 'core', checkedAt: '2026-06-30T00:00:00Z' };
  assert.equal(lines({ ...high, haReport }), [
    'failure ReadinessReportMissing on CoreHAReadiness core: 2 of 3 healthy nodes, checked 2026-06-30T00:00:00Z',
  ]);
});

spec('DB-196 DB-196a BAK-104 BAK-104a a restore names its Job and since when; a failed one its exit code', () => {
  const loading = { ...wanted({ engine: 'MySQL', restoreFrom: true }), connected: false };
  const recovering = { ...wanted({ restoreFrom: true }), pods: 'starting', connected: false } as const;
  for (const change of [loading, recovering]) {
    assert.equal(lines(change, withJob()), [
      'progress Restoring on Job the-job: the-job loads the backup since 2026-07-01T11:55:00.000Z',
    ]);
    assert.equal(lines(change), ['progress Restoring on CoreDatabase it: Restoring database from backup']);
    const failed = { ...change, restore: { ...served.restore, job: 'failed' } } as const;
    assert.equal(lines(failed, withJob(endedPod(3))), [
      'failure RestoreFailed on Job the-job: the-job failed: exit code 3',
    ]);
    assert.match(lines(failed)[0] ?? '', /^failure RestoreFailed on CoreDatabase it: The restore could not/);
  }
});

spec('BAK-091 BAK-097 BAK-103 a refused restore names its archive', () => {
  const refused = (counts: 'waiting' | 'counted' | 'permanent') =>
    lines({ restoreRefused: { counts, why: 'why', archive: 'old' } })[0];
  assert.is(refused('waiting'), 'waiting Restoring on CoreBackupArchive old: why');
  assert.is(refused('counted'), 'failure BackupStorageFailing on CoreBackupArchive old: why');
  assert.is(refused('permanent'), 'failure SettingRefused on CoreBackupArchive old: why');
});

spec('DB-093 DB-095 DB-151a DB-151c the provider tells its own state, and whether it refuses or is silent', () => {
  const managed = {
    engine: 'MySQL',
    name: 'orders',
    stored: false,
    failure: '',
    weight: 'waiting',
    found: '',
    ready: false,
    storeFailed: false,
    waitedMs: 0,
    until: 'T',
  } as const;
  const at = (change: Partial<NonNullable<DatabaseStanding['managed']>>) =>
    lines({ ...wanted({ placement: 'External', managed: true }), managed: { ...managed, ...change } })[0] ?? '';
  assert.is(
    at({}),
    'progress ProviderStarting on CoreDatabase it: ManagedDb database is starting: not created yet, awaited until T',
  );
  assert.match(at({ found: 'mysql' }), /: created and not ready, awaited until T$/);
  assert.match(at({ found: 'mysql', waitedMs: 1_800_000 }), /^failure ProviderStarting/);
  assert.match(at({ failure: 'HTTP 503' }), /^progress CloudSilent/);
  assert.match(at({ failure: 'HTTP 409', weight: 'counted' }), /^failure CloudRefused/);
});

spec('DB-199 DB-233 a database that was given up keeps what its provider answered, though nobody asks again', () => {
  const recorded: StoredCause = {
    of: 'Ready',
    reason: 'SettingRefused',
    severity: 'failure',
    message: 'ManagedDb database "it" already exists as postgresql, not mysql',
    on: { kind: 'CoreDatabase', name: 'it', namespace: 'core-system' },
    since: '2026-07-01T12:00:00.000Z',
    gaveUp: true,
  };
  const after = (cause: StoredCause) =>
    lines(
      { ...wanted({ placement: 'External', managed: true }), gaveUp: { by: 'failures' } },
      { ...self, causeOf: () => cause },
    );
  assert.equal(after(recorded), [`failure SettingRefused on CoreDatabase it: ${recorded.message}`]);
  assert.equal(after({ ...recorded, resolved: true }), []);
  assert.equal(after({ ...recorded, reason: 'ProjectNotReady' }), []);
  const { gaveUp: _, ...retried } = recorded;
  assert.match(after(retried)[0] ?? '', /^progress ProviderStarting/);
});

spec('DB-043 a missing Secret and a missing key are told apart', () => {
  const external = { placement: 'External', passwordAwaited: 'pw' } as const;
  assert.equal(lines(wanted(external)), ['failure SecretMissing on Secret pw: Secret "pw" is missing']);
  assert.equal(lines(wanted({ ...external, passwordKey: 'password' })), [
    'failure KeyMissing on Secret pw: Secret "pw": key "password" is missing',
  ]);
});

spec('DB-142 what is still to be written is named, or who keeps changing it back', () => {
  const on = { kind: 'Service', name: 'orders', namespace: 'shop-live' };
  assert.equal(lines({ connected: false, due: [on] }), [
    'progress CopiesStarting on Service orders: Service "orders" is being written',
  ]);
  assert.equal(lines({ connected: false, contested: ['Service orders keeps being overwritten by x'] }), [
    'note Contested on CoreDatabase it: Service orders keeps being overwritten by x',
  ]);
  assert.equal(lines({ connected: false }, { ...self, copies }), byCopies);
  assert.equal(lines({ connected: false, due: [on], gaveUp: { by: 'failures' } }), [], 'nothing is written any more');
});

spec('DB-151 DB-152a a failed act is told by the words of the cluster', () => {
  const on = { kind: 'Secret', name: 'orders-bootstrap', namespace: 'shop-live' };
  const why = 'Secret shop-live/orders-bootstrap already exists and is not managed by Core';
  assert.match(lines({ failure: { counts: 'counted', why, on } })[0] ?? '', /^failure ForeignObject on Secret orders/);
  assert.match(lines({ failure: { counts: 'permanent', why: 'denied' } })[0] ?? '', /^failure ClusterRefused/);
});

spec.run();
