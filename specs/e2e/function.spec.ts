import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { CoreApp } from '../../crds/coreApp.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { clusterNameAt } from '../support/clusterName.ts';
import { type FunctionPod, functionPod } from '../support/function.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { sample } from '../support/sample.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { newPage, signInAs } from '../support/visitor.ts';

const spec = suite('a function by kubectl and over REST');
const missing = noKubectl() ?? (isWhole ? null : 'a function by kubectl is played by `npm run whole`');
const test = unless(spec, missing);
const folder = mkdtempSync(join(tmpdir(), 'core-function-spec-'));
let pod: FunctionPod;
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;

spec.before(async () => {
  if (missing !== null) return;
  const source = sample('first-function.yaml')
    .map((object) => ('spec' in object ? (object.spec as CoreApp['spec']).source.function : undefined))
    .find((one) => one !== undefined);
  if (!source) throw new Error('the sample has no function');
  pod = await functionPod(source);
  product = await startProduct({ env: clusterNameAt(folder, 'greet.shop-production.svc', pod.url) });
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
});
spec.after(async () => {
  rmSync(folder, { recursive: true });
  if (missing !== null) return;
  await product.end('SIGTERM');
  product.clean();
  pod.clean();
});

const inEnvironment = ['-n', 'shop-production'] as const;
const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await product.api(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
};

/** The page calls the files of the function's ConfigMap, which run here in the place of its pod. */
async function callFromPage(): Promise<void> {
  const running = pod.serve('');
  const browser = await startBrowser();
  try {
    await until(() => fetch(pod.url).catch(() => null), 'the function listens');
    const page = await newPage(browser);
    await page.goto(new URL('/services/greet?view=code', product.endpoints.dashboard ?? '').href);
    await signInAs(page, 'admin');
    const card = page.getByRole('region', { name: 'Call', exact: true });
    await card.getByLabel('Method').selectOption('PUT');
    await card.getByLabel('Path').fill('/a/b?c=1');
    await card.getByRole('button', { name: 'Call greet' }).click();
    await card.getByText(/^after \d+ ms$/).waitFor();
    const answered = JSON.parse((await card.getByLabel('What it answered').textContent()) ?? '') as object;
    assert.equal(answered, { hello: '/a/b?c=1', method: 'PUT' });
  } finally {
    await browser.close();
    running.kill('SIGTERM');
    await running.ended;
  }
}

test('SEC-021 SEC-022 the sample function becomes Ready with a CronJob, and both are deleted with the function', async () => {
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
  assert.is(called.status, 502, 'nothing listens yet: the pods of this cluster are simulated');
  assert.match(String(called.body['error']), /^service "greet" cannot be reached: /);
  if (noBrowser === null) await callFromPage();

  await kubectl.run('delete', 'coreapp/greet', '-n', 'core-system', '--timeout=90s');
  assert.equal(await names(), []);
});

spec.run();
