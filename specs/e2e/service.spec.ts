import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, root, startProduct } from '../support/product.ts';
import { fourFailures } from '../support/fourFailures.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('a service by kubectl and over REST');
const missing = noKubectl();
const test = unless(spec, missing);
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;

const system = ['-n', 'core-system'] as const;
const home = ['-n', 'shop-production'] as const;
const field = (path: string, name = 'hello-web') =>
  kubectl.run('get', 'coreapp', name, ...system, '-o', `jsonpath={${path}}`, '--ignore-not-found');
const message = (name?: string) => field('.status.conditions[?(@.type=="Ready")].message', name);
const reason = (name?: string) => field('.status.conditions[?(@.type=="Ready")].reason', name);
const ready = (name: string) =>
  kubectl.run('wait', `coreapp/${name}`, ...system, '--for=condition=Ready', '--timeout=60s');
const objects = async (name: string) =>
  (await kubectl.run('get', 'deployment,service,ingress,configmap,secret', ...home, '-o', 'name'))
    .split('\n')
    .filter((one) => one.split('/')[1]?.startsWith(name))
    .toSorted();
const send = (method: string, path: string, body?: object) =>
  product.api(`/api/v1${path}`, {
    method,
    headers: { origin: product.endpoints.dashboard ?? '', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const post = async (path: string, body: object = {}) => {
  const answer = await send('POST', path, body);
  return { status: answer.status, told: (await answer.json()) as Readonly<Record<string, unknown>> };
};
const env = async (name: string, variable: string) => {
  const pods = await kubectl.run(
    'get',
    'pods',
    ...home,
    '-l',
    `core.platform/app=${name}`,
    '--field-selector=status.phase=Running',
    '-o',
    'jsonpath={.items[*].metadata.name}',
  );
  const [pod = ''] = pods.split(' ');
  return kubectl.run('exec', pod, ...home, '--', 'sh', '-c', `echo $${variable}`).then(
    (text) => text.trim(),
    () => '',
  );
};

spec.before(async () => {
  if (missing !== null) return;
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
  await kubectl.run('apply', '-f', join(root, 'crds/samples/first-build.yaml'));
  await kubectl.run('wait', 'coreproject', 'shop', ...system, '--for=condition=Ready', '--timeout=60s');
});
spec.after(async () => {
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
});

test('KND-038 KND-043 KND-044 KND-058 the sample service runs as written, and its changes apply at once', async () => {
  await kubectl.run('apply', '-f', join(root, 'crds/samples/first-service.yaml'));
  await ready('hello-web');
  assert.equal([await reason(), await message()], ['ServiceReady', 'Service is running']);
  assert.is(await field('.status.url'), 'https://hello.example.com');
  assert.equal(await objects('hello-web'), [
    'configmap/hello-web-config',
    'deployment.apps/hello-web',
    'ingress.networking.k8s.io/hello-web',
    'service/hello-web',
  ]);
  assert.equal([await env('hello-web', 'GREETING'), await env('hello-web', 'PORT')], ['hello', '3000']);
  const three = JSON.stringify({ spec: { replicas: 3 } });
  await kubectl.run('patch', 'coreapp', 'hello-web', ...system, '--type=merge', '-p', three);
  await until(
    async () =>
      (await kubectl.run('get', 'deployment', 'hello-web', ...home, '-o', 'jsonpath={.status.readyReplicas}')) === '3',
    'three copies run',
  );
});

test('API-031 API-018 API-024 API-025 SEC-020 a draft created over REST runs with its variables after its deploy', async () => {
  const placed = { project: 'shop', environment: 'production' };
  assert.is((await post('/apps', { ...placed, name: 'web', image: 'registry.example.com/web:1' })).status, 201);
  assert.is((await post('/apps/web/config/set', { key: 'MODE', value: 'fast' })).status, 200);
  assert.is((await post('/apps/web/secrets/set', { key: 'TOKEN', value: 'hush' })).status, 200);
  const strange = JSON.parse('{"key":"__proto__","value":"x"}') as object;
  assert.is((await post('/apps/web/config/set', strange)).status, 200);
  assert.equal(await objects('web'), [], 'nothing runs of a draft');
  assert.equal((await post('/apps/web/deploy')).told['state'], 'pending');
  await ready('web');
  assert.equal([await env('web', 'MODE'), await env('web', 'TOKEN')], ['fast', 'hush']);
  assert.is(
    await kubectl.run('get', 'configmap', 'web-config', ...home, '-o', 'jsonpath={.data.__proto__}'),
    'x',
    'whatever a variable is called',
  );
  assert.not.match(await field('', 'web'), 'hush');
  assert.is((await post('/apps/web/config/set', { key: 'MODE', value: 'slow' })).told['pending'], true);
  assert.is(await env('web', 'MODE'), 'fast', 'a change waits for its deploy');
  await post('/apps/web/deploy');
  await until(async () => (await env('web', 'MODE')) === 'slow', 'the deploy hands it out');
});

test('KND-039 KND-045 a service with a failing image becomes ProvisionFailed, and Retry over REST starts another attempt', async () => {
  const pods = '- match: { image: "*:broken" }\n  waiting: ImagePullBackOff\n';
  const patch = (text: string) =>
    kubectl.run(
      'patch',
      'configmap',
      'simulated-nodes',
      ...system,
      '--type=merge',
      '-p',
      JSON.stringify({ data: { pods: text } }),
    );
  await patch(pods);
  const file = join(product.dataDir, 'broken.json');
  const body = {
    apiVersion: 'core.platform/v1alpha1',
    kind: 'CoreApp',
    metadata: { name: 'fails', namespace: 'core-system' },
    spec: {
      project: 'shop',
      environment: 'production',
      source: { image: 'registry.example.com/web:broken' },
      deploy: { enabled: true },
    },
  };
  writeFileSync(file, JSON.stringify(body));
  await kubectl.run('apply', '-f', file);
  await until(async () => (await message('fails')) === 'Service failed to start', 'it says why', 60_000);
  const failures = '.status.reconcileRetry.reconcileFailures';
  await until(async () => (await field(failures, 'fails')) === '1', 'the failure is counted');
  const row = JSON.stringify({ status: { reconcileRetry: fourFailures() } });
  await kubectl.run('patch', 'coreapp', 'fails', ...system, '--subresource=status', '--type=merge', '-p', row);
  await until(async () => (await reason('fails')) === 'ProvisionFailed', 'the fifth one gives it up');
  assert.is(await field(failures, 'fails'), '5');
  const state = async () =>
    ((await (await send('GET', '/apps/fails/status')).json()) as { readonly state: string }).state;
  assert.is(await state(), 'failed');
  await patch('');
  await kubectl.run('delete', 'pods', ...home, '-l', 'core.platform/app=fails', '--wait=false');
  const { status, told } = await post('/apps/fails/retry');
  assert.equal([status, told['note']], [200, 'Retrying provisioning']);
  await ready('fails');
  assert.is(await state(), 'ready');
});

test('DB-153 API-032 a service is deleted with all its resources, by kubectl and over REST', async () => {
  await kubectl.run('delete', 'coreapp', 'hello-web', ...system, '--timeout=60s');
  assert.equal(await objects('hello-web'), []);
  const deleted = await send('DELETE', '/apps/web?confirmName=web');
  assert.equal(await deleted.json(), { name: 'web', kind: 'CoreApp', deleted: true });
  await until(async () => (await field('.metadata.name', 'web')) === '', 'it is gone');
  assert.equal(await objects('web'), []);
  await until(
    async () =>
      (await kubectl.run('get', 'secret', 'web-variables', ...system, '--ignore-not-found', '-o', 'name')) === '',
    'and so are the values of its secrets',
  );
});

spec.run();
