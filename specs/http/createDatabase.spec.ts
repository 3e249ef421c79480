import * as assert from 'uvu/assert';
import type { Created, Explanation } from '../../http/api.ts';
import { type CoreDatabase, coreDatabase } from '../../crds/coreDatabase.ts';
import { withDefaults } from '../../crds/defaults.ts';
import { annotation } from '../../crds/names.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { databases, logicalDatabases, projects } from '../../runtime/services/cluster/kinds.ts';
import { putNode, putDatabaseEnvironment, putSystemPod } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('creation and deletion of databases over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve();
  putDatabaseEnvironment(served.world);
  await until(() => served.operator.caches.get(projects, 'shop'), 'the project is cached');
});
spec.after.each(() => served.stop());

const placed = { project: 'shop', environment: 'production', engine: 'SQLite' };
const create = (fields: object) => served.post('/api/v1/databases', { ...placed, ...fields });
const stored = (name: string): CoreDatabase | undefined =>
  served.world.cluster.all(databases).find(({ metadata }) => metadata.name === name);
const movesOf = (name: string, machine = 'draftDeploy') =>
  historyOf(stored(name) ?? { metadata: { name } })
    .filter((move) => move.machine === machine)
    .map(({ from, event, to, by, rule }) => [from, event, to, by, rule]);
const refusal = async (fields: object) => {
  const { status, text } = await create(fields);
  return `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
};
const count = () => served.world.cluster.all(databases).length;

spec(
  'KND-048 DB-004 DB-206 a created draft is in core-system with annotations and a first move of its caller',
  async () => {
    const { status, text } = await create({ name: 'orders', version: '15' });
    assert.is(status, 201, text);
    const { resource, ...told } = JSON.parse(text) as Created;
    const named = { name: 'orders', kind: 'CoreDatabase', project: 'shop', environment: 'production' };
    assert.equal(told, { ...named, deployed: false, draft: true });
    assert.equal(
      [resource.state, resource.message, resource.details['pending']],
      ['draft', 'Resource is configured and waiting for deployment', ['created']],
    );
    const made = stored('orders');
    const annotations = made?.metadata.annotations ?? {};
    assert.is(made?.metadata.namespace, 'core-system');
    assert.equal([made?.spec.deploy, made?.spec.version], [{ enabled: false }, '15']);
    assert.is(annotations[annotation.deployWorkflow], 'true');
    assert.is(annotations[annotation.pendingChanges], 'created');
    assert.is(annotations[annotation.lastDeployed], undefined);
    assert.equal(movesOf('orders'), [['(none)', 'created', 'Draft', 'admin', 'created-draft']]);
    await until(() => stored('orders')?.status?.phase === 'Draft', 'a pass processes the draft');
    assert.is(movesOf('orders').length, 1, 'the first move is recorded once');
    const carried = stored('orders')?.metadata.annotations?.[annotation.move] ?? '{}';
    assert.is((JSON.parse(carried) as { readonly uid?: string }).uid, made?.metadata.uid);
  },
);

spec('KND-048a a database created with deploy is Deployed without a recorded external edit', async () => {
  const { status, text } = await create({ name: 'orders', deploy: true });
  assert.is(status, 201, text);
  const told = JSON.parse(text) as Created;
  assert.equal([told.deployed, told.draft, told.resource.state], [true, false, 'pending']);
  const { annotations = {} } = stored('orders')?.metadata ?? {};
  assert.is(annotations[annotation.pendingChanges], undefined);
  assert.not.equal(annotations[annotation.deployRevision] ?? '', '');
  assert.equal(JSON.parse(annotations[annotation.lastDeployed] ?? '{}'), stored('orders')?.spec);
  await until(() => stored('orders')?.status?.phase === 'Provisioning', 'it is provisioned');
  await until(() => served.operator.caches.get(databases, 'orders')?.status?.deployRevision, 'the deploy is processed');
  assert.equal(movesOf('orders'), [['(none)', 'createdDeployed', 'Deployed', 'admin', 'created-deployed']]);
});

spec(
  'KND-048b KND-051 a creation with deploy is refused without saving when there is no room, and a draft is created',
  async () => {
    putNode(served.world, '10m');
    assert.match(await refusal({ name: 'orders', deploy: true }), /^409 This SQLite database needs/);
    assert.is(count(), 0);
    assert.equal(served.world.metrics.refused, ['draftDeploy asked']);
    assert.is((await create({ name: 'orders', draft: true })).status, 201);
  },
);

spec(
  'KND-048b KND-051 DB-200a a creation with deploy is refused without saving when no node takes another pod',
  async () => {
    putNode(served.world, '4', '1');
    putSystemPod(served.world, 'kube-proxy');
    const full = '409 cannot be scheduled: no node in the local region takes another pod';
    assert.is(await refusal({ name: 'orders', deploy: true }), full);
    assert.is(count(), 0);
  },
);

spec('a database without a name gets a generated one, and an existing name is refused without a change', async () => {
  const first = (await create({})).json() as Created;
  assert.match(first.name, /^sqlite-[0-9a-f]{8}$/);
  const before = stored(first.name)?.metadata.uid;
  assert.is(await refusal({ name: first.name, engine: 'Redis' }), `409 database "${first.name}" already exists`);
  assert.equal([stored(first.name)?.metadata.uid, stored(first.name)?.spec.engine], [before, 'SQLite']);
});

const words = 'lowercase letters, digits and hyphens, begin with a letter and be no more than 36 characters';
const refusals: readonly (readonly [string, object, string])[] = [
  ['both flags', { draft: true, deploy: true }, 'set either draft or deploy, not both'],
  ['an unknown project', { project: 'none' }, 'there is no project "none"'],
  ['an unknown environment', { environment: 'staging' }, 'project "shop" has no staging environment'],
  ['a name with a capital', { name: 'Orders' }, `name must be ${words}`],
  ['a long name', { name: 'a'.repeat(51) }, `name must be ${words}`],
  ['an empty name', { name: '' }, `name must be ${words}`],
  ['no engine', { engine: undefined }, 'engine is required'],
  ['an unknown engine', { engine: 'Oracle' }, 'engine must be Postgres, MySQL, SQLite or Redis'],
  ['no project', { project: undefined }, 'project is required'],
  ['too few instances', { instances: 0 }, 'instances must be a whole number from 1'],
  ['a size that is none', { storageSize: 'big' }, 'storageSize must be a whole number from 0 or a text such as 512Mi'],
  ['a wrong field inside', { backup: { enabled: 'yes' } }, 'backup.enabled must be true or false'],
  ['a missing field inside', { backup: {} }, 'backup.enabled is required'],
  ['a strange field inside', { runOn: { tag: 'x' } }, 'unknown field "runOn.tag"'],
  [
    'a wrong element',
    { runOn: { tags: ['fast', 'No'] } },
    'runOn.tags.1 must be a text that matches ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$ and has at most 40 characters',
  ],
  ['a tag twice', { runOn: { tags: ['fast', 'fast'] } }, 'runOn.tags must be a list of at most 8, none twice'],
  [
    'a wrong value of a map',
    { resources: { requests: { cpu: true } } },
    'resources.requests.cpu must be a whole number from 0 or a text such as 512Mi',
  ],
  ['no object', { resources: 1 }, 'resources must be an object'],
  ['the gate itself', { spec: {} }, 'unknown field "spec"'],
  [
    'backups of Redis',
    { engine: 'Redis', backup: { enabled: true } },
    'Backups are not available for this kind of database',
  ],
  ['copies of SQLite', { highAvailability: true }, 'SQLite does not support high availability'],
  ['a size of its own', { clusterSize: 'S' }, 'clusterSize is only for a database that ManagedDb creates'],
  [
    'Redis at ManagedDb',
    { engine: 'Redis', placement: 'External', provider: 'ManagedDb', mode: 'Create' },
    'ManagedDb hosts MySQL and Postgres databases, not Redis',
  ],
];
spec('DB-204 DB-084 DB-036 DB-092 an invalid database is refused with its field and not saved', async () => {
  for (const [what, fields, message] of refusals) assert.is(await refusal(fields), `400 ${message}`, what);
  assert.is(count(), 0);
});

spec('UI-020 UI-021 UI-022 a shared server has no project or environment and is deployed at once', async () => {
  const nowhere = { project: undefined, environment: undefined, engine: 'MySQL' };
  const answered = await create({ ...nowhere, name: 'common', deploy: true });
  assert.is(answered.status, 201, answered.text);
  const { resource, ...told } = JSON.parse(answered.text) as Created;
  const named = { name: 'common', kind: 'CoreDatabase', project: '', environment: '' };
  assert.equal(told, { ...named, deployed: true, draft: false });
  assert.equal([resource.project, resource.details['region']], ['', '']);
  assert.is(stored('common')?.spec.project, undefined);
  assert.equal(stored('common')?.spec.deploy, { enabled: true });
  assert.is(await refusal({ project: undefined }), '400 project is required');
  assert.is(await refusal({ environment: undefined }), '400 environment is required');
  assert.match(
    await refusal({ ...nowhere, serverRegion: 'mars', deploy: true }),
    /^409 There is no ready node in the mars/,
  );
});

spec('a database is refused when its project is being deleted', async () => {
  const project = served.world.cluster.all(projects).find(({ metadata }) => metadata.name === 'shop');
  if (!project) throw new Error('no project');
  const deletionTimestamp = new Date(served.now()).toISOString();
  served.world.cluster.put(projects, {
    ...project,
    metadata: { ...project.metadata, deletionTimestamp, finalizers: ['a/b'] },
  });
  await until(() => served.operator.caches.get(projects, 'shop')?.metadata.deletionTimestamp, 'it is cached');
  assert.is(await refusal({}), '400 there is no project "shop"');
});

spec('a created database is explained as a draft', async () => {
  await create({ name: 'orders' });
  await until(() => stored('orders')?.status?.phase === 'Draft', 'a pass processes the draft');
  const path = '/api/v1/machines/draftDeploy/instances/coredatabases:orders/explain';
  await until(async () => (await served.ask(path)).status === 200, 'it is cached');
  const told = (await served.ask(path)).json() as Explanation;
  assert.is(told.state, 'Draft');
});

const remove = (name: string, query: string) => served.ask(`/api/v1/databases/${name}${query}`, { method: 'DELETE' });
const removal = async (name: string, query: string) => {
  const { status, text } = await remove(name, query);
  return `${status} ${text}`;
};
const unconfirmed = '400 {"error":"confirmName must be the name of the database"}';

spec('DB-223 a database is deleted when the request repeats its name', async () => {
  await create({ name: 'orders' });
  await until(() => served.operator.caches.get(databases, 'orders')?.status?.phase === 'Draft', 'it is a draft');
  for (const query of ['', '?confirmName=', '?confirmName=other'])
    assert.is(await removal('orders', query), unconfirmed);
  assert.is(stored('orders')?.metadata.deletionTimestamp, undefined);
  assert.is(
    await removal('orders', '?confirmName=orders'),
    '200 {"name":"orders","kind":"CoreDatabase","deleted":true}',
  );
  await until(() => stored('orders') === undefined, 'the database is deleted');
  await until(() => served.operator.caches.get(databases, 'orders') === undefined, 'the deletion is cached');
  assert.is((await remove('orders', '?confirmName=orders')).status, 404);
});

spec('DB-045 a database of an engine without versions accepts and shows an empty version', async () => {
  for (const engine of ['MySQL', 'Redis', 'SQLite'])
    for (const version of [undefined, '', '16']) {
      const name = `${engine.toLowerCase()}-${version === undefined ? 'none' : version.length}`;
      const { status, text } = await create({ name, engine, version });
      assert.is(status, 201, text);
      assert.is((JSON.parse(text) as Created).resource.details['version'], '', name);
    }
  const { text } = await create({ name: 'versioned', engine: 'Postgres' });
  assert.is((JSON.parse(text) as Created).resource.details['version'], '16');
  const wrong = '400 version must be a major version of Postgres such as 16';
  assert.is(await refusal({ name: 'unversioned', engine: 'Postgres', version: '' }), wrong);
});

spec('DB-139 a shared server is neither deleted nor stopped while a logical database uses it', async () => {
  const system = 'core-system';
  const at = withDefaults(coreDatabase.spec, { engine: 'SQLite' });
  const stop = async (name: string) => {
    const { status, text } = await served.post(`/api/v1/databases/${name}/stop`, { confirmName: name });
    return status < 300 ? status : `${status} ${text}`;
  };
  served.world.cluster.put(databases, { metadata: { name: 'shared', namespace: system }, spec: at });
  served.world.cluster.put(logicalDatabases, {
    metadata: { name: 'shop-app', namespace: system },
    spec: { project: 'shop', environment: 'production', serverRef: 'shared', databaseName: 'app' },
  });
  await until(() => served.operator.caches.get(logicalDatabases, 'shop-app'), 'it is cached');
  const inUse = '409 {"error":"the shared server is used by shop-app"}';
  assert.is(await removal('shared', '?confirmName=shared'), inUse);
  const before = stored('shared')?.spec;
  assert.is(await stop('shared'), inUse);
  assert.equal(stored('shared')?.spec, before);
  served.world.cluster.drop(logicalDatabases, 'shop-app');
  await until(() => !served.operator.caches.get(logicalDatabases, 'shop-app'), 'the logical database is deleted');
  assert.is(await stop('shared'), 200);
  assert.is((await remove('shared', '?confirmName=shared')).status, 200);
});

spec.run();
