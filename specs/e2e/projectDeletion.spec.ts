import * as assert from 'uvu/assert';
import type { Created, Read } from '../../http/api.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('a project over REST and kubectl, with kill -9 during its deletion');
const missing = noKubectl();
const test = unless(spec, missing);
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;
let project = '';

const system = ['-n', 'core-system'] as const;
const started = async (dataDir?: string) => {
  product = await startProduct(dataDir === undefined ? {} : { dataDir });
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
};
spec.before(async () => {
  if (missing === null) await started();
});
spec.after(async () => {
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
});

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await product.api(`/api/v1${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}
const names = async (kinds: string, ...of: readonly string[]) =>
  (await kubectl.run('get', kinds, ...of, '--ignore-not-found', '-o', 'name'))
    .split('\n')
    .filter((name) => name !== '');
const secretIn = (namespace: string, name: string, key: string) =>
  kubectl.run('get', 'secret', name, '-n', namespace, '--ignore-not-found', '-o', `jsonpath={.data.${key}}`);
const isGone = async () => (await names('coreprojects', ...system)).every((name) => !name.endsWith(`/${project}`));

/** The operator may remove its own finalizer between the read and the patch, which the test of the patch refuses. */
const released = async () => {
  const path = ['coredatabase', 'orders-production', ...system] as const;
  const finalizers = JSON.parse(await kubectl.run('get', ...path, '-o', 'jsonpath={.metadata.finalizers}')) as string[];
  const value = finalizers.filter((one) => one !== 'example.com/held');
  const operations = [
    { op: 'test', path: '/metadata/finalizers', value: finalizers },
    { op: 'replace', path: '/metadata/finalizers', value },
  ];
  return kubectl.run('patch', ...path, '--type=json', '-p', JSON.stringify(operations)).then(
    () => true,
    () => false,
  );
};

test('PRJ-005 PRJ-007 PRJ-024 a project is created over REST and gets another environment', async () => {
  const created = await send<Created>('POST', '/projects', { displayName: 'The Shop' });
  project = created.name;
  assert.match(project, /^proj-[0-9a-f]{8}$/);
  assert.is(
    await kubectl.run(
      'get',
      'coreproject',
      project,
      ...system,
      '-o',
      'jsonpath={.spec.displayName} {.spec.clusterRef.name}',
    ),
    'the-shop local',
  );
  await send('POST', `/projects/${project}/environments`, { name: 'staging' });
  await kubectl.run('wait', 'coreproject', project, ...system, '--for=condition=Ready', '--timeout=20s');
  await until(async () => (await names('namespaces')).includes(`namespace/${project}-staging`), 'it is set up');
});

test('PRJ-069 PRJ-062 PRJ-061 a secret variable set over REST reaches only its environment', async () => {
  const variable = { environment: 'staging', name: 'TOKEN' };
  await send('POST', `/projects/${project}/variables/set`, { ...variable, value: 'hidden', secret: true });
  await send('POST', `/projects/${project}/variables/set`, {
    environment: 'production',
    name: 'LEVEL',
    value: 'debug',
  });
  const encoded = Buffer.from('hidden').toString('base64');
  assert.is(await secretIn('core-system', `${project}-shared-secrets`, 'staging__TOKEN'), encoded);
  await until(
    async () => (await secretIn(`${project}-staging`, 'core-shared-secrets', 'TOKEN')) === encoded,
    'the services read it',
  );
  assert.not.match(await kubectl.run('get', 'coreproject', project, ...system, '-o', 'json'), encoded);
});

test('PRJ-110 an environment is deleted with its database, its variables and its namespace', async () => {
  for (const environment of ['staging', 'production'])
    await send('POST', '/databases', {
      project,
      environment,
      engine: 'SQLite',
      name: `orders-${environment}`,
      deploy: true,
    });
  await until(
    async () => (await names('deployments', '-n', `${project}-staging`)).length === 1,
    'the database runs in it',
  );
  await send('DELETE', `/projects/${project}/environments/staging?confirmName=staging`);
  await until(
    async () =>
      (await send<Read>('GET', `/projects/${project}`)).resource.details['environments']?.toString() === 'production',
    'the environment is off the list',
  );
  assert.equal(await names('coredatabases', ...system), ['coredatabase.core.platform/orders-production']);
  assert.not.ok((await names('namespaces')).includes(`namespace/${project}-staging`));
  assert.is(await secretIn('core-system', `${project}-shared-secrets`, 'staging__TOKEN'), '');
});

test('PRJ-106 PRJ-109 a project in deletion is gone after the restart of a killed server', async () => {
  await send('POST', '/tokens', { name: 'a script', project, environment: 'production' });
  // Holds the deletion up until it is killed.
  const held = JSON.stringify({ metadata: { finalizers: ['example.com/held', 'core.platform/database'] } });
  await kubectl.run('patch', 'coredatabase', 'orders-production', ...system, '--type=merge', '-p', held);
  await send('DELETE', `/projects/${project}?confirmName=${project}`);
  const message = () =>
    kubectl.run(
      'get',
      'coreproject',
      project,
      ...system,
      '-o',
      'jsonpath={.status.conditions[?(@.type=="ContentRemaining")].message}',
    );
  await until(async () => (await message()).includes('CoreDatabase orders-production'), 'kubectl says what is left');
  assert.is((await send<Read>('GET', `/projects/${project}`)).resource.state, 'deleting');
  await product.end('SIGKILL');
  await started(product.dataDir);
  assert.not.ok(await isGone());
  await until(released, 'it is held no more');
  await until(isGone, 'the project is gone');
  assert.equal(await names('coredatabases', ...system), []);
  assert.not.match((await names('namespaces')).join(' '), project);
  assert.not.match((await names('secrets', ...system)).join(' '), project);
  assert.equal((await send<{ readonly items: readonly object[] }>('GET', '/tokens')).items, []);
});

spec.run();
