import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('a project by kubectl');
const missing = noKubectl();
const test = unless(spec, missing);
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;

const system = ['-n', 'core-system'] as const;
const home = ['-n', 'shop-production'] as const;

async function apply(name: string, spec: object) {
  const file = join(product.dataDir, `${name}.json`);
  const metadata = { name, namespace: 'core-system' };
  writeFileSync(file, JSON.stringify({ apiVersion: 'core.platform/v1alpha1', kind: 'CoreProject', metadata, spec }));
  return kubectl.run('apply', '-f', file);
}
const shop = (network: object = {}) =>
  apply('shop', { clusterRef: { name: 'local' }, environments: ['production', 'staging'], network });
const readyOf = (name: string) =>
  kubectl.run('get', 'coreproject', name, ...system, '-o', 'jsonpath={.status.conditions[?(@.type=="Ready")].message}');
const uidOf = (policy: string) =>
  kubectl.run('get', 'networkpolicy', policy, ...home, '--ignore-not-found', '-o', 'jsonpath={.metadata.uid}');
const policies = (...namespace: readonly string[]) =>
  kubectl.run('get', 'networkpolicies', ...namespace, '-o', 'jsonpath={.items[*].metadata.name}');

spec.before(async () => {
  if (missing !== null) return;
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
});
spec.after(async () => {
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
});

test('PRJ-001 PRJ-024 PRJ-113 an applied project is Ready within seconds', async () => {
  await shop();
  await kubectl.run('wait', 'coreproject', 'shop', ...system, '--for=condition=Ready', '--timeout=20s');
  assert.is(await readyOf('shop'), 'Project environments are ready');
  const listed = await kubectl.run('get', 'coreproject', 'shop', ...system);
  assert.match(listed, /NAME\s+READY[^]*shop\s+True/);
  const status = await kubectl.run('get', 'coreproject', 'shop', ...system, '-o', 'jsonpath={.status.environments}');
  assert.equal(JSON.parse(status), [
    { name: 'production', namespace: 'shop-production' },
    { name: 'staging', namespace: 'shop-staging' },
  ]);
});

test('PRJ-099 NET-001 NET-006 NET-012 each environment has its namespace, labels, policies and binding', async () => {
  for (const environment of ['production', 'staging']) {
    const namespace = `shop-${environment}`;
    const labels = await kubectl.run('get', 'namespace', namespace, '-o', 'jsonpath={.metadata.labels}');
    assert.equal(JSON.parse(labels), {
      'kubernetes.io/metadata.name': namespace,
      'core.platform/managed-by': 'core',
      'core.platform/project': 'shop',
      'core.platform/environment': environment,
      'core.platform/cluster': 'local',
    });
    assert.is(await policies('-n', namespace), 'core-block-cloud-metadata core-project-isolation');
    assert.is(
      await kubectl.run('get', 'rolebinding', 'core-environment', '-n', namespace, '-o', 'jsonpath={.roleRef.name}'),
      'core-environment',
    );
  }
});

test('NET-008 a deleted or edited policy is restored', async () => {
  const before = await uidOf('core-block-cloud-metadata');
  await kubectl.run('delete', 'networkpolicy', 'core-block-cloud-metadata', ...home);
  await until(async () => {
    const uid = await uidOf('core-block-cloud-metadata');
    return uid !== '' && uid !== before;
  }, 'the policy is there again');
  const opened = JSON.stringify({ spec: { ingress: [{}] } });
  const same = await uidOf('core-project-isolation');
  await kubectl.run('patch', 'networkpolicy', 'core-project-isolation', ...home, '--type=merge', '-p', opened);
  const from = () =>
    kubectl.run('get', 'networkpolicy', 'core-project-isolation', ...home, '-o', 'jsonpath={.spec.ingress[0].from}');
  await until(async () => /core\.platform\/project/.test(await from()), 'the policy is as it was');
  assert.is(await uidOf('core-project-isolation'), same, 'it was changed, not made anew');
  assert.is(await readyOf('shop'), 'Project environments are ready');
});

test('NET-002 NET-013 isolation is removed and restored with its setting', async () => {
  await shop({ isolation: 'None' });
  await until(async () => (await policies(...home)) === 'core-block-cloud-metadata', 'the isolation is gone');
  await shop({ isolation: 'Project', allowFromProjects: ['api'] });
  await until(async () => (await uidOf('core-project-isolation')) !== '', 'the isolation is back');
  const spec = await kubectl.run('get', 'networkpolicy', 'core-project-isolation', ...home, '-o', 'jsonpath={.spec}');
  assert.match(spec, /"shop","api"/);
});

test('PRJ-100 an existing namespace is adopted, but not one of another project', async () => {
  await kubectl.run('create', 'namespace', 'web-production');
  await kubectl.run('create', 'namespace', 'api-production');
  await kubectl.run('label', 'namespace', 'api-production', 'core.platform/project=somebody');
  const one = { clusterRef: { name: 'local' }, environments: ['production'] };
  await apply('web', one);
  await apply('api', one);
  await kubectl.run('wait', 'coreproject', 'web', ...system, '--for=condition=Ready', '--timeout=20s');
  await until(
    async () => (await readyOf('api')) === 'project/environment namespace "api-production" belongs to another project',
    'the project says whose it is',
  );
  assert.is(await policies('-n', 'api-production'), '', 'nothing is written there');
});

test('PRJ-115 a project with a missing cluster reports it', async () => {
  await apply('lost', { clusterRef: { name: 'nowhere' }, environments: ['production'] });
  await until(
    async () => (await readyOf('lost')) === 'Referenced CoreCluster is not available',
    'the project says that its cluster is missing',
  );
  assert.is((await kubectl.run('get', 'namespace', 'lost-production', '--ignore-not-found')).trim(), '');
});

test('PRJ-002 PRJ-112 a project is deleted with its own namespaces when its services are gone; older namespaces stay', async () => {
  const file = join(product.dataDir, 'hello.json');
  const service = {
    apiVersion: 'core.platform/v1alpha1',
    kind: 'CoreApp',
    metadata: { name: 'hello', namespace: 'core-system' },
    spec: { project: 'shop', environment: 'production', source: { image: 'nginx' }, deploy: { enabled: false } },
  };
  writeFileSync(file, JSON.stringify(service));
  await kubectl.run('apply', '-f', file);
  await apply('shop', { clusterRef: { name: 'local' }, environments: ['production'] });
  const finalizers = await kubectl.run(
    'get',
    'coreproject',
    'shop',
    ...system,
    '-o',
    'jsonpath={.metadata.finalizers}',
  );
  assert.is(finalizers, '["core.platform/project"]');
  await kubectl.run('delete', 'coreproject', 'shop', 'web', ...system, '--wait=false');
  await until(
    async () => !(await kubectl.run('get', 'coreprojects', ...system, '-o', 'name')).includes('/web'),
    'web goes',
  );
  assert.match(await kubectl.run('get', 'namespace', 'web-production', '-o', 'name'), /web-production/);
  assert.is(await policies('-n', 'web-production'), '', 'what was made there is gone');
  assert.match(await kubectl.run('get', 'coreproject', 'shop', ...system, '-o', 'name'), /shop/, 'a service is left');
  assert.match(await kubectl.run('get', 'namespace', 'shop-staging', '-o', 'name'), /shop-staging/);
  await kubectl.run('delete', 'coreapp', 'hello', ...system);
  await until(
    async () => (await kubectl.run('get', 'coreproject', 'shop', ...system, '--ignore-not-found', '-o', 'name')) === '',
    'the project goes',
  );
  const left = await kubectl.run('get', 'namespaces', '-o', 'name');
  assert.not.match(left, /shop-/);
});

spec.run();
