import * as assert from 'uvu/assert';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';

const spec = suite('a function by kubectl and over REST');
const test = unless(spec, noKubectl());
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;

spec.before(async () => {
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
});
spec.after(async () => {
  await product.end('SIGTERM');
  product.clean();
});

const inEnvironment = ['-n', 'shop-production'] as const;
const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await product.api(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
};

test('SEC-021 SEC-022 the sample comes to Ready, its schedule to a CronJob, and all of it goes with it', async () => {
  await kubectl.run('apply', '-f', 'crds/samples/first-build.yaml');
  await kubectl.run('apply', '-f', 'crds/samples/first-function.yaml');
  await kubectl.run('wait', 'coreapp/greet', '-n', 'core-system', '--for=condition=Ready', '--timeout=90s');

  const names = async () =>
    (await kubectl.run('get', 'configmaps,secrets,deployments,cronjobs', ...inEnvironment, '-o', 'name'))
      .split('\n')
      .filter((name) => name.includes('greet'));
  const all = ['configmap/greet-function', 'secret/greet-trigger', 'deployment.apps/greet'];
  assert.equal(await names(), [...all, 'cronjob.batch/greet-nightly']);
  const added = await post('/apps/greet/triggers', { name: 'b-c', cron: '*/5 * * * *' });
  assert.is(added.status, 201);
  const called = await post('/apps/greet/call', {});
  assert.is(called.status, 502, 'the pods of this cluster are simulated');
  assert.match(String(called.body['error']), /^service "greet" cannot be reached: /);

  await kubectl.run('delete', 'coreapp/greet', '-n', 'core-system', '--timeout=90s');
  assert.equal(await names(), []);
});

spec.run();
