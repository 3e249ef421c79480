import { readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { typeMeta } from '../../crds/kind.ts';
import { coreBackupArchive, type CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { systemNamespace } from '../../crds/names.ts';
import { accessMachines, grantOf, type RouteId, routes } from '../../rules/access/routes.ts';
import {
  apps,
  backupArchives,
  clusters,
  databases,
  logicalDatabases,
  projects,
} from '../../runtime/services/cluster/kinds.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import { putLogical } from '../support/logicalDatabase.ts';
import { putCluster } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { begun, cellOf, credentials, isOfMachine, matrixPage, type StatedAccess, tried, type Tried } from './matrix.ts';
import { app, password, passwordHash, serveEverything, type Served } from './served.ts';

const spec = suite('authorization matrix');
const page = new URL('matrix.md', import.meta.url);
const paused = '0a1b2c3d';
let served: Served;
let known: Awaited<ReturnType<typeof credentials>>;
let build: string;
let tokenId: string;

/** Backups without restore points, from which nothing can be restored. */
const archive: CoreBackupArchive = {
  ...typeMeta(coreBackupArchive),
  metadata: { name: 'archive', namespace: systemNamespace },
  spec: {
    project: 'demo',
    environment: 'production',
    database: 'old',
    databaseUID: 'gone',
    serverName: 'old-gone',
    storage: { connectionRef: { name: 'aws' }, bucket: 'core-backup-1' },
    retentionDays: 7,
    source: { engine: 'SQLite' },
    deleteAfter: new Date(Date.now() + 86_400_000).toISOString(),
  },
};

spec.before(async () => {
  served = await serveEverything({ viewer: { role: 'viewer', password: passwordHash, epoch: 0 } });
  served.world.cluster.put(projects, {
    metadata: { name: 'demo', namespace: systemNamespace },
    spec: {
      clusterRef: { name: 'main' },
      environments: ['production', 'staging'],
      webhooks: [{ id: paused, url: 'https://hooks.example/x', disabled: true }],
    },
  });
  putCluster(served.world, 'main');
  await until(() => served.operator.caches.get(clusters, 'main'), 'the cluster is cached');
  await until(() => served.operator.caches.get(projects, 'demo'), 'the project is cached');
  served.world.cluster.put(databases, databaseOf({ engine: 'Redis' }));
  await until(() => served.operator.caches.get(databases, 'orders'), 'the database is cached');
  putLogical(served.world, { project: 'demo' });
  await until(() => served.operator.caches.get(logicalDatabases, 'recipes'), 'the logical database is cached');
  served.world.cluster.put(backupArchives, archive);
  await until(() => served.operator.caches.get(backupArchives, 'archive'), 'the archive is cached');
  build = await served.addApp('shop');
  served.world.cluster.put(apps, app('hourly', { source: { function: { runtime: 'node', code: '' } } }));
  await until(() => served.operator.caches.get(apps, 'hourly'), 'the function is cached');
  known = await credentials(served);
  tokenId = (await served.makeToken({ name: 'to be seen' })).id;
  await userCode();
  // One failed sign-in, which is counted under its name and its address.
  const headers = { ...json, ...fromElsewhere() };
  const failing = JSON.stringify({ username: 'viewer', password: 'wrong' });
  await begun(`${served.url}/api/v1/login`, { method: 'POST', headers, body: failing });
  await until(() => served.secret()?.data?.['lockouts'], 'the failure is counted');
});
spec.after(() => served.stop());

interface Filled {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
}

let asked = 0;
/** A new public address each time, because this many sign-ins from one are refused. */
const fromElsewhere = () => ({ 'x-forwarded-for': `9.9.${Math.floor(asked / 200)}.${(asked++ % 200) + 1}` });

/** A new device sign-in that waits for its admin. */
async function userCode(): Promise<string> {
  const headers = { ...json, ...fromElsewhere() };
  const { text } = await begun(`${served.url}/api/auth/device`, { method: 'POST', headers, body: '{}' });
  return (JSON.parse(text) as { readonly user_code: string }).user_code;
}

/** The requests of routes that need more than the default: an existing object, or a valid body. */
const fillings: Readonly<Partial<Record<RouteId, () => Promise<Filled>>>> = {
  'POST /login': () => Promise.resolve({ body: { username: 'admin', password } }),
  'POST /auth/device': () => Promise.resolve({ body: {} }),
  'POST /auth/token': () => Promise.resolve({ body: { device_code: 'unknown' } }),
  'GET /auth/device/{code}': async () => ({ path: { code: await userCode() } }),
  'POST /auth/device/approve': async () => ({ body: { code: await userCode(), days: 7 } }),
  'POST /auth/device/deny': async () => ({ body: { code: await userCode() } }),
  'POST /apps': () => Promise.resolve({ body: { ...demo, image: 'registry.local/shop' } }),
  'PATCH /apps/{app}': () => Promise.resolve({ body: { scaleToZero: 'off' } }),
  'POST /apps/{app}/rollback': () => Promise.resolve({ body: { revision: 'shop-active' } }),
  'POST /apps/{app}/scale': () => Promise.resolve({ body: { replicas: 1 } }),
  'POST /apps/{app}/config/set': () => Promise.resolve({ body: { key: 'MODE', value: 'fast' } }),
  'POST /apps/{app}/config/delete': () => Promise.resolve({ body: { key: 'MODE' } }),
  'POST /apps/{app}/secrets/set': () => Promise.resolve({ body: { key: 'TOKEN', value: 'hush' } }),
  'POST /apps/{app}/secrets/delete': () => Promise.resolve({ body: { key: 'TOKEN' } }),
  'POST /apps/{app}/console/create': () => Promise.resolve({ body: {} }),
  'POST /object-stores/{store}/console/create': () => Promise.resolve({ body: {} }),
  'POST /projects/{project}/deploy': () =>
    Promise.resolve({ path: { project: 'demo' }, body: { environment: 'production' } }),
  'PATCH /databases/{database}': () => Promise.resolve({ body: { instances: 2 } }),
  'POST /databases/{database}/stop': () => Promise.resolve({ body: {} }),
  'POST /databases': () => Promise.resolve({ body: { project: 'demo', environment: 'production', engine: 'SQLite' } }),
  'POST /databases/{database}/query': () => Promise.resolve({ body: { statement: 'SELECT 1' } }),
  'POST /logical-databases': () => Promise.resolve({ body: { ...demo, server: 'none', databaseName: 'one' } }),
  'DELETE /logical-databases/{logicalDatabase}': () => Promise.resolve({ path: { logicalDatabase: 'none' } }),
  'POST /databases/restore': () =>
    Promise.resolve({ body: { archive: 'archive', project: 'demo', environment: 'production' } }),
  'POST /projects': () => Promise.resolve({ body: {} }),
  'PATCH /projects/{project}': () => Promise.resolve({ body: {} }),
  'POST /projects/{project}/environments': () => Promise.resolve({ body: { name: `e${asked}` } }),
  'POST /projects/{project}/variables/set': () => Promise.resolve({ body: { ...variable, value: 'debug' } }),
  'POST /projects/{project}/variables/delete': () => Promise.resolve({ body: variable }),
  'POST /projects/{project}/compliance': () => Promise.resolve({ body: { requiredTags: [] } }),
  'POST /projects/{project}/webhooks': () => Promise.resolve({ body: { url: 'https://hooks.example/y' } }),
  'PATCH /projects/{project}/webhooks/{webhook}': () => Promise.resolve({ body: { events: [] } }),
  'DELETE /projects/{project}/webhooks/{webhook}': async () => ({ path: { webhook: await newWebhook() } }),
  'POST /projects/{project}/pr-environments/save': () => Promise.resolve({ body: { enabled: false } }),
  'POST /settings/git-app/save': () =>
    Promise.resolve({
      body: { appId: '1', clientId: 'c', clientSecret: 's', slug: 'core', privateKey: 'k', webhookSecret: 'w' },
    }),
  'POST /projects/{project}/git/connect': () => Promise.resolve({ body: { installationID: 1 } }),
  'POST /object-stores': () => Promise.resolve({ body: { mode: 'Server' } }),
  'PATCH /object-stores/{store}': () => Promise.resolve({ body: {} }),
  'POST /projects/{project}/cloud-connections': () =>
    Promise.resolve({ body: { name: `c${asked}`, provider: 'ManagedDb', organization: 'us', token: 'hush' } }),
  'PATCH /projects/{project}/cloud-connections/{connection}': () => Promise.resolve({ body: {} }),
  'POST /projects/{project}/backup-storage/save': () => Promise.resolve({ body: { connection: 'none' } }),
  'POST /apps/{app}/call': () => Promise.resolve({ path: { app: 'hourly' }, body: {} }),
  'GET /apps/{app}/triggers': () => Promise.resolve({ path: { app: 'hourly' } }),
  'POST /apps/{app}/triggers': () =>
    Promise.resolve({ path: { app: 'hourly' }, body: { name: `every${asked}`, cron: '0 * * * *' } }),
  'DELETE /apps/{app}/triggers/{trigger}': () => Promise.resolve({ path: { app: 'hourly' } }),
  'POST /nodes': () => Promise.resolve({ body: { name: `n${asked}`, address: '192.0.2.1' } }),
  'PATCH /nodes/{node}': () => Promise.resolve({ body: {} }),
  'POST /nodes/{node}/tags': () => Promise.resolve({ body: { tags: [] } }),
  'PATCH /clusters/{cluster}': () => Promise.resolve({ body: {} }),
  'POST /settings/domain/save': () => Promise.resolve({ body: {} }),
  'POST /settings/dns/save': () => Promise.resolve({ body: { apiToken: 't', accountId: 'a' } }),
  'POST /settings/registry/save': () => Promise.resolve({ body: { repository: 'registry.local/apps' } }),
  'POST /tokens': () => Promise.resolve({ body: { name: 'another', role: 'viewer' } }),
  'DELETE /tokens/{token}': async () => ({ path: { token: (await served.makeToken({ name: 'to go' })).id } }),
};
/** A webhook that may go. */
async function newWebhook(): Promise<string> {
  const { text } = await served.post('/api/v1/projects/demo/webhooks', { url: 'https://hooks.example/z' });
  return (JSON.parse(text) as { readonly id: string }).id;
}
const json = { 'content-type': 'application/json' };
const demo = { project: 'demo', environment: 'production' };
const variable = { environment: 'production', name: 'LEVEL' };

/** A machine of each sort, with an instance of it that is there. */
interface OfMachine {
  readonly machine: string;
  readonly instance: () => string | Promise<string>;
}
/** The id of an instance whose name tells nothing. */
const firstOf = async (machine: string): Promise<string> => {
  const { text } = await begun(`${served.url}/api/v1/machines/${machine}/instances`, asAdmin());
  return (JSON.parse(text) as { readonly items: readonly { readonly id: string }[] }).items[0]?.id ?? '';
};
const asAdmin = () => ({ method: 'GET', headers: known['admin session'] });
const ofMachines: readonly OfMachine[] = [
  { machine: 'build', instance: () => `corebuilds:${build}` },
  { machine: 'database', instance: () => 'coredatabases:orders' },
  { machine: 'service', instance: () => 'coreapps:shop' },
  { machine: 'projectReady', instance: () => 'coreprojects:demo' },
  { machine: 'token', instance: () => `secrets:core-api-tokens:${tokenId}` },
  { machine: 'dashboardSession', instance: () => 'secrets:core-dashboard-epochs:viewer' },
  { machine: 'nameLockout', instance: () => 'secrets:core-dashboard-auth:viewer' },
  { machine: 'addressLockout', instance: () => firstOf('addressLockout') },
  { machine: 'deviceSignIn', instance: () => firstOf('deviceSignIn') },
];

async function ask(route: RouteId, who: Tried, of?: OfMachine): Promise<StatedAccess> {
  const { path = {}, body } = (await fillings[route]?.()) ?? {};
  const [method = '', pattern = ''] = route.split(' ');
  const names: Readonly<Record<string, string>> = {
    app: 'shop',
    build,
    database: 'orders',
    logicalDatabase: 'recipes',
    project: 'demo',
    environment: 'staging',
    webhook: paused,
    ...(of && { machine: of.machine, instance: encodeURIComponent(await of.instance()) }),
    ...path,
  };
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name);
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { ...known[who], ...(body === undefined ? {} : json), ...fromElsewhere() };
  return begun(`${served.url}/api/v1${filled}`, { method, headers, ...sent });
}

const isMissing = ({ status, text }: StatedAccess): boolean =>
  status === 404 || (JSON.parse(text) as { readonly items?: readonly unknown[] }).items?.length === 0;

/** Signing out ends the sessions of its user, so it comes last. */
const inOrder = (Object.keys(routes) as RouteId[]).toSorted(
  (a, b) => Number(a === 'POST /logout') - Number(b === 'POST /logout'),
);
/** Statuses of permitted callers where the object of the request does not exist. */
const reached: Readonly<Partial<Record<RouteId, number>>> = {
  'POST /auth/token': 400,
  'GET /builds/{build}/log': 404,
  'POST /apps/{app}/build/cancel': 409,
  'DELETE /apps/{app}': 400,
  'POST /apps/{app}/deploy': 409,
  'POST /apps/{app}/rollback': 400,
  'POST /apps/{app}/retry': 409,
  'GET /git/installations': 409,
  'POST /settings/git-app/save': 409,
  'POST /settings/git-app/manifest': 409,
  'GET /projects/{project}/git/repositories': 409,
  'GET /nodes/{node}': 404,
  'PATCH /nodes/{node}': 404,
  'DELETE /nodes/{node}': 404,
  'POST /nodes/{node}/tags': 404,
  'PATCH /clusters/{cluster}': 404,
  'GET /managed-db/cluster-sizes': 400,
  'POST /apps/{app}/call': 409,
  'POST /apps/{app}/console/create': 400,
  'GET /apps/{app}/console/ws': 400,
  'POST /object-stores/{store}/console/create': 404,
  'GET /object-stores/{store}/console/stream': 400,
  'DELETE /apps/{app}/triggers/{trigger}': 404,
  'GET /object-stores/{store}': 404,
  'GET /object-stores/{store}/changes': 404,
  'GET /object-stores/{store}/dependents': 404,
  'PATCH /object-stores/{store}': 404,
  'DELETE /object-stores/{store}': 404,
  'GET /object-stores/{store}/explain': 404,
  'GET /object-stores/{store}/transitions': 404,
  'POST /object-stores/{store}/reconcile': 404,
  'POST /object-stores/{store}/look': 404,
  'GET /object-stores/{store}/connection': 404,
  'POST /object-stores/{store}/deploy': 404,
  'POST /object-stores/{store}/retry': 404,
  'PATCH /projects/{project}/cloud-connections/{connection}': 404,
  'DELETE /projects/{project}/cloud-connections/{connection}': 404,
  'POST /projects/{project}/backup-storage/save': 400,
  'DELETE /databases/{database}': 400,
  'GET /databases/{database}/connection': 409,
  'POST /databases/{database}/stop': 400,
  'POST /projects/{project}/webhooks/{webhook}/test': 409,
  'POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver': 409,
  'DELETE /projects/{project}': 400,
  'DELETE /projects/{project}/environments/{environment}': 400,
  'POST /databases/restore': 409,
  'POST /databases/{database}/deploy': 409,
  'POST /databases/{database}/retry': 409,
  'POST /databases/{database}/query': 409,
  'POST /logical-databases': 400,
  'DELETE /logical-databases/{logicalDatabase}': 404,
  'GET /logical-databases/{logicalDatabase}/connection': 409,
  'POST /logical-databases/{logicalDatabase}/retry': 409,
  'POST /attention/{id}/retry': 404,
};

const reconciling: readonly RouteId[] = [
  'POST /machines/{machine}/instances/{instance}/reconcile',
  'POST /machines/{machine}/instances/{instance}/look',
];

/** What asking a route proves besides; an id of a route that does not stand does not compile. */
const proves: Readonly<Partial<Record<RouteId, string>>> = {
  'GET /apps': 'AUT-020 AUT-074',
  'GET /apps/{app}': 'AUT-020 AUT-074 API-034',
  'GET /apps/{app}/status': 'AUT-020 AUT-074 API-034',
  'GET /apps/{app}/deployments': 'AUT-020 AUT-074 API-034',
  'GET /apps/{app}/pods': 'AUT-036',
  'GET /apps/{app}/logs': 'AUT-020 AUT-077 API-034',
  'GET /apps/{app}/logs/stream': 'AUT-020 AUT-077 API-034',
  'GET /apps/{app}/metrics': 'AUT-020 AUT-082 API-034',
  'GET /databases/{database}/metrics': 'AUT-082',
  'POST /databases/{database}/query': 'DB-166',
  'GET /logical-databases/{logicalDatabase}/connection': 'AUT-034',
  'GET /projects/{project}/metrics': 'AUT-082',
  'GET /apps/{app}/variables': 'AUT-020 AUT-032 AUT-078 API-034',
  'POST /apps': 'AUT-021 AUT-081',
  'DELETE /apps/{app}': 'AUT-081',
  'POST /apps/{app}/deploy': 'AUT-020 AUT-075 API-034',
  'POST /apps/{app}/rollback': 'AUT-020 API-034',
  'POST /apps/{app}/console/create': 'CON-051 CON-052',
  'POST /apps/{app}/scale': 'AUT-020 AUT-080 API-034',
  'POST /apps/{app}/config/set': 'AUT-020 AUT-079 API-034',
  'POST /apps/{app}/config/delete': 'AUT-020 AUT-079 API-034',
  'POST /apps/{app}/secrets/set': 'AUT-020 AUT-079 API-034',
  'POST /apps/{app}/secrets/delete': 'AUT-020 AUT-079 API-034',
  'POST /projects/{project}/deploy': 'AUT-076',
  'POST /settings/registry/save': 'PLC-067 AUT-070',
  'POST /apps/{app}/build': 'AUT-020 API-034',
  'POST /databases/{database}/deploy': 'API-038',
  'DELETE /databases/{database}': 'API-038',
  'POST /apps/{app}/build/cancel': 'AUT-020 API-034',
};
const titleOf = (route: RouteId) =>
  [proves[route] ?? [], route, 'gives each caller what the table says'].flat().join(' ');

async function tryAs(who: Tried, route: RouteId, of?: OfMachine) {
  const cell = cellOf(route, who, of?.machine);
  const said = await ask(route, who, of);
  const told = `${who} ${of?.machine ?? ''}: ${said.status} ${said.text.slice(0, 200)}`;
  const isReconcileOfAccess = reconciling.includes(route) && accessMachines.has(of?.machine ?? '');
  if (/^\d/.test(cell)) {
    assert.is(said.status, Number(cell), told);
    const grant = who === 'anonymous' ? grantOf(route, null) : null;
    if (grant?.is === 'refused') assert.equal(JSON.parse(said.text), { error: grant.text });
  } else if (cell === 'nothing') assert.ok(isMissing(said), told);
  // No pass reconciles a machine of access.
  else if (isReconcileOfAccess) assert.is(said.status, 409, told);
  else assert.ok(said.status < 300 || said.status === reached[route], told);
}

for (const route of inOrder)
  spec(titleOf(route), async () => {
    for (const who of tried)
      for (const of of isOfMachine(route) ? ofMachines : [undefined]) await tryAs(who, route, of);
  });

/** The routes to which the table gives a caller any access. */
const givenTo = (who: Tried) => inOrder.filter((route) => !/^\d/.test(cellOf(route, who))).toSorted();

spec('every route gives the same answer under /api and /api/v1', async () => {
  for (const route of inOrder) {
    const [method = '', path = ''] = route.split(' ');
    const filled = path.replaceAll(/\{\w+\}/g, 'some-name');
    const under = async (prefix: string) => {
      const { status, text } = await served.askPlain(`${prefix}${filled}`, { method });
      return `${status} ${status < 400 ? '' : text}`;
    };
    assert.is(await under('/api'), await under('/api/v1'), route);
  }
});

spec('AUT-020 a project token may use exactly these routes, limited to its environment', () => {
  const ofItself = ['GET /me', 'GET /openapi.json', 'GET /session', 'GET /version'];
  const ofSignIn = ['POST /auth/device', 'POST /auth/token', 'POST /login', 'POST /logout'];
  const one = ['', '/status', '/changes', '/deployments', '/variables', '/logs', '/logs/stream', '/metrics'];
  const reads = ['', ...one.map((path) => `/{app}${path}`)];
  const variables = ['config/set', 'config/delete', 'secrets/set', 'secrets/delete'];
  const acts = ['deploy', 'rollback', 'scale', ...variables, 'build', 'build/cancel'];
  const ofServices = [
    ...reads.map((path) => `GET /apps${path}`),
    'PATCH /apps/{app}',
    ...acts.map((act) => `POST /apps/{app}/${act}`),
  ];
  assert.equal(givenTo('project token'), [...ofItself, ...ofSignIn, ...ofServices].toSorted());
  for (const route of ofServices) assert.is(cellOf(route as RouteId, 'project token elsewhere'), 'nothing', route);
});

spec('AUT-038 a signed-in admin may use every route without redaction', () => {
  for (const route of inOrder) assert.is(cellOf(route, 'admin session'), 'whole', route);
});

spec('the page with the authorization table is up to date', () => {
  const now = matrixPage();
  if (process.env['UPDATE'] === 'matrix') writeFileSync(page, now);
  assert.is(readFileSync(page, 'utf8').replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---'), now);
});

spec.run();
