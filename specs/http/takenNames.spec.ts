import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreBackupArchive } from '../../crds/coreBackupArchive.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { typeMeta } from '../../crds/kind.ts';
import { allRoutes } from '../../http/routes/list.ts';
import { AlreadyExists } from '../../runtime/services/cluster/cluster.ts';
import { apps, backupArchives, connections, databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { putConnection } from '../support/backups.ts';
import { rootKey } from '../support/memory/cloud.ts';
import { putServer, serverName } from '../support/logicalDatabase.ts';
import { inSystem } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import type { TestEnvironment } from '../support/environment.ts';
import { type Served } from './served.ts';
import { image, placed, serveShop } from './services/given.ts';

const spec = suite('creates with an existing name');
let served: Served;
spec.before(async () => {
  served = await serveShop();
  const { world: environment, operator } = served;
  putConnection(environment);
  putServer(environment, { annotations: { 'core.platform/paused': 'true' } });
  environment.cluster.put<Secret>(secrets, {
    metadata: inSystem('core-backup-storage-core-backup-1'),
    data: { ACCESS_KEY_ID: 'QQ==', ACCESS_SECRET_KEY: 'Qg==', REGION: 'Qw==' },
  });
  environment.cluster.put(backupArchives, {
    ...typeMeta(coreBackupArchive),
    metadata: inSystem('old-1'),
    spec: {
      ...placed,
      database: 'old',
      databaseUID: 'gone',
      serverName: 'old-1',
      storage: { connectionRef: { name: 'aws' }, bucket: 'core-backup-1', region: 'eu-west-1' },
      retentionDays: 9,
      source: { engine: 'Postgres', version: '15', databaseName: 'orders', storageSize: '10Gi' },
      deleteAfter: new Date(Date.now() + 86_400_000).toISOString(),
    },
    status: { restorePoints: [{ id: '20261231T020000Z', time: '2026-12-31T02:00:00.000Z' }] },
  });
  const { caches } = operator;
  await until(
    () => caches.get(backupArchives, 'old-1') && caches.get(databases, serverName) && caches.get(projects, 'shop'),
    'the objects to create from are cached',
  );
  const code = 'export default () => new Response()';
  assert.is((await served.post('/api/v1/apps', { ...placed, name: 'hello', code })).status, 201);
  await until(() => caches.get(apps, 'hello'), 'the function is cached');
});
spec.after(() => served.stop());

const keys = { accessKeyId: rootKey.accessKeyId, secretAccessKey: rootKey.secret };
const logical = { ...placed, server: serverName, databaseName: 'recipes', name: 'recipes' };

/** What each route creates, and its refusal of the same name; null where the server draws the name, or names may repeat. */
const creates: Readonly<Record<string, { readonly at: string; readonly body: object; readonly error: string } | null>> =
  {
    'POST /apps': { at: '/apps', body: { ...placed, name: 'web', image }, error: 'service "web" already exists' },
    'POST /databases': {
      at: '/databases',
      body: { ...placed, name: 'orders', engine: 'SQLite' },
      error: 'database "orders" already exists',
    },
    'POST /databases/restore': {
      at: '/databases/restore',
      body: { ...placed, name: 'restored', archive: 'old-1' },
      error: 'database "restored" already exists',
    },
    'POST /logical-databases': {
      at: '/logical-databases',
      body: logical,
      // LDB-089 has no name in it.
      error: 'logical database already exists',
    },
    'POST /object-stores': {
      at: '/object-stores',
      body: { mode: 'Server', name: 'files' },
      error: 'object store "files" already exists',
    },
    'POST /apps/{app}/triggers': {
      at: '/apps/hello/triggers',
      body: { name: 'nightly', cron: '0 3 * * 1' },
      error: 'trigger "nightly" already exists',
    },
    'POST /projects/{project}/environments': {
      at: '/projects/shop/environments',
      body: { name: 'staging' },
      // PRJ-033 has no name in it.
      error: 'Project environments must be unique',
    },
    'POST /projects/{project}/cloud-connections': {
      at: '/projects/shop/cloud-connections',
      body: { name: 'second', provider: 'Cloud', region: 'eu-central-1', ...keys },
      error: 'cloud connection "second" already exists',
    },
    'POST /nodes': {
      at: '/nodes',
      body: { name: 'rack-1', address: '192.0.2.7' },
      error: 'node "rack-1" already exists',
    },
    'POST /projects': null,
    'POST /projects/{project}/webhooks': null,
    'POST /tokens': null,
    'POST /apps/{app}/console/create': null,
    'POST /object-stores/{store}/console/create': null,
  };

spec('LDB-089 PRJ-033 a create is answered 409 with kind and name when the name exists', async () => {
  const creating = Object.entries(allRoutes).filter(([, { schema }]) => 201 in schema.answers);
  assert.equal(creating.map(([route]) => route).toSorted(), Object.keys(creates).toSorted());
  for (const [route, create] of Object.entries(creates)) {
    if (create === null) continue;
    const { at, body, error } = create;
    const first = await served.post(`/api/v1${at}`, body);
    assert.is(first.status, 201, `${route}: ${first.text}`);
    const second = await served.post(`/api/v1${at}`, body);
    assert.equal([route, second.status, JSON.parse(second.text)], [route, 409, { error }]);
  }
});

/** Makes the creates of these resources find their name taken; returns the names that were tried. */
function takeEveryName(cluster: TestEnvironment['cluster'], kinds: readonly string[]): string[] {
  const { create } = cluster;
  const tried: string[] = [];
  Object.assign(cluster, {
    create: ((resource, object) => {
      if (!kinds.includes(resource.kind)) return create(resource, object);
      tried.push(object.metadata.name);
      return Effect.fail(new AlreadyExists({ what: `${resource.plural}/${object.metadata.name}` }));
    }) satisfies typeof create,
  });
  return tried;
}

spec('PRJ-005 PRJ-027 a create is answered 409 with kind and name when a concurrent create uses the name', async () => {
  const tried = takeEveryName(served.world.cluster, [projects.kind, connections.kind]);
  const connected = await served.post('/api/v1/projects/shop/git/connect', { installationID: 7 });
  assert.equal([connected.status, connected.json()], [409, { error: 'Git host connection "shop-git" already exists' }]);
  assert.equal(tried.splice(0), ['shop-git']);
  const created = await served.post('/api/v1/projects', { displayName: 'second' });
  assert.equal([created.status, created.json()], [409, { error: `project "${tried.at(-1) ?? ''}" already exists` }]);
  assert.is(new Set(tried).size, 3, 'a name is drawn three times');
});

spec.run();
