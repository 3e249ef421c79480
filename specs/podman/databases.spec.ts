import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { redisImage } from '../../runtime/local/addons/realServers.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { startProduct, type Product } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { enterOwnNetwork } from './ownNetwork.ts';
import { lacksPodman, ownPodman, type OwnPodman } from './ownPodman.ts';
import { importPrograms, importStandIns } from './serverImages.ts';

const postgresFiles = ['/usr/lib/postgresql/15', '/usr/share/postgresql/15'];
const mysqlFiles = [
  ...['mariadbd', 'mysqld'].map((name) => `/usr/sbin/${name}`),
  ...['mariadb', 'mysql', 'mariadb-dump', 'mysqldump', 'mariadb-install-db', 'my_print_defaults', 'resolveip'].map(
    (name) => `/usr/bin/${name}`,
  ),
  '/usr/share/mysql',
];
const tools = 'registry.local/spec/tools:1';
const execute = promisify(execFile);

/** Servers that really run take more than the suite has. */
const only = isWhole ? null : 'databases on podman are played by `npm run whole`';
const redisFiles = ['/usr/bin/redis-server'];
const toolFiles = ['/usr/bin/rclone', '/usr/bin/curl', '/usr/bin/sqlite3'];
const absent = [...postgresFiles, ...mysqlFiles, ...redisFiles, ...toolFiles, '/usr/bin/redis-cli'].find(
  (path) => !existsSync(path),
);
const lacking =
  only ??
  (absent === undefined ? null : `this machine has no ${absent}`) ??
  lacksPodman() ??
  noKubectl() ??
  enterOwnNetwork();
const spec = suite('databases on podman');
const real = unless(spec, lacking);
let own: OwnPodman | undefined;
let product: Product | undefined;

const kubectl = (...args: readonly string[]) => kubectlFor(product?.endpoints.kubeconfig ?? '').run(...args);

spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman('shared');
  await importPrograms(own, 'registry.local/spec/postgres:15', postgresFiles);
  await importPrograms(own, 'registry.local/spec/mysql:1', mysqlFiles);
  await importPrograms(own, redisImage, redisFiles);
  await importPrograms(own, tools, toolFiles);
  await importStandIns(own, 'registry.local/spec/servers:1');
  product = await startProduct({ env: envOf(own) });
  await kubectl('apply', '-f', 'crds/samples/first-build.yaml');
});
spec.after(async () => {
  await product?.end('SIGTERM');
  await own?.end();
  product?.clean();
});

const envOf = ({ socket }: OwnPodman) => ({
  CORE_NODES: 'podman',
  CORE_PODMAN_SOCKET: socket,
  CORE_INGRESS_PORT: '0',
  CORE_POSTGRES_IMAGE: 'registry.local/spec/postgres',
  CORE_MYSQL_CLIENT_IMAGE: 'registry.local/spec/mysql:1',
  CORE_SQLITE_IMAGE: 'registry.local/spec/servers:1',
  CORE_OBJECT_STORE_IMAGE: 'registry.local/spec/servers:1',
  CORE_CURL_IMAGE: tools,
  CORE_SQLITE_CLIENT_IMAGE: tools,
  CORE_RCLONE_IMAGE: tools,
});

async function applied(object: object): Promise<void> {
  const file = join(own?.folder ?? '', 'object.json');
  writeFileSync(file, JSON.stringify(object));
  await kubectl('apply', '-f', file);
}

const database = (name: string, spec: object) => ({
  apiVersion: 'core.platform/v1alpha1',
  kind: 'CoreDatabase',
  metadata: { name, namespace: 'core-system' },
  spec: { project: 'shop', environment: 'production', placement: 'InCluster', deploy: { enabled: true }, ...spec },
});
const ready = (kind: string, name: string) =>
  kubectl('wait', `${kind}/${name}`, '-n', 'core-system', '--for=condition=Ready', '--timeout=100s');

async function connection(secret: string): Promise<Readonly<Record<string, string>>> {
  const found = JSON.parse(await kubectl('get', 'secret', secret, '-n', 'shop-production', '-o', 'json')) as {
    readonly data: Readonly<Record<string, string>>;
  };
  return Object.fromEntries(
    Object.entries(found.data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  );
}

/** The cluster address of a Service, which its host names inside the cluster. */
const addressOf = (host: string) =>
  kubectl('get', 'service', host.split('.')[0] ?? '', '-n', 'shop-production', '-o', 'jsonpath={.spec.clusterIP}');

async function postgres(secret: string, query: string): Promise<string> {
  const { host = '', username = '', password = '', database: name = '' } = await connection(secret);
  const env = { ...process.env, PGPASSWORD: password, PGCONNECT_TIMEOUT: '5' };
  const args = ['-h', await addressOf(host), '-U', username, '-d', name, '-Atc', query];
  return (await execute('/usr/lib/postgresql/15/bin/psql', args, { env })).stdout.trim();
}

async function mysql(secret: string, query: string): Promise<string> {
  const { host = '', username = '', password = '', database: name = '' } = await connection(secret);
  const args = ['--no-defaults', '-h', await addressOf(host), '-u', username, '-Nse', query, name];
  return (await execute('mysql', args, { env: { ...process.env, MYSQL_PWD: password } })).stdout.trim();
}

async function redis(secret: string, ...command: readonly string[]): Promise<string> {
  const { host = '', password = '' } = await connection(secret);
  const env = { ...process.env, REDISCLI_AUTH: password };
  return (await execute('redis-cli', ['-h', await addressOf(host), ...command], { env })).stdout.trim();
}

/** Statements over the route of rqlite; gives its results. */
async function sqlite(secret: string, route: 'execute' | 'query', statement: string): Promise<string> {
  const { host = '', port = '' } = await connection(secret);
  const url = `http://${await addressOf(host)}:${port}/db/${route}`;
  const asked = await fetch(url, { method: 'POST', body: JSON.stringify([statement]) });
  return asked.text();
}

real('Postgres accepts its connection Secret, keeps data over a pod, and a logical database is created', async () => {
  await applied(database('ledger', { engine: 'Postgres', version: '15', storageSize: '1Gi' }));
  await ready('coredatabase', 'ledger');
  assert.is(await postgres('ledger-connection', 'select current_user'), 'app');
  await postgres('ledger-connection', 'create table kept as select 41 + 1 as answer');
  await kubectl('delete', 'pod', 'ledger-1', '-n', 'shop-production');
  const answer = await until(
    () => postgres('ledger-connection', 'select answer from kept').catch(() => null),
    'the server to run again',
  );
  assert.is(answer, '42');
  await applied({
    apiVersion: 'core.platform/v1alpha1',
    kind: 'CoreLogicalDatabase',
    metadata: { name: 'orders', namespace: 'core-system' },
    spec: { project: 'shop', environment: 'production', serverRef: 'ledger', databaseName: 'orders' },
  });
  await ready('corelogicaldatabase', 'orders');
  assert.is(await postgres('orders-connection', 'select current_database()'), 'orders');
});

real('MySQL accepts its connection Secret, and a logical database is created', async () => {
  await applied(database('shopdb', { engine: 'MySQL', version: '8.4', storageSize: '1Gi' }));
  await ready('coredatabase', 'shopdb');
  const whoAndWhere = "select concat(current_user(), ' ', database())";
  assert.is(await mysql('shopdb-connection', whoAndWhere), 'app@% shopdb');
  await applied({
    apiVersion: 'core.platform/v1alpha1',
    kind: 'CoreLogicalDatabase',
    metadata: { name: 'prices', namespace: 'core-system' },
    spec: { project: 'shop', environment: 'production', serverRef: 'shopdb', databaseName: 'prices' },
  });
  await ready('corelogicaldatabase', 'prices');
  assert.is(await mysql('prices-connection', whoAndWhere), 'app@% prices');
});

interface Archive {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly source?: { readonly name?: string } };
  readonly status?: { readonly deleteAfter?: string; readonly restorePoints?: readonly { readonly id: string }[] };
}

const change = (object: string, fields: object) =>
  kubectl('patch', object, '-n', 'core-system', '--type=merge', '-p', JSON.stringify({ spec: fields }));

real('the embedded cloud becomes the backup storage of a project', async () => {
  const endpoint = product?.endpoints.cloud ?? '';
  await applied({
    apiVersion: 'core.platform/v1alpha1',
    kind: 'CoreCloudConnection',
    metadata: { name: 'shop-cloud', namespace: 'core-system' },
    spec: {
      project: 'shop',
      provider: 'Cloud',
      region: 'local',
      endpoint,
      iamEndpoint: endpoint,
      secretRef: { name: 'local-cloud' },
    },
  });
  const backupStorage = { connectionRef: { name: 'shop-cloud' }, bucket: 'core-backup-shop' };
  await change('coreproject/shop', { backupStorage });
});

async function archiveOf(name: string): Promise<Archive> {
  const found = await kubectl('get', 'corebackuparchives', '-n', 'core-system', '-o', 'json');
  const { items } = JSON.parse(found) as { readonly items: readonly Archive[] };
  const archive = items.find((one) => one.metadata.name.startsWith(`${name}-`));
  if (!archive) throw new Error(`there is no archive of ${name}`);
  return archive;
}

/** The first restore point of a database that is backed up from now on, as what a restore names. */
async function backedUp(name: string) {
  await change(`coredatabase/${name}`, { backup: { enabled: true, retentionDays: 7 } });
  const isProtected = '--for=jsonpath={.status.backup.state}=Protected';
  await kubectl('wait', `coredatabase/${name}`, '-n', 'core-system', isProtected, '--timeout=100s');
  const { metadata, status } = await archiveOf(name);
  return { archive: metadata.name, restorePoint: status?.restorePoints?.[0]?.id ?? '' };
}

real(
  'BAK-011 BAK-024 BAK-062 a MySQL dump is stored in the embedded cloud, and a restored database holds its rows',
  async () => {
    await mysql('shopdb-connection', 'create table kept as select 41 + 1 as answer');
    const restoreFrom = await backedUp('shopdb');
    const more = { engine: 'MySQL', version: '8.4', storageSize: '1Gi', databaseName: 'shopdb', restoreFrom };
    await applied(database('again', more));
    await ready('coredatabase', 'again');
    assert.is(await mysql('again-connection', 'select answer from kept'), '42');
  },
);

real(
  'BAK-011 BAK-024 BAK-062 SQLite runs without root, is dumped and restored into another database, and takes a last dump',
  async () => {
    await applied(database('notes', { engine: 'SQLite', storageSize: '1Gi' }));
    await ready('coredatabase', 'notes');
    assert.not.match(
      await sqlite('notes-connection', 'execute', 'create table kept as select 41 + 1 as answer'),
      'error',
    );
    const answer = /"values":\[\[42\]\]/;
    await kubectl('delete', 'pod', '-l', 'core.platform/name=notes', '-n', 'shop-production');
    await until(
      async () => answer.test(await sqlite('notes-connection', 'query', 'select answer from kept').catch(() => '')),
      'the server to run again',
    );
    const restoreFrom = await backedUp('notes');
    await applied(database('notes-again', { engine: 'SQLite', storageSize: '1Gi', restoreFrom }));
    await ready('coredatabase', 'notes-again');
    assert.match(await sqlite('notes-again-connection', 'query', 'select answer from kept'), answer);
    await kubectl('delete', 'coredatabase/notes', '-n', 'core-system', '--timeout=100s');
    assert.is((await archiveOf('notes')).status?.restorePoints?.length, 2);
  },
);

real('Redis data outlives its process, and the Ready message names the limits of persistence', async () => {
  await applied(database('cache', { engine: 'Redis' }));
  await ready('coredatabase', 'cache');
  await redis('cache-connection', 'set', 'answer', '42');
  await redis('cache-connection', 'shutdown').catch(() => '');
  const answer = await until(
    () => redis('cache-connection', 'get', 'answer').catch(() => null),
    'the server to run again',
  );
  assert.is(answer, '42');
  const words = '-o=jsonpath={.status.conditions[?(@.type=="Ready")].message}';
  assert.match(await kubectl('get', 'coredatabase/cache', '-n', 'core-system', words), 'ends with its pod');
});

const store = (name: string, spec: object) => ({
  apiVersion: 'core.platform/v1alpha1',
  kind: 'CoreObjectStore',
  metadata: { name, namespace: 'core-system' },
  spec: { deploy: { enabled: true }, ...spec },
});

const putAndGet = `set -eu
export RCLONE_CONFIG=/dev/null RCLONE_S3_PROVIDER=Other RCLONE_S3_FORCE_PATH_STYLE=true RCLONE_S3_NO_CHECK_BUCKET=true
export RCLONE_S3_ENDPOINT="$endpoint" RCLONE_S3_REGION="$region"
export RCLONE_S3_ACCESS_KEY_ID="$accessKeyId" RCLONE_S3_SECRET_ACCESS_KEY="$secretAccessKey"
echo 42 > /tmp/answer
rclone copyto /tmp/answer ":s3:$bucket/answer"
[ "$(rclone cat ":s3:$bucket/answer")" = 42 ]
`;

real('a pod writes and reads a bucket of a local object store with the Secret of the bucket', async () => {
  await applied(store('shelf', { mode: 'Server', storageSize: '1Gi' }));
  await ready('coreobjectstore', 'shelf');
  await applied(
    store('files', { mode: 'Bucket', project: 'shop', environment: 'production', serverRef: { name: 'shelf' } }),
  );
  await ready('coreobjectstore', 'files');
  await applied({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'user', namespace: 'shop-production' },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name: 'main',
          image: tools,
          command: ['sh', '-c', putAndGet],
          envFrom: [{ secretRef: { name: 'files-bucket' } }],
        },
      ],
    },
  });
  const ended = ['get', 'pod', 'user', '-n', 'shop-production', '-o=jsonpath={.status.phase}'];
  const phase = await until(async () => {
    const now = await kubectl(...ended);
    return now === 'Succeeded' || now === 'Failed' ? now : null;
  }, 'the pod to end');
  assert.is(phase, 'Succeeded', await kubectl('logs', 'user', '-n', 'shop-production'));
});

real('database servers survive a kill of Core, and the next start adopts them with their data', async () => {
  const pids = () => kubectl('get', 'pods', '-A', '-o=jsonpath={.items[*].status.containerStatuses[*].containerID}');
  const before = await pids();
  await product?.end('SIGKILL');
  product = await startProduct({ env: own ? envOf(own) : {}, dataDir: product?.dataDir ?? '' });
  assert.is(await pids(), before);
  assert.is(await postgres('ledger-connection', 'select answer from kept'), '42');
  assert.is(await mysql('again-connection', 'select answer from kept'), '42');
  assert.is(await redis('cache-connection', 'get', 'answer'), '42');
});

spec.run();
