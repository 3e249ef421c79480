import * as assert from 'uvu/assert';
import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { storageClasses } from '../../runtime/owned/addonKinds.ts';
import { kubelet, putNode, putDatabaseEnvironment, standing } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('changes, stop and connection of databases over REST');
let served: Served;
const at = '/api/v1/databases/orders';
const placed = { project: 'shop', environment: 'production', name: 'orders' };

spec.before.each(async () => {
  served = await serve();
  putDatabaseEnvironment(served.world);
  await until(() => served.operator.caches.get(projects, 'shop'), 'the project is cached');
});
spec.after.each(() => served.stop());

const stored = (): CoreDatabase | undefined =>
  served.world.cluster.all(databases).find(({ metadata }) => metadata.name === 'orders');
const said = ({ status, text }: { readonly status: number; readonly text: string }) =>
  `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
const patch = async (fields: object) =>
  said(
    await served.ask(at, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    }),
  );

async function ready(fields: object = {}) {
  const made = await served.post('/api/v1/databases', { ...placed, engine: 'SQLite', deploy: true, ...fields });
  assert.is(made.status, 201, made.text);
  await until(() => standing(served.world).length >= 3, 'it is applied');
  kubelet(served.world, 'runs');
  await until(() => stored()?.status?.running, 'it is provisioned');
}

spec(
  'KND-052 DB-131 DB-134 a changed setting waits for a deploy, and storage and engine of a deployed database are fixed',
  async () => {
    await ready({ storageSize: '10Gi' });
    assert.is(
      await patch({ storageSize: '9Gi' }),
      '409 storage can be increased but not decreased once deployed (currently 10Gi)',
    );
    assert.is(await patch({ engine: 'Redis' }), '409 the engine of a database cannot change (it runs SQLite)');
    assert.is(await patch({ storageSize: '20Gi' }), '200 ');
    await until(() => stored()?.spec.storageSize === '20Gi', 'it is saved');
    const { text } = await served.ask(`${at}/changes`);
    assert.equal((JSON.parse(text) as { readonly items: unknown }).items, [
      { path: 'spec.storageSize', kind: 'settings', deployed: '10Gi', saved: '20Gi' },
    ]);
  },
);

spec('DB-132 DB-133 DB-135 DB-204 DB-205 an impossible change is refused with the documented sentence', async () => {
  served.world.cluster.put(storageClasses, {
    metadata: { name: 'plain', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  });
  await ready({ storageSize: '10Gi' });
  assert.is(await patch({ storageSize: '512Mi' }), '400 storageSize must be at least 1Gi');
  assert.is(
    await patch({ storageSize: '20Gi' }),
    "409 this cluster's storage can't be resized, so a deployed database stays at 10Gi",
  );
  assert.is(
    await patch({ runOn: { tags: ['ssd'] } }),
    '409 A database keeps its data on the nodes it was first deployed to, so which nodes it runs on cannot change after that',
  );
  assert.is(await patch({ highAvailability: true }), '400 SQLite does not support high availability');
  const other = { ...placed, name: 'cache', engine: 'Redis', backup: { enabled: true } };
  assert.is(
    said(await served.post('/api/v1/databases', other)),
    '400 Backups are not available for this kind of database',
  );
});

spec('DB-030 DB-032 a field set to null in a patch is removed', async () => {
  const external = { engine: 'Postgres', placement: 'External', externalHost: 'h', externalPort: 5433, version: '17' };
  await served.post('/api/v1/databases', { ...placed, ...external, backup: { enabled: false, retentionDays: 9 } });
  await until(() => stored()?.status?.phase === 'Draft', 'it is a draft');
  assert.is(await patch({ externalPort: 65_536 }), '400 externalPort must be a whole number from 1 to 65535');
  assert.is(await patch({ engine: null }), '400 engine must be Postgres, MySQL, SQLite or Redis');
  assert.is(
    await patch({ externalPort: null, version: null, backup: { enabled: false, retentionDays: null } }),
    '200 ',
  );
  const { externalPort, version, backup } = stored()?.spec ?? {};
  assert.equal([externalPort, version, backup], [undefined, '16', { enabled: false, retentionDays: 7 }]);
});

spec('DB-044 KND-052 a patch with default values leaves nothing waiting', async () => {
  await ready();
  assert.is(await patch({ version: null, storageSize: null, displayName: '' }), '200 ');
  assert.is(stored()?.metadata.annotations?.['core.platform/pending-changes'], undefined);
  const { text } = await served.ask(at);
  assert.is(
    (JSON.parse(text) as { readonly resource: { readonly displayName: string } }).resource.displayName,
    'orders',
  );
});

spec('a name too long for its engine is refused, and so is a database of the server itself', async () => {
  const long = { ...placed, engine: 'Postgres', name: 'a'.repeat(37) };
  assert.match(said(await served.post('/api/v1/databases', long)), /^400 name must be .* no more than 36 characters$/);
  const taken = { ...placed, engine: 'Postgres', databaseName: 'postgres' };
  assert.is(
    said(await served.post('/api/v1/databases', taken)),
    '400 databaseName postgres is a database of the server itself',
  );
});

spec('DB-144 DB-209 a deploy without room is refused with the amounts and not saved', async () => {
  await served.post('/api/v1/databases', { ...placed, engine: 'Postgres' });
  await until(() => stored()?.status?.phase === 'Draft', 'it is a draft');
  putNode(served.world, '100m');
  const before = stored()?.metadata.resourceVersion;
  assert.is(
    said(await served.post(`${at}/deploy`, {})),
    '409 This Postgres database needs about 250m CPU and 512Mi memory. The cluster currently has 100m CPU and 8Gi memory available',
  );
  assert.is(stored()?.metadata.resourceVersion, before);
});

spec('DB-146 KND-057 a stop that repeats the name leaves a draft without objects', async () => {
  await ready();
  assert.is(said(await served.post(`${at}/stop`, {})), '400 confirmName must be the name of the database');
  const { status, text } = await served.post(`${at}/stop`, { confirmName: 'orders' });
  assert.equal([status, (JSON.parse(text) as { readonly state: string }).state], [200, 'draft']);
  await until(() => stored()?.status?.phase === 'Draft' && standing(served.world).length === 0, 'nothing is left');
  assert.match(said(await served.post(`${at}/stop`, { confirmName: 'orders' })), /^409 /);
});

spec(
  'DB-160 DB-161 DB-162 DB-163 SEC-033 the connection is readable when the database is connected, and revealing its password is logged',
  async () => {
    await served.post('/api/v1/databases', {
      ...placed,
      engine: 'SQLite',
    });
    await until(() => stored()?.status?.phase === 'Draft', 'it is a draft');
    assert.is(said(await served.ask(`${at}/connection`)), '409 the database has no connection yet');
    await served.post(`${at}/deploy`, {});
    await until(() => standing(served.world).length >= 3, 'it is applied');
    kubelet(served.world, 'runs');
    await until(() => stored()?.status?.connectionSecret, 'it is connected');
    const told = await served.ask(`${at}/connection`);
    const host = 'orders.shop-production.svc';
    assert.equal(JSON.parse(told.text), { host, port: '4001', database: 'orders', username: '' });
    const revealed = await served.ask(`${at}/connection?reveal=true`);
    assert.equal(JSON.parse(revealed.text), {
      host,
      port: '4001',
      database: 'orders',
      username: '',
      password: '',
      uri: `http://${host}:4001`,
    });
    assert.is(revealed.headers['cache-control'], 'no-store');
    assert.equal(
      served.lines.filter(({ message }) => message === 'Connection details revealed').map(({ fields }) => fields),
      [{ kind: 'CoreDatabase', name: 'orders', by: 'admin' }],
    );
  },
);

spec.run();
