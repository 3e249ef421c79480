import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { coreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { builds, projects } from '../../runtime/services/cluster/kinds.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { password, type Product, run, startProduct } from '../support/product.ts';
import { lastingPort } from '../soak/ports.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { patienceMs, until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';

const spec = suite('the dashboard in a browser');
const test = unless(spec, noBrowser);

/** Where the browser finds the product again. */
const args = ['--port', String(await lastingPort())];
let product: Product;
let browser: Browser;
let page: Page;
const complaints: string[] = [];
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const make = (name: string) => run(product.cluster.create(builds, userBuild(name, { app: name })));
const text = () => page.locator('main').innerText();

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct({ args });
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(patienceMs);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await browser.close();
  await product.end('SIGTERM');
  product.clean();
});

test('SEC-011 a page without a session redirects to sign-in and back afterwards', async () => {
  await page.goto(address('/machines/build?state=Succeeded'));
  await page.getByLabel(/user/i).fill('admin');
  await page.getByLabel(/password/i).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(address('/machines/build?state=Succeeded'));
  await page.getByRole('status').getByText('Live').waitFor();
});

test('a build created elsewhere appears and changes without a reload', async () => {
  await page.goto(address('/machines/build'));
  await page.getByRole('status').getByText('Live').waitFor();
  await make('browsed');
  await page.getByRole('link', { name: 'browsed' }).waitFor();
  await until(async () => /browsed\s+Succeeded/.test(await text()), 'the row says Succeeded');
});

test('the page of a build shows its cause, its timeline with rows of the table, and its log', async () => {
  await page.goto(address('/builds/browsed'));
  await page.locator('.explain-says').getByText('Build succeeded. Push or rebuild to run it again.').waitFor();
  for (const row of ['BLD-147', 'BLD-178', 'BLD-154', 'BLD-165'])
    await until(async () => (await text()).includes(row), `the timeline names ${row}`);
  await page.goto(address('/builds/browsed?view=log'));
  await page.getByText(/Pushed registry\.local\/apps\/shop@sha256:/).waitFor();
});

test('BLD-078 the log page shows the recorded last line if there is one', async () => {
  await page.goto(address('/builds/browsed?view=log'));
  await page.getByText(/Pushed registry\.local/).waitFor();
  assert.not.match(await text(), 'Last line:');
  await run(product.cluster.patchStatus(builds, { name: 'browsed' }, { lastLogLine: 'pushed and done' }));
  await page.getByText('Last line: pushed and done').waitFor();
});

test('a project has a page for its machine, which explains its state', async () => {
  await run(
    product.cluster.create(projects, {
      ...typeMeta(coreProject),
      metadata: { name: 'shown', namespace: systemNamespace },
      spec: { clusterRef: { name: 'local' }, environments: ['production'] },
    }),
  );
  await page.goto(address('/machines/projectReady'));
  await page.getByRole('link', { name: 'shown', exact: true }).click();
  await page.waitForURL(address('/machines/projectReady/coreprojects:shown'));
  await page.getByRole('heading', { name: 'shown', exact: true }).waitFor();
  await page.getByText(/^Why\? \d+ rules?$/).waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('It is being checked now.').waitFor();
  await page.getByLabel('Other machines of the object').getByRole('link', { name: 'provisionRetry' }).click();
  await page.waitForURL(address('/machines/provisionRetry/coreprojects:shown'));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 400, height: 900 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('the page reports a stopped server at once and reconnects when the server runs', async () => {
  await page.goto(address('/machines/build'));
  await page.getByRole('status').getByText('Live').waitFor();
  const { dataDir } = product;
  await product.end('SIGKILL');
  await page
    .getByRole('status')
    .getByText(/Reconnecting/)
    .waitFor();
  product = await startProduct({ dataDir, args });
  await page.getByRole('status').getByText('Live').waitFor();
  await make('afterwards');
  await page.getByRole('link', { name: 'afterwards' }).waitFor();
});

test('the browser reports no unexpected errors on build pages', () => {
  const expected = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|401/;
  assert.equal(
    complaints.filter((one) => !expected.test(one)),
    [],
  );
});

spec.run();
