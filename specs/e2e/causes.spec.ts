import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { StoredCause } from '../../crds/cause.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { hidden, sentence } from '../../rules/words.ts';
import { isoTime } from '../../rules/time.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { askJson } from '../support/askJson.ts';
import { isTooWide } from '../support/axe.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addUser, adminPage, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('causes in a browser');
const test = unless(spec, noBrowser);

let product: Product;
let browser: Browser;
let admin: Page;
let viewer: Page;
let project = '';
const line = 'FATAL: password authentication failed for user "payments"';
const heldUp = ['orders', 'ledger', 'recipes'];

const ask = <T>(method: string, path: string, body?: object) => askJson<T>(product, method, path, body);
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const service = (name: string) => `/projects/${project}/production/services/${name}`;
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const row = (page: Page, name: string) =>
  region(page, 'Needs attention')
    .locator('.alert')
    .filter({ has: page.getByRole('link', { name, exact: true }) });

const configMaps: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const pods = `- match: { image: "*:crash" }\n  afterSeconds: 0\n  exitCode: 1\n  log: '${line}'\n`;
const simulate = () =>
  run(product.cluster.patch(configMaps, { name: 'simulated-nodes', namespace: systemNamespace }, { data: { pods } }));

const addService = (name: string, tag: string) =>
  ask('POST', '/apps', {
    project,
    environment: 'production',
    name,
    image: `registry.example.com/team/${name}:${tag}`,
    deploy: true,
  });

const root = { kind: 'Secret', name: 'bakery-shared-secrets', namespace: systemNamespace };
const missing = sentence('project "{project}" is not ready: Secret "{name}" is missing', {
  project: hidden('bakery'),
  name: hidden(root.name),
});

/** What a project leaves of a service that was given up while its Secret was missing, kept by the pause. */
async function giveUp(name: string): Promise<void> {
  const ref = { name, namespace: systemNamespace };
  await run(product.cluster.patch(apps, ref, { metadata: { annotations: { [annotation.paused]: 'true' } } }));
  const at = isoTime(Date.now() - 2_700_000);
  const waits: StoredCause = {
    of: 'Ready',
    reason: 'ProjectNotReady',
    severity: 'waiting',
    message: missing.text,
    params: missing.params,
    on: { kind: 'CoreProject', name: project, namespace: systemNamespace },
    root: { ...root, reason: 'SecretMissing' },
    since: at,
    gaveUp: true,
    resolved: true,
  };
  const ready = { type: 'Ready', status: 'False', reason: 'ProvisionFailed', lastTransitionTime: at } as const;
  const message = 'Provisioning failed after repeated errors; update the resource to retry';
  const status = {
    phase: 'ProvisionFailed',
    conditions: [{ ...ready, message }],
    reconcileRetry: { gaveUp: true, reconcileFailures: 5 },
    causes: [waits],
  } as const satisfies Partial<CoreApp['status']>;
  await run(product.cluster.patchStatus(apps, ref, status));
}

const stateOf = async (name: string) =>
  (await ask<{ readonly resource: { readonly state: string } }>('GET', `/apps/${name}`)).resource.state;

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  await addUser(product, 'viewer', 'viewer');
  await simulate();
  project = (await ask<{ readonly name: string }>('POST', '/projects', { displayName: 'bakery' })).name;
  await Promise.all(heldUp.map((name) => addService(name, '1')));
  await addService('payments', 'crash');
  for (const name of heldUp) await until(async () => (await stateOf(name)) === 'ready', `${name} is ready`);
  for (const name of heldUp) await giveUp(name);
  browser = await startBrowser();
  admin = await adminPage(browser, product);
  viewer = await newPage(browser);
  await viewer.goto(address('/'));
  await signInAs(viewer, 'viewer');
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('SVC-041 a crash loop stands first in the banner, with the line of its log and the message under it', async () => {
  await admin.goto(address(service('payments')));
  const banner = region(admin, 'State');
  await banner.getByText(/^The program ends by itself: exit code 1/).waitFor();
  await banner.getByText('Service failed to start').waitFor();
  await banner.getByText('core logs payments').waitFor();
  await banner.getByRole('link', { name: line }).click();
  await admin.waitForURL(/payments\?view=logs$/);
});

test('SVC-041 the list of services names the cause and the line', async () => {
  await admin.goto(address('/services'));
  const crashing = admin.getByRole('row').filter({ hasText: 'payments' });
  await crashing.getByText(/exit code 1/).waitFor();
  await crashing.getByText(line).waitFor();
});

test('AUT-036 a viewer reads the cause and no line of the log', async () => {
  for (const path of [service('payments'), '/services', '/']) {
    await viewer.goto(address(path));
    await viewer
      .getByText(/exit code 1/)
      .first()
      .waitFor();
    assert.not.match(await viewer.locator('body').innerText(), 'FATAL', path);
  }
});

test('a root that holds up several is one row of Home, which opens to them', async () => {
  await admin.goto(address('/'));
  await row(admin, 'payments')
    .getByText(/exit code 1/)
    .waitFor();
  const item = row(admin, 'orders');
  await item.getByText(/Secret "bakery-shared-secrets" is missing/).waitFor();
  const holdsUp = item.getByText('holds up 2: ledger, recipes');
  await holdsUp.click();
  for (const name of ['ledger', 'recipes']) await item.getByRole('link', { name, exact: true }).waitFor();
  await viewer.goto(address('/'));
  await row(viewer, 'orders').waitFor();
  assert.is(await row(viewer, 'orders').getByRole('button').count(), 0);
  assert.not.match(await row(viewer, 'orders').innerText(), root.name);
});

test('pages with causes fit a phone', async () => {
  const phone = await adminPage(browser, product, [], { viewport: { width: 400, height: 800 } });
  for (const path of ['/', '/services', service('payments')]) {
    await phone.goto(address(path));
    await phone
      .getByText(/exit code 1/)
      .first()
      .waitFor();
    assert.not.ok(await isTooWide(phone), path);
  }
  await phone.context().close();
});

test('Retry all retries each that was given up for a cause that is over', async () => {
  await admin.goto(address('/'));
  const retry = row(admin, 'orders').getByRole('button', { name: 'Retry all 3: orders' });
  await retry.click();
  for (const name of heldUp)
    await until(
      async () => JSON.stringify(await ask('GET', `/apps/${name}/transitions`)).includes('retryAsked'),
      `${name} is retried`,
    );
});

spec.run();
