import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { isTooWide } from '../support/axe.ts';
import { narrowWords } from '../support/narrowWords.ts';
import { type Product, startProduct } from '../support/product.ts';
import { applySample } from '../support/sample.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addUser, adminPage, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('the dashboard for a viewer and on a phone');
const test = unless(spec, noBrowser);

const service = 'SHOP/production/services/web-with-a-long-name';
/** Pages, and what each shows once it has read what it is about. */
const pages: readonly (readonly [path: string, shows: RegExp])[] = [
  // A state with a long word leaves little room for the name beside it.
  ['/', /before the build started/],
  ['/services', /web-with-a-long-name/],
  ['SHOP/production', /web-with-a-long-name/],
  [service, /Copies/],
  [`${service}?view=deployments`, /Succeeded|Failed|Running/],
  [`${service}?view=lifecycle`, /Timeline/],
  [`${service}?view=settings`, /Never changes/],
  ['SHOP/production/databases/orders-of-monday', /Facts/],
  ['SHOP/production/databases/orders-of-monday?view=settings', /Never changes/],
  ['SHOP/-/settings/general', /Never changes/],
  ['SHOP/-/settings/environments', /production/],
  ['SHOP/-/settings/network', /private/],
  ['SHOP/-/settings/compliance', /Required tags/],
  ['SHOP/-/settings/pull-requests', /Environments of pull requests/],
  ['SHOP/-/settings/webhooks', /Webhook|Hidden/],
  ['/machines', /provisionRetry/],
  ['/machines/service', /web-with-a-long-name/],
  ['/machines/webhookDelivery', /transitions as a table/],
];

let product: Product;
let browser: Browser;
let project = '';
let admin: Page;
let viewer: Page;
const address = (path: string) =>
  new URL(path.replace('SHOP', `/projects/${project}`), product.endpoints.dashboard ?? '').href;

const stateOf = async (path: string) =>
  (await askJson<{ readonly resource: { readonly state: string } }>(product, 'GET', path)).resource.state;

async function fill(): Promise<void> {
  const made = await askJson<{ readonly name: string }>(product, 'POST', '/projects', { displayName: 'Shop' });
  project = made.name;
  const place = { project, environment: 'production', deploy: true };
  const name = 'web-with-a-long-name';
  const image = 'registry.example.com/a-team-of-many/web-with-a-long-name:1.0.0';
  await askJson(product, 'POST', `/projects/${project}/webhooks`, { url: 'https://ci.example.org/hook' });
  await askJson(product, 'POST', '/apps', { ...place, name, image });
  await askJson(product, 'POST', '/databases', { ...place, name: 'orders-of-monday', engine: 'SQLite' });
  await applySample(product.cluster, 'first-build.yaml');
  await until(async () => (await stateOf(`/apps/${name}`)) === 'ready', 'the service is ready');
  await until(async () => (await stateOf('/databases/orders-of-monday')) === 'ready', 'the database is ready');
}

const options = { viewport: { width: 1440, height: 900 } };
const phone = { width: 360, height: 780 };
const viewerPage = async (): Promise<Page> => {
  const page = await newPage(browser, [], options);
  await page.goto(address('/'));
  await signInAs(page, 'viewer');
  return page;
};

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  await addUser(product, 'viewer', 'viewer');
  await fill();
  browser = await startBrowser();
  [admin, viewer] = [await adminPage(browser, product, [], options), await viewerPage()];
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

async function open(page: Page, path: string, shows: RegExp): Promise<void> {
  await page.goto(address(path));
  await page.locator('main').getByText(shows).first().waitFor();
  await until(async () => (await page.locator('main .bones').count()) === 0, `${path} is read`);
}

/** What a page says at its top, and how many there are of what. */
const said = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main .explain-says, main .chip-large, main .count-chip')].map((one) =>
      one.innerText.replaceAll(/\s+/g, ' ').trim(),
    ),
  );

/** Forms, and fields that take nothing; a search is for everybody. */
const dead = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(form, :disabled, [readonly], [aria-disabled="true"])')].map(
      ({ tagName, textContent }) => `${tagName} ${textContent.slice(0, 60)}`,
    ),
  );

for (const [path, shows] of pages) {
  test(`words in lists are at least eight letters wide on a phone, and nothing exceeds the page, at ${path}`, async () => {
    await admin.setViewportSize(phone);
    await open(admin, path, shows);
    assert.equal(await narrowWords(admin), []);
    assert.not(await isTooWide(admin));
  });

  test(`a viewer reads the words and counts that an admin reads, and has no unusable form, at ${path}`, async () => {
    await open(viewer, path, shows);
    assert.equal(await dead(viewer), []);
    await admin.setViewportSize(options.viewport);
    if (admin.url() !== address(path)) await open(admin, path, shows);
    const same = async () => {
      const [ofAdmin, ofViewer] = [await said(admin), await said(viewer)];
      const isHidden = (await viewer.locator('main').getByText('Hidden from your role').count()) > 0;
      // What a role does not read is said to be hidden, and counted as nothing at all.
      return isHidden ? ofViewer.every((one) => ofAdmin.includes(one)) : ofAdmin.join() === ofViewer.join();
    };
    await until(same, `both say the same at ${path}`, 20_000).catch(async () =>
      assert.equal(await said(viewer), await said(admin)),
    );
  });
}

test('a viewer reads settings as text, with hidden and unset ones marked', async () => {
  await open(viewer, `${service}?view=settings`, /Never changes/);
  const texts = (await viewer.locator('main .field').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  for (const text of ['Copies 1', 'Host Hidden from your role', 'Serve over HTTPS on', 'CPU for each copy none'])
    assert.ok(texts.includes(text), `${text} is none of ${texts.join(', ')}`);
});

test('tabs are one line with the current one visible on a phone, and the project bar has a margin', async () => {
  await admin.setViewportSize(phone);
  await open(admin, `${service}?view=settings`, /Never changes/);
  const boxes = await admin
    .locator('main .tabs a')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
  assert.is(new Set(boxes).size, 1);
  const current = await admin.locator('main .tabs [aria-current]').boundingBox();
  assert.ok(current && current.x >= 0 && current.x + current.width <= 360, JSON.stringify(current));
  const [bar, choice, link] = await Promise.all(
    ['.context', '.context-project', '.context-settings'].map((part) => admin.locator(part).boundingBox()),
  );
  assert.ok(bar && choice && link);
  for (const part of [choice, link]) {
    assert.ok(part.y - bar.y >= 8, 'above');
    assert.ok(bar.y + bar.height - part.y - part.height >= 8, 'below');
  }
});

test('the bars extend to the edges of the window', async () => {
  await admin.setViewportSize({ width: 1440, height: 900 });
  await open(admin, service, /Copies/);
  const edges = await admin.evaluate(() =>
    ['.head', '.context'].map((part) => document.querySelector(part)?.getBoundingClientRect().right ?? 0),
  );
  assert.equal(edges, [1440, 1440]);
});

spec.run();
