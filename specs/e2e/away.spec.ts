import type { Browser, Page, Route } from 'playwright-core';
import * as assert from 'uvu/assert';
import { lastingPort } from '../soak/ports.ts';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { adminPage, endVisit } from '../support/visitor.ts';

const spec = suite('the dashboard while its server is unavailable');
const test = unless(spec, noBrowser);

/** Where the browser finds the product again. */
const args = ['--port', String(await lastingPort())];
let product: Product;
let browser: Browser;
let page: Page;
let project = '';
const address = (path: string) =>
  new URL(path.replace('SHOP', `/projects/${project}`), product.endpoints.dashboard ?? '').href;
const live = () => page.getByRole('status').getByText('Live', { exact: true });

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct({ args });
  const made = await askJson<{ readonly name: string }>(product, 'POST', '/projects', { displayName: 'Shop' });
  project = made.name;
  const web = {
    project,
    environment: 'production',
    name: 'web',
    image: 'registry.example.com/shop/web:1',
    deploy: true,
  };
  await askJson(product, 'POST', '/apps', web);
  await askJson(product, 'POST', '/apps/web/config/set', { key: 'GREETING', value: 'hi' });
  browser = await startBrowser();
  page = await adminPage(browser, product);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

/** Ends the server with nothing said, and starts the next one over what it left. */
async function replaceServer(between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const { dataDir } = product;
  await product.end('SIGKILL');
  await page.getByText(/^Reconnecting/).waitFor();
  await between();
  product = await startProduct({ dataDir, args });
  await live().waitFor();
}

const refuse = (route: Route) => route.abort('connectionreset');
/** Marks the page, so that a reload is found out. */
const mark = () => page.evaluate(() => void (document.body.dataset['mark'] = 'kept'));
const isMarked = () => page.evaluate(() => document.body.dataset['mark'] === 'kept');
const missing = () => page.getByText('This part of the dashboard could not be loaded.');

test('parts of a page that could not be loaded are loaded on the next connection, without a reload', async () => {
  const parts = /\/assets\/(?:drawing|why|nextCard|whyBody|aboutObject)-/;
  await page.route(parts, refuse);
  await page.goto(address('/machines/service/coreapps:web'));
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
  await live().waitFor();
  await mark();
  await until(async () => (await missing().count()) >= 2, 'parts of the page are missing');
  await page.unroute(parts);
  await replaceServer();
  await until(async () => (await missing().count()) === 0, 'the parts are there');
  await page.locator('.diagram svg[role="group"]').waitFor();

  await replaceServer(async () => {
    await page.getByRole('link', { name: 'State machines', exact: true }).first().click();
    await missing().waitFor();
    await page.keyboard.press('Control+k');
    await until(async () => (await missing().count()) === 2, 'the list of the palette is missing too');
    await page.keyboard.type('web serv');
  });
  await page.getByRole('heading', { level: 1, name: 'State machines' }).waitFor({ state: 'attached' });
  await page.getByRole('option').filter({ hasText: 'web' }).first().waitFor();
  assert.is(await page.getByRole('combobox', { name: /^Search/ }).inputValue(), 'web serv');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/services\/web$/);

  await page.route('**/assets/terminal.css', refuse);
  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  await page.unroute('**/assets/terminal.css');
  await replaceServer();
  const styled = () =>
    page.evaluate(() => [...document.styleSheets].some(({ href }) => href?.endsWith('/terminal.css') ?? false));
  await until(styled, 'the styles are there');
  assert.ok(await isMarked(), 'nothing was reloaded');
});

interface Saved {
  readonly path: string;
  /** The part of the page that has the form. */
  readonly of?: string;
  /** What opens it. */
  readonly opens?: string;
  readonly field: string;
  readonly value: string;
  readonly button: string;
  /** What is asked before it is saved is answered with this. */
  readonly yes?: string;
}

const service = 'SHOP/production/services/web';
/** Every form that saves what was typed, with what is typed into it. */
const saves: readonly Saved[] = [
  { path: `${service}?view=settings`, of: 'At once', field: 'Copies', value: '2', button: 'Save settings' },
  { path: `${service}?view=settings`, of: 'On next deploy', field: 'Port', value: '8081', button: 'Save settings' },
  { path: `${service}?view=variables`, field: 'Value of GREETING', value: 'hello', button: 'Save variables' },
  { path: service, of: 'Copies', field: 'Number of copies', value: '3', button: 'Scale' },
  { path: 'SHOP/-/settings/general', field: 'Name', value: 'Shop of all', button: 'Save settings' },
  { path: 'SHOP/-/settings/environments', field: 'New environment', value: 'staging', button: 'Add environment' },
  {
    path: 'SHOP/-/settings/webhooks',
    field: 'Address of the receiver',
    value: 'https://ci.example.org/hook',
    button: 'Add webhook',
  },
  { path: '/settings/domain', field: 'Root domain', value: 'example.org', button: 'Save settings' },
  { path: '/settings/registry', field: 'Repository', value: 'registry.example.com/x', button: 'Save registry' },
  {
    path: '/settings/clusters',
    field: 'Default region',
    value: 'eu',
    button: 'Save settings',
    yes: 'Save and restart',
  },
  { path: '/settings/tokens', opens: 'Create a token', field: 'Name', value: 'ci', button: 'Create' },
  { path: '/', opens: 'New project', field: 'Name', value: 'Ledger', button: 'Create project' },
];

for (const { path, of, opens, field, value, button, yes } of saves)
  test(`a form keeps its input and saves later when the server does not answer: ${button} at ${path}`, async () => {
    await page.goto(address(path));
    await live().waitFor();
    if (opens !== undefined) await page.getByRole('button', { name: opens, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const within =
      of !== undefined ? page.getByRole('region', { name: of, exact: true }) : opens ? dialog : page.locator('main');
    const typed = within.getByLabel(field, { exact: true });
    const save = within.getByRole('button', { name: button, exact: true });
    await typed.fill(value);
    const press = async () => {
      await save.click();
      if (yes !== undefined) await dialog.getByRole('button', { name: yes, exact: true }).click();
    };
    const isWrite = (method: string) => method === 'POST' || method === 'PATCH';
    await page.route('**/api/v1/**', (route) => (isWrite(route.request().method()) ? refuse(route) : route.continue()));
    await press();
    await page.getByText('The page keeps what was typed: try again once the server is back.').waitFor();
    assert.is(await typed.inputValue(), value);
    await page.unrouteAll({ behavior: 'wait' });
    const answered = page.waitForResponse((response) => isWrite(response.request().method()));
    await press();
    const answer = await answered;
    assert.ok(answer.ok(), `${answer.status()} ${await answer.text()}`);
    await page.getByText('The page keeps what was typed').waitFor({ state: 'detached' });
  });

test('a form keeps its input when the server is killed during its save, and saves afterwards', async () => {
  await page.goto(address(`${service}?view=variables`));
  await page.getByLabel('Value of GREETING').fill('kept over a restart');
  await page.getByRole('button', { name: 'Add variable' }).click();
  await page.keyboard.type('SECOND');
  await page.getByLabel('Value of SECOND').fill('two');
  const { dataDir } = product;
  await page.route('**/config/set', async (route) => {
    await product.end('SIGKILL');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save variables' }).click();
  await page.getByText('The page keeps what was typed').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  product = await startProduct({ dataDir, args });
  await live().waitFor();
  assert.is(await page.getByLabel('Value of GREETING').inputValue(), 'kept over a restart');
  assert.is(await page.getByLabel('Value of SECOND').inputValue(), 'two');
  await page.getByRole('button', { name: 'Save variables' }).click();
  await page
    .getByRole('status')
    .getByText(/^Saved/)
    .waitFor();
  const { spec: saved } = await askJson<{ readonly spec: { readonly config: object } }>(product, 'GET', '/apps/web');
  assert.equal(saved.config, { GREETING: 'kept over a restart', SECOND: 'two' });
});

spec.run();
