import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { coreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { builds, projects } from '../../runtime/services/cluster/kinds.ts';
import { axeFindings, everything, isTooWide } from '../support/axe.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';
import { addUser, adminPage, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('the page of an instance in a browser');
const test = unless(spec, noBrowser);
/** A folder for pictures of the page, for people who want to look at them. */
const pictures = process.env['CORE_PAGE_PICTURES'];

let product: Product;
let browser: Browser;
let page: Page;
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const main = () => page.locator('main').innerText();

async function openPage(user: string): Promise<void> {
  await page.context().close();
  page = await newPage(browser, [], { reducedMotion: 'reduce' });
  await page.goto(address('/machines'));
  await signInAs(page, user);
}

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  await addUser(product, 'viewer', 'viewer');
  await run(
    product.cluster.create(projects, {
      ...typeMeta(coreProject),
      metadata: { name: 'demo', namespace: systemNamespace },
      spec: { clusterRef: { name: 'local' }, environments: ['production'] },
    }),
  );
  await run(product.cluster.create(builds, userBuild('well', { app: 'well' })));
  await run(product.cluster.create(builds, userBuild('leaving', { app: 'leaving', context: '../outside' })));
  browser = await startBrowser();
  page = await adminPage(browser, product, [], { reducedMotion: 'reduce' });
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

async function assertFit(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.equal(await axeFindings(page, everything), [], `${name}, ${colorScheme}`);
    await picture(`${name}-${colorScheme}`);
  }
  await page.setViewportSize({ width: 400, height: 900 });
  await until(async () => !(await isTooWide(page)), `${name} fits 400 px`, 10_000);
  await picture(`${name}-narrow`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

test('the page of a failed build shows the cause, a remedy, its moves and its next step', async () => {
  await page.goto(address('/machines/build/corebuilds:leaving'));
  const banner = page.getByRole('region', { name: 'State' });
  await banner.getByText('build context path leaves the repository').first().waitFor();
  await banner.getByText('Correct what the message names.').waitFor();
  await banner.getByText('Failed').first().waitFor();
  await banner.getByText('Rests until:').waitFor();
  await page.locator('svg[role="group"]').waitFor();
  assert.ok((await page.locator('.arrow-taken').allTextContents()).includes('contextEscaped'));
  await page.getByRole('region', { name: 'Timeline' }).getByText('context-leaves').waitFor();
  await page.getByText('What can happen next').waitFor();
  await page.getByRole('region', { name: 'Object' }).getByText('core status leaving').waitFor();
  await banner.getByText(/^Why\?/).click();
  await banner.getByText('Rules, in their order').waitFor();
  await assertFit('failed');
});

test('the page of a finished build shows its service, its facts and its moves', async () => {
  await page.goto(address('/machines/build/corebuilds:well'));
  await page.getByText('Build succeeded. Push or rebuild to run it again.').waitFor();
  await page.getByRole('link', { name: 'Open service' }).waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('digestFound').waitFor();
  await assertFit('succeeded');
});

test('an unanswered request is reported, and loaded content stays', async () => {
  await page.route('**/explain', (route) => route.fulfill({ status: 503, json: { error: 'the cluster is away' } }));
  await page.goto(address('/machines/build/corebuilds:well'));
  await page.getByText('the cluster is away').waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('digestFound').waitFor();
  await assertFit('error');
  await page.unroute('**/explain');
  await page.getByText('the cluster is away').waitFor({ state: 'detached' });
});

test('the page of a deleted object shows its end and its history', async () => {
  await run(product.cluster.remove(builds, { name: 'leaving' }));
  await page.goto(address('/machines/build/corebuilds:leaving'));
  await page.getByText(/^Deleted/).waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('context-leaves').waitFor();
  assert.is(await page.getByRole('button', { name: 'Check now' }).count(), 0);
  await assertFit('deleted');
});

test('a project has one row among the machines, and its page offers its actions', async () => {
  await page.goto(address('/machines'));
  await page.getByRole('row', { name: /^projectReady/ }).waitFor();
  assert.is(await page.locator('svg[role="group"]').count(), 0);
  await page.goto(address('/machines/projectReady/coreprojects:demo'));
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('It is being checked now.').waitFor();
  await assertFit('project');
});

test('AUT-031 a viewer has the same page without actions and without hidden facts', async () => {
  await openPage('viewer');
  await page.goto(address('/machines/build/corebuilds:well'));
  await page.getByText('You have read-only access.').waitFor();
  await page.getByText('Hidden from your role').first().waitFor();
  for (const word of ['Check now', 'Rebuild', 'Cancel build'])
    assert.is(await page.getByRole('button', { name: word }).count(), 0, word);
  assert.not.match(await main(), 'demo/shop');
  await assertFit('viewer');
});

spec.run();
