import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { StatusItem } from '../../http/api.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { kedaDefinitions } from '../support/keda/definitions.ts';
import { kubectlFor, noKubectl } from '../support/kubectl.ts';
import { type Product, startProduct } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { newPage, signInAs } from '../support/visitor.ts';

const spec = suite('sleep on a cluster with the kinds of the add-on');
const missing = noKubectl() ?? (isWhole ? null : 'a sleep by kubectl and on its page is played by `npm run whole`');
const test = unless(spec, missing);
const folder = mkdtempSync(join(tmpdir(), 'core-sleep-'));
let product: Product;
let kubectl: ReturnType<typeof kubectlFor>;
let browser: Browser | undefined;
let page: Page | undefined;

spec.before(async () => {
  if (missing !== null) return;
  product = await startProduct();
  kubectl = kubectlFor(product.endpoints.kubeconfig ?? '');
});
spec.after(async () => {
  rmSync(folder, { recursive: true });
  if (missing !== null) return;
  await browser?.close();
  await product.end('SIGTERM');
  product.clean();
});

const place = ['-n', 'shop-production'] as const;
const inSystem = ['-n', 'core-system'] as const;

async function apply(object: object): Promise<void> {
  const file = join(folder, 'object.json');
  writeFileSync(file, JSON.stringify(object));
  await kubectl.run('apply', '-f', file);
}

const read = (...args: readonly string[]) => kubectl.run('get', ...args).catch(() => '');
const status = async () => (await (await product.api('/api/v1/apps/web/status')).json()) as StatusItem;
/** What the add-on does. */
const scaled = (replicas: number) => kubectl.run('scale', 'deployment/web', ...place, `--replicas=${replicas}`);

/** Opens the page of the service, where there is a browser. */
async function openPage(): Promise<void> {
  if (noBrowser !== null) return;
  browser = await startBrowser();
  page = await newPage(browser);
  await page.goto(new URL('/services/web', product.endpoints.dashboard ?? '').href);
  await signInAs(page, 'admin');
}

/** What the open page says without being opened again: whether it sleeps, and its copies. */
async function pageMessage(sentence: string, sleep: RegExp, copies: string | RegExp): Promise<void> {
  if (page === undefined) return;
  await page.getByRole('region', { name: 'State', exact: true }).getByText(sentence, { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Facts' }).getByText(sleep).waitFor();
  await page.getByRole('region', { name: 'Copies', exact: true }).getByText(copies).first().waitFor();
}

const service = {
  apiVersion: 'core.platform/v1alpha1',
  kind: 'CoreApp',
  metadata: { name: 'web', namespace: 'core-system' },
  spec: {
    project: 'shop',
    environment: 'production',
    source: { image: 'nginx:1.27' },
    networking: { host: 'web.example.com' },
    scaleToZero: { enabled: true, idleSeconds: 60 },
    deploy: { enabled: true },
  },
};

test('DEP-062 DEP-081 PLC-042 a service sleeps, wakes and is set to always on, by kubectl and on its page', async () => {
  await kubectl.run('apply', '-f', 'crds/samples/first-build.yaml');
  for (const definition of kedaDefinitions) await apply(definition);
  const addons = JSON.stringify({ spec: { addons: { serverless: true } } });
  await kubectl.run('patch', 'corecluster', 'local', ...inSystem, '--type', 'merge', '-p', addons);
  await apply(service);

  const told = async () => (await read('coreapp/web', ...inSystem, '-o', 'jsonpath={.status.phase}')) || 'nothing';
  await until(() => read('scaledobject/web', ...place, '-o', 'name'), 'the add-on is to count its copies');
  assert.is((await status()).scaleToZero?.active, undefined, 'the add-on has not answered');
  const backend = 'jsonpath={.spec.rules[0].http.paths[0].backend.service.name}';
  assert.match(await read('ingress/web', ...place, '-o', backend), /^web-wake-/);
  const conditions = JSON.stringify({ status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  const answered = ['--subresource=status', '--type', 'merge', '-p', conditions] as const;
  await kubectl.run('patch', 'scaledobject/web', ...place, ...answered);
  await until(async () => (await status()).scaleToZero?.active === true, 'it may sleep');
  await until(async () => (await status()).state === 'ready', 'it runs');
  await openPage();
  await pageMessage('Service is running', /^Awake/, /^web-/);

  await scaled(0);
  const asleep = await until(async () => {
    const item = await status();
    return item.sleeping && item.replicas?.available === 0 && item;
  }, 'it sleeps');
  assert.equal([asleep.state, asleep.replicas], ['ready', { desired: 0, ready: 0, available: 0 }]);
  const record = ['coredeployment/web-active', ...inSystem, '-o', 'jsonpath={.status.phase}'] as const;
  await until(async () => (await read(...record)) === 'Available', 'its record is Available');
  await pageMessage('Service is asleep', /^Asleep/, 'Asleep: the next request starts a copy.');

  await scaled(1);
  await until(async () => (await told()) === 'Ready', 'it is woken');
  assert.is((await status()).sleeping, false);
  await pageMessage('Service is running', /^Awake/, /^web-/);

  await scaled(0);
  await until(async () => (await status()).sleeping, 'it sleeps again');
  const off = JSON.stringify({ spec: { scaleToZero: { enabled: false } } });
  await kubectl.run('patch', 'coreapp', 'web', ...inSystem, '--type', 'merge', '-p', off);
  await until(async () => (await read('ingress/web', ...place, '-o', backend)) === 'web', 'visitors come directly');
  await until(async () => (await told()) === 'Ready' && (await status()).replicas?.available === 1, 'it runs again');
  await until(async () => (await read('interceptorroutes,scaledobjects', ...place, '-o', 'name')) === '', 'it is left');
});

spec.run();
