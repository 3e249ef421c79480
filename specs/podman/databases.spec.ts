import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { startProduct, type Product } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { enterOwnNetwork } from './ownNetwork.ts';
import { lacksPodman, ownPodman, type OwnPodman } from './ownPodman.ts';
import { importPrograms } from './serverImages.ts';

const postgresFiles = ['/usr/lib/postgresql/15', '/usr/share/postgresql/15'];
const mysqlFiles = [
  ...['mariadbd', 'mysqld'].map((name) => `/usr/sbin/${name}`),
  ...['mariadb', 'mysql', 'mariadb-dump', 'mysqldump', 'mariadb-install-db', 'my_print_defaults', 'resolveip'].map(
    (name) => `/usr/bin/${name}`,
  ),
  '/usr/share/mysql',
];
const execute = promisify(execFile);

/** Servers that really run take more than the suite has. */
const only = isWhole ? null : 'databases on podman are played by `npm run whole`';
const uploadFiles = ['/usr/bin/rclone'];
const absent = [...postgresFiles, ...mysqlFiles, ...uploadFiles].find((path) => !existsSync(path));
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
  await importPrograms(own, 'registry.local/spec/upload:1', uploadFiles);
  const env = {
    CORE_NODES: 'podman',
    CORE_PODMAN_SOCKET: own.socket,
    CORE_INGRESS_PORT: '0',
    CORE_POSTGRES_IMAGE: 'registry.local/spec/postgres',
    CORE_MYSQL_CLIENT_IMAGE: 'registry.local/spec/mysql:1',
    CORE_UPLOAD_IMAGE: 'registry.local/spec/upload:1',
  };
  product = await startProduct({ env });
  await kubectl('apply', '-f', 'crds/samples/first-build.yaml');
});
spec.after(async () => {
  await product?.end('SIGTERM');
  await own?.end();
  product?.clean();
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

real(
  'Postgres runs: its connection Secret opens it, data outlive the pod, and a logical database is made',
  async () => {
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
  },
);

real('MySQL runs: its connection Secret opens it', async () => {
  await applied(database('shopdb', { engine: 'MySQL', version: '8.4', storageSize: '1Gi' }));
  await ready('coredatabase', 'shopdb');
  assert.is(await mysql('shopdb-connection', "select concat(current_user(), ' ', database())"), 'app@% shopdb');
});

interface Archive {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly restorePoints?: readonly { readonly id: string }[] };
}

real(
  'BAK-011 BAK-024 BAK-062 a dump of MySQL goes to the embedded cloud, and a restore is a server beside that holds its rows',
  async () => {
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
    const change = (object: string, fields: object) =>
      kubectl('patch', object, '-n', 'core-system', '--type=merge', '-p', JSON.stringify({ spec: fields }));
    const backupStorage = { connectionRef: { name: 'shop-cloud' }, bucket: 'core-backup-shop' };
    await change('coreproject/shop', { backupStorage });
    await mysql('shopdb-connection', 'create table kept as select 41 + 1 as answer');
    await change('coredatabase/shopdb', { backup: { enabled: true, retentionDays: 7 } });
    const protectedNow = '--for=jsonpath={.status.backup.state}=Protected';
    await kubectl('wait', 'coredatabase/shopdb', '-n', 'core-system', protectedNow, '--timeout=100s');
    const { items } = JSON.parse(await kubectl('get', 'corebackuparchives', '-n', 'core-system', '-o', 'json')) as {
      readonly items: readonly Archive[];
    };
    const [archive] = items;
    const restorePoint = archive?.status?.restorePoints?.[0]?.id ?? '';
    const restoreFrom = { archive: archive?.metadata.name ?? '', restorePoint };
    const more = { engine: 'MySQL', version: '8.4', storageSize: '1Gi', databaseName: 'shopdb', restoreFrom };
    await applied(database('again', more));
    await ready('coredatabase', 'again');
    assert.is(await mysql('again-connection', 'select answer from kept'), '42');
  },
);

spec.run();
