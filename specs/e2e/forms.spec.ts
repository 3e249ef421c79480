import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { adminPage, endVisit } from '../support/visitor.ts';

const spec = suite('forms in a browser');
const test = unless(spec, noBrowser);

let product: Product;
let browser: Browser;
let page: Page;
let project = '';
const address = (path: string) =>
  new URL(path.replace('SHOP', `/projects/${project}`), product.endpoints.dashboard ?? '').href;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const isMarked = async (label: string, reason: RegExp) => {
  const field = page.getByLabel(label, { exact: true });
  await until(async () => (await field.getAttribute('aria-invalid')) === 'true', `${label} is marked`);
  const id = (await field.getAttribute('aria-describedby')) ?? '';
  assert.match(await page.locator(`[id="${id}"]`).innerText(), reason);
};

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  const made = await askJson<{ readonly name: string }>(product, 'POST', '/projects', { displayName: 'Shop' });
  project = made.name;
  browser = await startBrowser();
  page = await adminPage(browser, product);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('a form names a new service after its image and marks an invalid field when focus leaves the field', async () => {
  await page.goto(address('SHOP/production/services/-/new'));
  const image = page.getByLabel('Image', { exact: true }).and(page.getByRole('textbox'));
  await image.focus();
  await page.keyboard.press('Tab');
  await until(async () => (await image.getAttribute('aria-invalid')) === 'true', 'an empty image is marked');
  await image.fill('registry.example.com/team/web-shop:1');
  assert.is(await image.getAttribute('aria-invalid'), 'false');
  await button('Continue').click();
  const name = page.getByLabel('Name', { exact: true });
  assert.is(await name.inputValue(), 'web-shop');
  await name.fill('Web Shop');
  await page.keyboard.press('Tab');
  await isMarked('Name', /lowercase letters/);
  assert.is(
    await page.evaluate(() => document.activeElement?.getAttribute('placeholder')),
    '8080',
    'the focus goes on',
  );
  await page.getByLabel('Port it listens on').fill('70000');
  await name.fill('web-shop');
  await button('Continue').click();
  await isMarked('Port it listens on', /1 to 65535/);
  await until(
    () => page.getByLabel('Port it listens on').evaluate((field) => field === document.activeElement),
    'what has to be mended has the focus',
  );
  await page.getByLabel('Port it listens on').fill('');
  await button('Continue').click();
  await page.getByRole('definition').getByText('8080, the default').waitFor();
});

test('a refusal of the server is shown at its field of the form', async () => {
  await page.goto(address('/settings/databases'));
  await page.getByLabel('Storage', { exact: true }).fill('much');
  await button('Create shared server').click();
  await isMarked('Storage', /storageSize/);
});

test('the page of a missing object says so in one sentence, with similar names and without tabs', async () => {
  const place = { project, environment: 'production', deploy: true };
  await askJson(product, 'POST', '/apps', { ...place, name: 'checkout', image: 'registry.example.com/shop/web:1' });
  for (const [path, said, list, near] of [
    ['/services/chekout', 'Service "chekout" was not found.', 'All services', 'checkout'],
    ['SHOP/production/services/chekout', 'Service "chekout" was not found.', 'All services', 'checkout'],
    ['/projects/shpo/production', 'Project "shpo" was not found.', 'All projects', 'shop'],
    ['/projects/shpo/-/settings/general', 'Project "shpo" was not found.', 'All projects', 'shop'],
    ['/databases/none', 'Database "none" was not found.', 'All databases', null],
    ['/machines/servise', 'State machine "servise" was not found.', 'All state machines', 'service'],
    [
      '/machines/service/coreapps:chekout',
      'Instance "coreapps:chekout" of the machine service was not found.',
      'All of service',
      'checkout',
    ],
    ['/settings/node', 'Nothing is at /settings/node.', 'Home', 'Nodes'],
    ['/chekout', 'Nothing is at /chekout.', 'Home', 'checkout'],
  ] as const) {
    await page.goto(address(path));
    const card = page.getByRole('region', { name: 'Not found' });
    await card.getByText(said).waitFor();
    await card.getByRole('link', { name: list }).waitFor();
    if (near !== null) await card.getByRole('link', { name: near, exact: true }).waitFor();
    assert.is(await page.locator('main .tabs').count(), 0, path);
    assert.is((await page.locator('main').getByText('was not found').count()) <= 1, true, path);
  }
});

spec.run();
