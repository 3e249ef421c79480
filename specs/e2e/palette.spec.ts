import type { Browser, Page, Route } from 'playwright-core';
import * as assert from 'uvu/assert';
import { projectSettingsPages } from '../../http/dashboard/routes.ts';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addUser, adminPage, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('the palette in a browser');
const test = unless(spec, noBrowser);

let product: Product;
let browser: Browser;
let page: Page;
let project = '';
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const serviceAt = (name: string, view = '') => address(`/projects/${project}/production/services/${name}${view}`);
const field = () => page.getByRole('combobox', { name: /^Search/ });
const found = () => page.getByRole('listbox', { name: 'Found' }).getByRole('option');

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  const made = await askJson<{ readonly name: string }>(product, 'POST', '/projects', { displayName: 'Shop' });
  project = made.name;
  const place = { project, environment: 'production', deploy: true };
  for (const name of ['web', 'checkout'])
    await askJson(product, 'POST', '/apps', { ...place, name, image: `registry.example.com/shop/${name}:1` });
  await addUser(product, 'viewer', 'viewer');
  browser = await startBrowser();
  page = await adminPage(browser, product);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

const lateBy = (ms: number) => async (route: Route) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await route.continue();
};

test('the palette keeps keys typed before its list is loaded, and Enter waits for the list', async () => {
  await page.route('**/assets/paletteList-*', lateBy(800));
  await page.route(({ pathname }) => pathname === '/api/v1/apps', lateBy(2_500));
  await page.goto(serviceAt('web'));
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('checkout serv');
  await page.keyboard.press('Enter');
  assert.is(await field().inputValue(), 'checkout serv');
  assert.is(page.url(), serviceAt('web'), 'nothing is opened that is not known yet');
  await page.waitForURL(serviceAt('checkout'));
  await page.unrouteAll({ behavior: 'wait' });
});

test('a page loaded while the palette is open keeps the typed text and takes no key', async () => {
  await page.goto(address('/services'));
  await page.getByRole('link', { name: 'web', exact: true }).waitFor();
  await page.route('**/assets/machinesPage-*', lateBy(1_500));
  await page.getByRole('link', { name: 'State machines', exact: true }).first().click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('g s 3?/');
  await page.getByRole('heading', { level: 1, name: 'State machines' }).waitFor({ state: 'attached' });
  await page.keyboard.type('[]c');
  assert.is(await field().inputValue(), 'g s 3?/[]c');
  assert.is(page.url(), address('/machines'));
  await page.keyboard.press('Escape');
  await field().waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
});

test('the palette finds every settings page, and platform pages only for admins', async () => {
  await page.goto(address('/'));
  await page.keyboard.press('Control+k');
  const expected = { nodes: '/settings/nodes', registry: '/settings/registry', users: '/settings/users' };
  for (const [typed, to] of Object.entries(expected)) {
    await field().fill(`${typed} settings page`);
    await found().first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(address(to));
    await page.keyboard.press('Control+k');
  }
  await field().fill('settings of shop');
  await until(async () => (await found().count()) === projectSettingsPages.length, 'those of the project are found');
  await field().fill('cloud connections shop');
  await page.keyboard.press('Enter');
  await page.waitForURL(address(`/projects/${project}/-/settings/connections`));
});

test('every action in the palette names its object', async () => {
  await page.goto(serviceAt('web', '?view=settings'));
  await page.getByRole('button', { name: 'Delete web' }).waitFor();
  await page.keyboard.press('Control+k');
  await field().fill('>');
  await found().first().waitFor();
  const words = (await found().allInnerTexts()).map((text) => text.split('\n')[0]);
  assert.equal(new Set(words), new Set(['Delete web', 'Redeploy web']));
  await page.keyboard.press('Escape');
});

test('the arrow down key moves from a filter to its first match, which Enter opens', async () => {
  for (const [path, label, typed, opened] of [
    ['/services', 'Filter', 'check', /\/services\/checkout$/],
    [`/projects/${project}/production`, 'Filter', 'web', /\/services\/web$/],
    ['/machines/service', 'Filter', 'web', /\/machines\/service\/coreapps:web$/],
  ] as const) {
    await page.goto(address(path));
    await page.getByRole('link', { name: typed }).first().waitFor();
    await page.getByRole('searchbox', { name: label }).focus();
    await page.keyboard.type(typed);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(opened);
  }
  await page.goto(address('/api-docs'));
  await page.getByRole('searchbox', { name: 'Search the routes' }).focus();
  await page.keyboard.type('rollback');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('details[open] code').filter({ hasText: 'rollback' }).first().waitFor();
});

test('the palette offers a viewer no platform page for admins', async () => {
  const own = await newPage(browser);
  await own.goto(address('/'));
  await signInAs(own, 'viewer');
  await own.keyboard.press('Control+k');
  const texts = own.getByRole('listbox', { name: 'Found' }).getByRole('option');
  await own.getByRole('combobox', { name: /^Search/ }).fill('settings page');
  await texts.filter({ hasText: 'Command line' }).waitFor();
  for (const word of ['Nodes', 'Users', 'Tokens', 'Registry'])
    assert.is(await texts.getByText(word, { exact: true }).count(), 0);
  await own.context().close();
});

test('no key opens anything before sign-in', async () => {
  const own = await newPage(browser);
  await own.goto(address('/'));
  await own.getByLabel('User name').waitFor();
  await own.keyboard.press('Control+k');
  await own.getByRole('heading', { level: 1 }).click();
  await own.keyboard.type('gm?');
  assert.is(await own.getByRole('dialog').count(), 0);
  assert.is(own.url(), address('/'));
  await signInAs(own, 'admin');
  assert.is(await own.getByRole('dialog').count(), 0);
  await own.context().close();
});

spec.run();
