import type { Browser, Page, Request } from 'playwright-core';
import * as assert from 'uvu/assert';
import { annotation, systemNamespace } from '../../crds/names.ts';
import type { Items } from '../../http/api.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { projectName } from '../support/project.ts';
import { draftNumber, manyServices, serviceNumber } from '../support/manyServices.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { times } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { adminPage, endVisit } from '../support/visitor.ts';

const spec = suite('lists longer than a page, in a browser');
const test = unless(spec, noBrowser);

const count = times(3000, 1200);
const total = count === 3000 ? '3,000' : '1,200';
/** The last one, far beyond what is read at first. */
const last = serviceNumber(count - 1);
let product: Product;
let browser: Browser;
let page: Page;
let asked: string[] = [];
const complaints: string[] = [];
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const rows = () => page.getByRole('row').filter({ has: page.getByRole('link', { name: /^service-/ }) });
const grid = () => page.getByRole('grid');
const status = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
const isOfList = (url: string): boolean => /\/api\/v1\/apps(\?|$)/.test(url);

async function settled(): Promise<void> {
  const { items } = await askJson<Items<object>>(product, 'GET', '/apps');
  assert.is(items.length, count);
  const read = async () =>
    (await askJson<{ counts: Record<string, number> }>(product, 'GET', '/machines/service')).counts;
  await until(async () => Object.values(await read()).reduce((a, b) => a + b, 0) === count, 'all are counted');
}

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  await manyServices(product.cluster, count);
  await settled();
  browser = await startBrowser();
  page = await adminPage(browser, product, complaints);
  page.on('request', (request: Request) => isOfList(request.url()) && asked.push(new URL(request.url()).search));
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('the services page shows its first rows and their number before the last rows are loaded', async () => {
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route(
    (url) => isOfList(url.href) && url.searchParams.get('limit') !== '100',
    async (route) => {
      await held;
      await route.continue();
    },
  );
  await page.goto(address('/services'));
  await rows().first().waitFor();
  await status(`The first 100 of ${total}`);
  assert.is(await grid().getAttribute('aria-rowcount'), String(count + 1));
  release();
  await status(`The first 1,000 of ${total}`);
  await page.unrouteAll({ behavior: 'wait' });
  assert.ok((await page.getByRole('row').count()) < 120, 'rows out of sight are not in the page');
});

test('the server searches typed text in names beyond the loaded rows', async () => {
  asked = [];
  await page.keyboard.press('/');
  await page.keyboard.type(last);
  await status(`1 of ${total}`);
  await page.getByRole('link', { name: last, exact: true }).waitFor();
  assert.is(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Filter', 'the focus stays');
  const searches = asked.map((query) => new URLSearchParams(query).get('search')).filter((one) => one !== null);
  assert.ok(searches.length < last.length, 'not with each key');
  assert.is(searches.at(-1), last);
  await page.getByRole('button', { name: 'Clear' }).click();
  await status(`The first 1,000 of ${total}`);
});

test('the server filters by state, and an address with a filter shows the filtered list at once', async () => {
  await page.goto(address('/services?state=failed'));
  await page.getByText('No service matches').waitFor();
  await status(`0 of ${total}`);
  await page.goto(address(`/services?state=draft&q=${last}`));
  await status(`1 of ${total}`);
});

test('a list loads more rows near its end and keeps the keyboard position', async () => {
  await page.goto(address('/services'));
  await status(`The first 1,000 of ${total}`);
  await grid().focus();
  await page.keyboard.press('End');
  await status(new RegExp(`^(The first 2,000|${total}) of ${total}`));
  assert.is(await grid().evaluate((one) => one === document.activeElement), true, 'the focus stays');
  const at = await grid().getAttribute('aria-activedescendant');
  assert.match(at ?? '', serviceNumber(999));
  await page.keyboard.press('ArrowDown');
  await until(
    async () => (await grid().getAttribute('aria-activedescendant'))?.includes(serviceNumber(1000)) === true,
    'the next row is one of the next page',
  );
});

test('an event changes only its row without reloading the list', async () => {
  await page.goto(address('/services'));
  await status(`The first 1,000 of ${total}`);
  await page.waitForTimeout(1_500);
  asked = [];
  const metadata = { annotations: { [annotation.displayName]: 'Renamed' } };
  await run(product.cluster.patch(apps, { name: serviceNumber(3), namespace: systemNamespace }, { metadata }));
  await page.getByRole('link', { name: 'Renamed', exact: true }).waitFor();
  const made = draftNumber(3);
  await run(product.cluster.create(apps, { ...made, metadata: { ...made.metadata, name: `${serviceNumber(4)}-new` } }));
  await page.getByRole('link', { name: `${serviceNumber(4)}-new`, exact: true }).waitFor();
  assert.equal(asked, []);
});

test('a long list shows the number of rows in each state and updates it', async () => {
  await page.goto(address('/services'));
  const chip = (text: RegExp) =>
    page.getByRole('navigation', { name: 'States of services' }).getByRole('link', { name: text });
  const drafts = (less: number) => (count + 1 - less).toLocaleString('en');
  await chip(new RegExp(`^Draft ?${drafts(0)}$`)).waitFor();
  const [at, enabled] = [{ name: last, namespace: systemNamespace }, { spec: { deploy: { enabled: true } } }];
  await run(product.cluster.patch(apps, at, enabled));
  await chip(new RegExp(`^Draft ?${drafts(1)}$`)).waitFor();
  await chip(/^Pending ?1$/).waitFor();
  await run(product.cluster.patch(apps, at, { spec: { deploy: { enabled: false } } }));
  await chip(new RegExp(`^Draft ?${drafts(0)}$`)).waitFor();
});

test('Home reads only the rows of services that it shows, and its counts follow changes', async () => {
  asked = [];
  await page.goto(address('/'));
  const counted = page.getByRole('region', { name: 'Projects' }).getByRole('link', { name: /production/ });
  await counted.getByText(`${(count + 1).toLocaleString('en')} resources`, { exact: true }).waitFor();
  await page.getByText('No problems.').waitFor();
  // A page that was read before the stream was open is read once more.
  assert.equal([...new Set(asked)], ['?limit=100']);
});

test('the page of an environment reads only its own rows, visible ones first', async () => {
  asked = [];
  await page.goto(address(`/projects/${projectName}/production`));
  await status(new RegExp(`^The first 1,000 of ${(count + 1).toLocaleString('en')}`));
  await page.getByText(`${(count + 1).toLocaleString('en')} resources have changes that are not deployed`).waitFor();
  assert.ok(asked.length > 0);
  for (const query of asked.map((search) => new URLSearchParams(search)))
    assert.equal([query.get('project'), query.get('environment')], [projectName, 'production']);
  await page.getByText('Review', { exact: true }).click();
  await page.getByText(`And ${(count + 1 - 100).toLocaleString('en')} more.`).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(last);
  await status(/^1 of/);
});

const isNext = (url: URL) => isOfList(url.href) && url.searchParams.has('continue');
/** Refuses the next page once, and scrolls to it. */
async function refusedOnce(status: number, error: string): Promise<void> {
  await page.goto(address('/services'));
  await page.getByText(/^The first 1,000 of/).waitFor();
  await page.route(isNext, (route) => route.fulfill({ status, json: { error } }), { times: 1 });
  await grid().focus();
  await page.keyboard.press('End');
}
const goesOn = () =>
  page
    .getByRole('status')
    .getByText(/^(The first 2,000 of 3,001|1,201 of 1,201)/)
    .waitFor();

test('a failed page of a list is retried at its place below the loaded rows', async () => {
  await refusedOnce(429, 'too many requests');
  await page.getByText('too many requests').waitFor();
  await page.getByText(/^The first 1,000 of/).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await goesOn();
});

test('a list is reloaded at the same position when its page token expired', async () => {
  await refusedOnce(410, 'continue is too old: begin again');
  const before = await page.evaluate(() => scrollY);
  await goesOn();
  assert.ok((await page.evaluate(() => scrollY)) >= before);
  assert.match((await grid().getAttribute('aria-activedescendant')) ?? '', serviceNumber(998));
});

test('the palette searches the server for objects that are not loaded', async () => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(last);
  await page.getByRole('option', { name: new RegExp(last) }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/services/${last}$`));
});

test('the page of a machine loads its instances in parts, with the counts of the server', async () => {
  await page.goto(address('/machines/service'));
  await status(/^The first 1,000 of/);
  await page.keyboard.press('/');
  await page.keyboard.type(last);
  await status(/^1 of/);
});

spec.run();
