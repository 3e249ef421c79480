import * as assert from 'uvu/assert';
import { coreDatabase, type DatabaseSpec } from '../../crds/coreDatabase.ts';
import { withDefaults } from '../../crds/defaults.ts';
import { databaseSummary } from '../../http/views/database.ts';
import { dailySchedule } from '../../rules/backup/schedule.ts';
import { coreBackupArchive, type CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { Created, Explanation, Items, Read, Summary } from '../../http/api.ts';
import { backupArchives, databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { putConnection } from '../support/backups.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { inSystem } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('backups over REST');
let served: Served;

const point = { id: '20261231T020000Z', time: '2026-12-31T02:00:00.000Z' };
const later = () => new Date(Date.now() + 86_400_000).toISOString();

/** One that is due is paused, because its controller would purge it at once. */
async function putArchive(
  name: string,
  of: Partial<CoreBackupArchive['spec']> = {},
  { points = [point], isPaused = false } = {},
) {
  served.world.cluster.put(backupArchives, {
    ...typeMeta(coreBackupArchive),
    metadata: { ...inSystem(name), ...(isPaused && { annotations: { [annotation.paused]: 'true' } }) },
    spec: {
      project: 'shop',
      environment: 'production',
      database: 'old',
      databaseUID: 'gone',
      serverName: name,
      storage: { connectionRef: { name: 'aws' }, bucket: 'core-backup-1', region: 'eu-west-1' },
      retentionDays: 9,
      source: { engine: 'Postgres', version: '15', databaseName: 'orders', storageSize: '10Gi' },
      deleteAfter: later(),
      ...of,
    },
    status: {
      restorePoints: points,
      recoveryWindowStart: point.time,
      recoveryWindowEnd: '2026-12-31T23:00:00.000Z',
      lastBackupTime: point.time,
    },
  });
  await until(() => served.operator.caches.get(backupArchives, name), 'the archive is cached');
}

spec.before.each(async () => {
  served = await serve();
  putDatabaseEnvironment(served.world);
  putConnection(served.world);
  served.world.cluster.put<Secret>(secrets, {
    metadata: inSystem('core-backup-storage-core-backup-1'),
    data: { ACCESS_KEY_ID: 'QQ==', ACCESS_SECRET_KEY: 'Qg==', REGION: 'Qw==' },
  });
  await until(() => served.operator.caches.get(projects, 'shop'), 'the project is cached');
  await until(() => served.operator.caches.get(secrets, 'core-backup-storage-core-backup-1'), 'the Secret is cached');
});
spec.after.each(() => served.stop());

const asked = { archive: 'old-1', project: 'shop', environment: 'production', name: 'again' };
const restore = (fields: object) => served.post('/api/v1/databases/restore', { ...asked, ...fields });
const refusal = async (fields: object) => {
  const { status, text } = await restore(fields);
  return `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
};
const made = () => served.world.cluster.all(databases);
const read = async <A>(path: string): Promise<A> => JSON.parse((await served.ask(path)).text) as A;

spec('an archive without an engine is listed as Postgres', async () => {
  await putArchive('old-1', { source: { version: '15' } });
  const { items } = await read<Items<Summary>>('/api/v1/backup-archives');
  assert.is(items[0]?.details['engine'], 'Postgres');
});

spec(
  'API-003 API-006 archives are listed, read with their restore points, explained and reconciled on request',
  async () => {
    await putArchive('old-1');
    await putArchive('other-1', { project: 'other' });
    await putArchive('staged-1', { environment: 'staging' });
    const named = async (query: string) =>
      (await read<Items<Summary>>(`/api/v1/backup-archives?${query}`)).items.map(({ name }) => name).toSorted();
    assert.equal(await named('project=shop'), ['old-1', 'staged-1']);
    assert.equal(await named('environment=production'), ['old-1', 'other-1']);
    assert.equal(await named('environment=none'), []);
    const { items } = await read<Items<Summary>>('/api/v1/backup-archives?project=shop&environment=production');
    assert.equal(
      items.map(({ name }) => name),
      ['old-1'],
    );
    assert.is(items[0]?.details['restorePoints'], 1);
    assert.is(items[0]?.details['engine'], 'Postgres');
    const one = await read<Read>('/api/v1/backup-archives/old-1');
    assert.equal((one.status as CoreBackupArchive['status'])?.restorePoints, [point]);
    await until(
      async () => (await read<Items<Explanation>>('/api/v1/backup-archives/old-1/explain')).items[0],
      'it is explained',
    );
    assert.is((await served.post('/api/v1/backup-archives/old-1/reconcile', {})).status, 200);
    assert.is((await served.ask('/api/v1/backup-archives/none')).status, 404);
    const bootstrap = await read<{ readonly backupArchives: readonly object[] }>('/api/bootstrap');
    assert.is(bootstrap.backupArchives.length, 3);
  },
);

spec('BAK-010 a database summary has the daily backup time only when a backup is planned', () => {
  const dailyAt = (of: Partial<DatabaseSpec>, name = 'orders', archive = 'orders-1') => {
    const { details } = databaseSummary(
      {
        ...typeMeta(coreDatabase),
        metadata: inSystem(name),
        spec: withDefaults(coreDatabase.spec, of),
        status: { backup: { state: 'Protected', archive } },
      },
      'viewer',
    );
    return (details['backup'] as { readonly dailyAt?: string }).dailyAt;
  };
  assert.is(`${dailyAt({ engine: 'SQLite' })}`.replace(/^02:0?(\d+)$/, '$1 2 * * *'), dailySchedule('orders'));
  assert.is(dailyAt({ engine: 'SQLite' }, 'orders', ''), '', 'it has no archive');
  const long = 'a'.repeat(46);
  assert.is(dailyAt({ engine: 'SQLite' }, long), '', 'no CronJob can have the name');
  assert.match(dailyAt({ engine: 'Postgres' }, long) ?? '', /^02:[0-2]\d$/);
});

spec('BAK-047 a retention is accepted only from 1 to 365 days', async () => {
  const asked = { project: 'shop', environment: 'production', name: 'orders', engine: 'SQLite' };
  const saved = async (retentionDays: unknown) =>
    (await served.post('/api/v1/databases', { ...asked, backup: { enabled: true, retentionDays } })).status;
  for (const days of [0, 366, -1, 1.5, '7']) assert.is(await saved(days), 400, String(days));
  assert.equal(made(), []);
  assert.is(await saved(365), 201);
});

spec(
  'BAK-088 BAK-089 BAK-022 a restore creates and deploys a new database with the settings of its archive',
  async () => {
    await putArchive('old-1');
    const { status, text } = await restore({ time: '2026-12-31T12:00:00Z' });
    assert.is(status, 201, text);
    const told = JSON.parse(text) as Created;
    assert.equal([told.name, told.deployed, told.draft], ['again', true, false]);
    const [database] = made();
    const { engine, version, databaseName, storageSize, backup, restoreFrom, deploy } = database?.spec ?? {};
    assert.equal(
      { engine, version, databaseName, storageSize, backup, restoreFrom, deploy },
      {
        engine: 'Postgres',
        version: '15',
        databaseName: 'orders',
        storageSize: '10Gi',
        backup: { enabled: true, retentionDays: 9 },
        restoreFrom: { archive: 'old-1', time: '2026-12-31T12:00:00Z' },
        deploy: { enabled: true },
      },
    );
  },
);

spec(
  'BAK-091 BAK-092 BAK-093 BAK-094 BAK-095 BAK-096 BAK-097 BAK-098 BAK-099 BAK-100 BAK-102 BAK-103 an impossible restore is refused with its status and creates nothing',
  async () => {
    await putArchive('old-1');
    await putArchive('foreign-1', { project: 'other' });
    await putArchive('empty-1', {}, { points: [] });
    await putArchive('due-1', { deleteAfter: new Date(Date.now() - 3_600_000).toISOString() }, { isPaused: true });
    await putArchive('away-1', {
      storage: { connectionRef: { name: 'none' }, bucket: 'core-backup-1', region: 'eu-west-1' },
    });
    for (const [fields, words] of [
      [{ archive: 'none' }, '404 These backups are no longer available'],
      [{ archive: 'due-1' }, '404 These backups are no longer available'],
      [{ archive: 'foreign-1' }, '400 Backups from another project cannot be restored here'],
      [{ engine: 'MySQL' }, '400 A restored database must use the same engine as the original (Postgres)'],
      [{ version: '16' }, '400 A restored database must use Postgres version 15, the version of the backup'],
      [{ databaseName: 'x' }, '400 A restored database must keep the database name orders'],
      [{ storageSize: '9Gi' }, '400 A restored database needs at least 10Gi of storage, the size of the original'],
      [{ archive: 'empty-1' }, '409 These backups have no restore points yet'],
      [{ restorePoint: 'x' }, '400 The chosen restore point is not available'],
      [{ time: '2026-12-30T00:00:00Z' }, `400 The chosen time is earlier than the oldest restore point, ${point.time}`],
      [
        { time: '2027-12-30T00:00:00Z' },
        '400 The chosen time is later than the newest recoverable moment, 2026-12-31T23:00:00.000Z',
      ],
      [
        { time: '2026-12-31T12:00:00Z', restorePoint: point.id },
        '400 Choose either a restore point or a time, not both',
      ],
      [{ archive: 'away-1' }, '502 The backup storage is not available: cloud connection "none" was not found'],
    ] as const)
      assert.is(await refusal(fields), words);
    assert.match(await refusal({ environment: 'none' }), /^400 project "shop" has no none environment/);
    assert.match(await refusal({ time: 'yesterday' }), /^400 /);
    assert.equal(made(), []);
  },
);

spec.run();
