import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('a SQLite database by kubectl and over REST, with a kill -9');
const missing = noKubectl();
const test = unless(spec, missing);
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;

const system = ['-n', 'core-system'] as const;
const home = ['-n', 'shop-production'] as const;
const started = async (dataDir?: string) => {
  product = await startProduct(dataDir === undefined ? {} : { dataDir });
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
};

async function apply(kind: string, name: string, spec: object, annotations: object = {}) {
  const file = join(product.dataDir, `${name}.json`);
  const metadata = { name, namespace: 'core-system', annotations };
  writeFileSync(file, JSON.stringify({ apiVersion: 'core.platform/v1alpha1', kind, metadata, spec }));
  return kubectl.run('apply', '-f', file);
}
const field = (path: string) =>
  kubectl.run('get', 'coredatabase', 'orders', ...system, '-o', `jsonpath={${path}}`, '--ignore-not-found');
const message = () => field('.status.conditions[?(@.type=="Ready")].message');
const post = (path: string) =>
  product.api(path, { method: 'POST', headers: { origin: product.endpoints.dashboard ?? '' } });
const read = async () =>
  (await (await product.api('/api/v1/databases/orders')).json()) as {
    readonly resource: { readonly state: string; readonly details: Readonly<Record<string, unknown>> };
  };
const objects = async () =>
  (await kubectl.run('get', 'deployment,service,persistentvolumeclaim,secret', ...home, '-o', 'name'))
    .split('\n')
    .filter((name) => /orders/.test(name));

spec.before(async () => {
  if (missing !== null) return;
  await started();
});
spec.after(async () => {
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
});

test('DB-206 DB-158 DB-159 a draft of a database waits, and the API reports it', async () => {
  await apply('CoreProject', 'shop', { clusterRef: { name: 'local' }, environments: ['production'] });
  await apply(
    'CoreDatabase',
    'orders',
    { project: 'shop', environment: 'production', engine: 'SQLite' },
    { 'core.platform/deploy-workflow': 'true', 'core.platform/pending-changes': 'created' },
  );
  await until(
    async () => (await message()) === 'Resource is configured and waiting for deployment',
    'the draft says what it waits for',
  );
  const { resource } = await read();
  assert.is(resource.state, 'draft');
  assert.equal(resource.details['pending'], ['created']);
  assert.equal(await objects(), []);
  const retried = await post('/api/v1/databases/orders/retry');
  assert.is(retried.status, 409);
});

test('DB-164 DB-208 DB-214 a database is Ready with its connection when the operator was killed during the deploy', async () => {
  await kubectl.run('wait', 'coreproject', 'shop', ...system, '--for=condition=Ready', '--timeout=20s');
  const deployed = await post('/api/v1/databases/orders/deploy');
  assert.is(deployed.status, 200);
  assert.equal(await deployed.json(), {
    name: 'orders',
    kind: 'CoreDatabase',
    deployed: true,
    deployment: '',
    state: 'pending',
  });
  const { dataDir } = product;
  await product.end('SIGKILL');
  await started(dataDir);
  await kubectl.run('wait', 'coredatabase', 'orders', ...system, '--for=condition=Ready', '--timeout=60s');
  assert.is(await message(), 'Database connection is available');
  assert.is(await field('.status.host'), 'orders.shop-production.svc');
  assert.equal(await objects(), [
    'deployment.apps/orders',
    'service/orders',
    'persistentvolumeclaim/orders-sqlite',
    'secret/orders-connection',
  ]);
  const secretOf = (name: string, key: string) =>
    kubectl.run('get', 'secret', name, ...home, '-o', `jsonpath={.data.${key}}`);
  const uri = Buffer.from(await secretOf('orders-connection', 'uri'), 'base64').toString();
  assert.is(uri, 'http://orders.shop-production.svc:4001');
  assert.is((await read()).resource.state, 'ready');
});

test('DB-211b deleted objects are restored', async () => {
  await kubectl.run('delete', 'service', 'orders', ...home);
  await until(
    async () => (await kubectl.run('get', 'service', 'orders', ...home, '--ignore-not-found', '-o', 'name')) !== '',
    'the Service stands again',
  );
});

test('KND-052 KND-054 a changed database waits for its deploy', async () => {
  const patch = JSON.stringify({ spec: { resources: { requests: { cpu: '200m', memory: '256Mi' } } } });
  await kubectl.run('patch', 'coredatabase', 'orders', ...system, '--type=merge', '-p', patch);
  await until(
    async () => (await field('.metadata.annotations.core\\.platform/pending-changes')) === 'settings',
    'the change is marked',
  );
  const memory = () =>
    kubectl.run(
      'get',
      'deployment',
      'orders',
      ...home,
      '-o',
      'jsonpath={.spec.template.spec.containers[0].resources.requests.memory}',
    );
  assert.is(await memory(), '128Mi');
  assert.is((await post('/api/v1/databases/orders/deploy')).status, 200);
  await until(async () => (await memory()) === '256Mi', 'the change runs');
});

test('DB-210 DB-147 a stopped database has no objects left', async () => {
  const stop = JSON.stringify({ spec: { deploy: { enabled: false } } });
  await kubectl.run('patch', 'coredatabase', 'orders', ...system, '--type=merge', '-p', stop);
  await until(async () => (await objects()).length === 0, 'nothing runs');
  assert.is(await field('.status.phase'), 'Draft');
});

test('DB-223 DB-223b a database is deleted with all its resources when it was deployed twice', async () => {
  assert.is((await post('/api/v1/databases/orders/deploy')).status, 200);
  await until(async () => (await objects()).length >= 4, 'it is built again');
  await kubectl.run('delete', 'coredatabase', 'orders', ...system, '--wait=false');
  await until(async () => (await field('.metadata.name')) === '', 'it is gone');
  assert.equal(await objects(), []);
  assert.is((await product.api('/api/v1/databases/orders')).status, 404);
});

test('KND-048 KND-048a a database created over REST is a draft, or becomes Ready without a further edit', async () => {
  const create = (fields: object) =>
    product.api('/api/v1/databases', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project: 'shop', environment: 'production', name: 'orders', engine: 'SQLite', ...fields }),
    });
  assert.is((await create({})).status, 201);
  await until(async () => (await field('.status.phase')) === 'Draft', 'the draft is taken up');
  assert.is((await create({ deploy: true })).status, 409);
  const gone = await product.api('/api/v1/databases/orders?confirmName=orders', { method: 'DELETE' });
  assert.is(gone.status, 200);
  await until(async () => (await field('.metadata.name')) === '', 'it is gone');
  assert.is((await create({ deploy: true })).status, 201);
  await kubectl.run('wait', 'coredatabase', 'orders', ...system, '--for=condition=Ready', '--timeout=60s');
  const moves = await field('.status.history[?(@.machine=="draftDeploy")].event');
  assert.is(moves, 'createdDeployed');
});

spec.run();
