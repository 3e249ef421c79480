import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreCloudConnection } from '../../crds/coreCloudConnection.ts';
import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { typeMeta } from '../../crds/kind.ts';
import type { ClusterSize, Connection, HAReadiness, Items, Summary } from '../../http/api.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { cloudConnections, databases, haReadiness, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { ProviderFailed } from '../../runtime/services/managedDb.ts';
import { putReport, putDatabaseEnvironment } from '../support/database.ts';
import { inSystem } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('managed databases and readiness reports over REST');
let served: Served;

spec.before.each(async () => {
  served = await serve();
  const { cluster } = served.world;
  putDatabaseEnvironment(served.world);
  for (const project of ['shop', 'blog'])
    cluster.put(cloudConnections, {
      ...typeMeta(coreCloudConnection),
      metadata: inSystem(`of-${project}`),
      spec: { project, provider: 'ManagedDb', secretRef: { name: 'provider-token' } },
    });
  cluster.put(secrets, {
    metadata: inSystem('provider-token'),
    data: { organization: btoa('acme'), token: btoa('id:s3cret') },
  });
  const { caches } = served.operator;
  await until(
    () =>
      caches.get(projects, 'shop') && caches.get(cloudConnections, 'of-blog') && caches.get(secrets, 'provider-token'),
    'all is cached',
  );
});
spec.after.each(() => served.stop());

const errorIn = (text: string) => (JSON.parse(text) as { readonly error?: string }).error ?? '';
const sizes = (query: string) => served.ask(`/api/v1/managed-db/cluster-sizes?${query}`);
const managed = {
  name: 'orders',
  project: 'shop',
  environment: 'production',
  engine: 'MySQL',
  placement: 'External',
  provider: 'ManagedDb',
  mode: 'Create',
  connectionRef: { name: 'of-shop' },
};
const create = async (fields: object) => {
  const { status, text } = await served.post('/api/v1/databases', { ...managed, ...fields });
  return `${status} ${errorIn(text)}`.trim();
};
const patch = (fields: object) =>
  served.ask('/api/v1/databases/orders', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
const stored = (): CoreDatabase | undefined => served.world.cluster.all(databases)[0];

spec('DB-168 the sizes offered by the provider are listed', async () => {
  const { status, text } = await sizes('project=shop&connection=of-shop&engine=MySQL');
  assert.is(status, 200, text);
  const { items } = JSON.parse(text) as Items<ClusterSize>;
  assert.equal(
    items.map(({ name }) => name),
    ['S_10', 'S_20'],
  );
  assert.not.match(text, /s3cret/);
});

spec('DB-168 SEC-027 the sizes of a connection are listed only for its own project', async () => {
  const refusal = async (query: string) => {
    const { status, text } = await sizes(query);
    return `${status} ${errorIn(text)}`;
  };
  assert.is(
    await refusal('project=shop&connection=of-blog&engine=MySQL'),
    '409 cloud connection "of-blog" is scoped to project "blog"',
  );
  assert.is(
    await refusal('project=shop&connection=nobody&engine=MySQL'),
    '404 cloud connection "nobody" was not found',
  );
  assert.is(
    await refusal('project=shop&connection=of-shop&engine=Redis'),
    '400 ManagedDb hosts MySQL and Postgres databases, not Redis',
  );
  served.world.provider.state.failure = new ProviderFailed({ message: '503 Service Unavailable', status: 503 });
  assert.is(
    await refusal('project=shop&connection=of-shop&engine=MySQL'),
    '502 ManagedDb did not answer: 503 Service Unavailable',
  );
});

spec(
  'DB-037 DB-014 a size the provider does not offer is refused, and accepted when the provider cannot be asked',
  async () => {
    assert.is(await create({ clusterSize: 'HUGE' }), '400 ManagedDb offers no cluster size "HUGE" for MySQL');
    assert.is(await create({ engine: 'Redis' }), '400 ManagedDb hosts MySQL and Postgres databases, not Redis');
    assert.is(stored(), undefined);
    const asked = served.world.provider.state.calls.length;
    const otherProjects = { name: 'foreign', clusterSize: 'HUGE', connectionRef: { name: 'of-blog' } };
    assert.is(await create(otherProjects), '201', 'the token of another project asks nothing');
    assert.is(served.world.provider.state.calls.length, asked);
    served.world.provider.state.failure = new ProviderFailed({ message: 'no answer', status: 0 });
    assert.is(await create({ clusterSize: 'HUGE' }), '201');
  },
);

spec(
  'DB-035 DB-057 AUT-066 AUT-067 a managed database is created, deployed and connected, and its size is fixed afterwards',
  async () => {
    assert.is(await create({ clusterSize: 'S_10' }), '201');
    const states = async () =>
      (JSON.parse((await served.ask('/api/v1/databases')).text) as Items<Summary>).items.map(({ state }) => state);
    await until(async () => (await states()).join() === 'draft', 'it is listed as a draft');
    const change = (clusterSize: string) => patch({ clusterSize });
    assert.is((await change('HUGE')).status, 400);
    assert.is((await change('S_20')).status, 200, 'before there is a connection it may change');
    assert.is((await served.post('/api/v1/databases/orders/deploy', {})).status, 200);
    await until(() => stored()?.status?.phase === 'Ready', 'it is Ready');
    assert.is(served.world.provider.databases.get('orders')?.size, 'S_20');

    const resized = await change('S_10');
    assert.equal(
      [resized.status, errorIn(resized.text)],
      [409, 'clusterSize is read only when the database is created, so it cannot change after that'],
    );

    const connection = '/api/v1/databases/orders/connection';
    const shown = JSON.parse((await served.ask(connection)).text) as Connection;
    assert.equal([shown.host, shown.password, shown.uri], ['eu.managed.example', undefined, undefined]);
    const revealed = JSON.parse((await served.ask(`${connection}?reveal=true`)).text) as Connection;
    assert.is(revealed.password, 'provided-1');
  },
);

spec('only databases created at a provider are instances of the managedDatabase machine', async () => {
  await create({});
  await create({ name: 'plain', engine: 'SQLite', placement: 'InCluster', provider: undefined, mode: undefined });
  const listed = async () =>
    (
      JSON.parse((await served.ask('/api/v1/machines/managedDatabase/instances')).text) as Items<{
        readonly name: string;
      }>
    ).items.map(({ name }) => name);
  await until(() => served.operator.caches.get(databases, 'plain'), 'both are cached');
  assert.equal(await listed(), ['orders']);
  const machinesOf = async (name: string) =>
    (
      JSON.parse((await served.ask(`/api/v1/databases/${name}/explain`)).text) as Items<{ readonly machine: string }>
    ).items.map(({ machine }) => machine);
  assert.equal(await machinesOf('orders'), [
    'draftDeploy',
    'managedDatabase',
    'provisionRetry',
    'database',
    'databaseBackup',
  ]);
  assert.equal(await machinesOf('plain'), ['draftDeploy', 'provisionRetry', 'database', 'databaseBackup']);
});

const putNodes = (count: number, changes: object = {}) => {
  for (let at = 0; at < count; at++)
    served.world.cluster.put(clusterNodes, {
      metadata: { name: `node-${at}` },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
      ...(at === 0 ? changes : {}),
    });
};
const nodesAre = (count: number) =>
  until(() => served.operator.caches.list(clusterNodes).length === count, `${count} nodes are cached`);
const readiness = async () => JSON.parse((await served.ask('/api/v1/ha-readiness')).text) as HAReadiness;
const check = async () => JSON.parse((await served.post('/api/v1/ha-readiness/check', {})).text) as HAReadiness;
const reports = () => served.world.cluster.all(haReadiness);

spec(
  'DB-180 DB-181 DB-025 a readiness report is created on request and counts nodes that are ready, schedulable and without pressure',
  async () => {
    assert.equal(await readiness(), { healthyNodes: 0, ready: false, checkedAt: null });
    assert.equal(reports(), []);
    putNodes(3, { spec: { unschedulable: true } });
    await nodesAre(4);
    const first = await check();
    // The node of the surroundings is the third one.
    assert.equal([first.healthyNodes, first.ready], [3, true]);
    await until(async () => (await readiness()).ready, 'the report is read');
    assert.equal(
      reports().map(({ metadata, status }) => [metadata.name, status?.healthyNodes, status?.conditions?.[0]?.status]),
      [['platform', 3, 'True']],
    );
  },
);

spec(
  'DB-180 nodes with pressure and too few nodes make the report not ready, and another ready report counts',
  async () => {
    putNodes(3, {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'DiskPressure', status: 'True' },
        ],
      },
    });
    served.world.cluster.drop(clusterNodes, 'one');
    await nodesAre(3);
    const asked = await check();
    assert.equal([asked.healthyNodes, asked.ready], [2, false]);
    await until(() => reports()[0]?.status?.conditions?.[0]?.status === 'False', 'it is recorded');
    const before = reports()[0]?.status?.checkedAt;
    putNodes(3);
    served.clock.ahead += 60_000;
    await until(async () => (await check()).ready, 'the second report is ready');
    await until(() => reports()[0]?.status?.checkedAt !== before, 'the second report is recorded');
    await Effect.runPromise(served.world.cluster.remove(haReadiness, { name: 'platform' }));
    putReport(served.world, 3);
    await until(async () => (await readiness()).ready, 'a report made elsewhere');
  },
);

spec.run();
