import type { Browser, BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { password, type Product, startProduct } from '../support/product.ts';
import { lastingPort } from '../soak/ports.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { adminPage, endVisit } from '../support/visitor.ts';

const spec = suite('the frame of the dashboard in a browser');
const test = unless(spec, noBrowser);
const wholly = unless(
  spec,
  noBrowser ?? (isWhole ? null : '`npm run whole` plays a server that is late, silent or killed, and a page at rest'),
);

/** Where the browser finds the product again. */
const args = ['--port', String(await lastingPort())];
let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let project = '';
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const serviceAt = (name: string, view = '') => `/projects/${project}/production/services/${name}${view}`;
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const text = () => page.locator('main').innerText();
const isFocused = (selector: string) =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
/**
 * Whether a request carries a part of what was typed. An event has the page read rows anew at any
 * time, so a request between two keys says nothing by itself.
 */
const carries = (typed: string, url: string) =>
  [...new URL(url).searchParams.values()].some((value) => value !== '' && typed.includes(value));
const isLive = () => page.getByRole('status').getByText('Live', { exact: true }).waitFor();

async function post(path: string, body: object): Promise<{ readonly project?: string }> {
  const answer = await product.api(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, `${path} answers ${answer.status}`);
  return (await answer.json()) as { readonly project?: string };
}

const makeService = (name: string, environment = 'production') =>
  post('/api/v1/apps', { project, environment, name, image: `registry.example.com/shop/${name}:1`, deploy: true });

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct({ args });
  project = (await post('/api/v1/projects', {})).project ?? '';
  for (const name of ['web', 'api', 'gone']) await makeService(name);
  browser = await startBrowser();
  page = await adminPage(browser, product);
  context = page.context();
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('short and former addresses lead to the page of the object, with breadcrumbs', async () => {
  for (const [path, to] of [
    ['/apps/web?view=builds', serviceAt('web', '?view=builds')],
    ['/services/web', serviceAt('web')],
    [`/projects/${project}`, `/projects/${project}/production`],
    ['/apps', '/services'],
    ['/builds/x', '/machines/build/corebuilds:x'],
    ['/settings', '/settings/domain'],
  ] as const) {
    await page.goto(address(path));
    await page.waitForURL(address(to));
  }
  await page.goto(address(serviceAt('web')));
  const way = page.getByRole('navigation', { name: 'Breadcrumb' });
  await way.getByText('web').waitFor();
  assert.match((await way.innerText()).replaceAll(/\s+/g, ' '), /^\S+ ?\/? ?production ?\/? ?web$/);
  await way.getByRole('link').first().click();
  await page.waitForURL(address(`/projects/${project}/production`));
  await page.goto(address('/nothing/here'));
  await page.getByRole('heading', { name: 'Page not found.' }).waitFor();
});

test('the heading of a new page gets the focus, and a closed dialog returns the focus', async () => {
  await page.goto(address('/'));
  await page.getByRole('link', { name: 'State machines', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'State machines' }).waitFor();
  await until(() => isFocused('h1'), 'the heading has the focus');
  assert.is(await page.locator('h1').count(), 1);
  await button(/^Search/).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: /^Search/ }).waitFor();
  await until(() => isFocused('[role=combobox]'), 'the field has the focus');
  await page.keyboard.press('Escape');
  await until(() => isFocused('.search-button'), 'the button has it again');
});

test('the top bar stays while another page is loaded, so that clicks on it work', async () => {
  await page.goto(address('/'));
  await isLive();
  const bar = page.locator('header.head');
  await bar.evaluate((element) => element.setAttribute('data-marked', ''));
  for (const section of ['Services', 'Data', 'State machines']) {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section, exact: true }).click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    assert.is(await bar.getAttribute('data-marked'), '', section);
  }
});

test('the palette opens objects and pages, and starts the actions on screen with their dialogs', async () => {
  await page.goto(address(serviceAt('web', '?view=settings')));
  await button('Delete web').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search/ }).waitFor();
  const found = page.getByRole('listbox', { name: 'Found' }).getByRole('option');
  await found.filter({ hasText: 'Home' }).waitFor();
  const before = asked.length;
  await page.keyboard.type('> dele');
  assert.equal(await found.allInnerTexts(), ['Delete web\nAction']);
  const byKeys = asked.slice(before).filter((url) => carries('> dele', url));
  assert.equal(byKeys, [], 'no key asks the server');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /Delete web/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search/ }).fill('api serv');
  await found.filter({ hasText: 'api' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(address(serviceAt('api')));
});

test('shortcut keys open sections, tabs, filter and help, and are off in fields and dialogs', async () => {
  await page.goto(address(serviceAt('web')));
  await page.getByRole('link', { name: 'Lifecycle', exact: true }).waitFor();
  await page.keyboard.press('2');
  await page.waitForURL(address(serviceAt('web', '?view=deployments')));
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL(address('/services'));
  await page.getByRole('searchbox', { name: 'Filter' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('g3?');
  assert.is(await page.getByRole('searchbox', { name: 'Filter' }).inputValue(), 'g3?');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const word of ['Home', 'Services', 'State machines', 'Settings', 'Next environment', 'Copy the command'])
    await help.getByRole('definition').getByText(word, { exact: true }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await help.waitFor();
  await page.keyboard.press('Escape');
  assert.is(new URL(page.url()).pathname, '/services');
});

test('sections become a menu under 900 px, and search, live indicator and user remain visible', async () => {
  await page.setViewportSize({ width: 800, height: 900 });
  const home = page.getByRole('link', { name: 'Home', exact: true });
  assert.not(await home.isVisible());
  await button('Menu').click();
  await home.click();
  await page.waitForURL(address('/'));
  await until(async () => !(await home.isVisible()), 'the menu closes');
  for (const width of [800, 400]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of [/^Search/, /^admin/]) assert.ok(await button(name).isVisible(), `${String(name)} at ${width}`);
    await isLive();
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

wholly('a browser has one stream for all tabs, and an idle page sends no requests', async () => {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(address('/services'));
  await isLive();
  const second = await context.newPage();
  await second.goto(address(serviceAt('web')));
  await second.getByText('Service is running').waitFor();
  await second.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await makeService('told');
  await page.getByRole('link', { name: 'told', exact: true }).waitFor();
  await until(async () => {
    const answer = await product.api('/api/v1/apps/told');
    return ((await answer.json()) as { readonly resource: { readonly state: string } }).resource.state === 'ready';
  }, 'told is ready');
  // The last notices of what has just happened are read.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  assert.is(asked.filter((path) => path === '/api/v1/events').length, 1);
  asked.length = 0;
  // More than one tick of the stream, which comes every 15 s.
  await new Promise((resolve) => setTimeout(resolve, 18_000));
  assert.equal(
    asked.filter((path) => path.startsWith('/api/')),
    [],
  );
  await second.close();
});

test('a form keeps its input over a second sign-in', async () => {
  await page.goto(address(serviceAt('web', '?view=settings')));
  const field = page.getByLabel('Host');
  await field.fill('half.filled.example');
  await context.clearCookies();
  // Pressed or not: whatever asks the server first finds that the session is over.
  await page.evaluate(() => document.querySelector<HTMLFormElement>('[aria-label="At once"] form')?.requestSubmit());
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await isLive();
  assert.is(await field.inputValue(), 'half.filled.example');
});

test('an object deleted under an open page is shown as deleted, with its time and history', async () => {
  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto(address(serviceAt('gone')));
  await page.getByText('Service is running').waitFor();
  await product.api('/api/v1/apps/gone?confirmName=gone', { method: 'DELETE' });
  await page.getByText(/^Deleted \d+ s(ec)?.* ago\./).waitFor();
  await page.getByRole('link', { name: 'Its history' }).click();
  await page.waitForURL(/\/machines\/service\/coreapps:gone$/);
});

test('a page shows the error of the server and succeeds on a second attempt', async () => {
  await page.route(/\/api\/v1\/projects\?/, (route) =>
    route.fulfill({ status: 503, json: { error: 'the cluster is away' } }),
  );
  await page.goto(address('/'));
  await page.getByText('the cluster is away. Retrying every 3 seconds.').waitFor();
  await page.unroute(/\/api\/v1\/projects\?/);
  await button('Try again').click();
  await page.getByText('the cluster is away').waitFor({ state: 'detached' });
});

wholly('a page shows placeholders while the server takes 15 s to answer', async () => {
  await page.route('**/api/v1/apps**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    await route.continue();
  });
  await page.goto(address('/services'));
  await page.locator('.bones').first().waitFor();
  assert.not.match(await text(), /reach|error/i);
  await page.getByRole('link', { name: 'web', exact: true }).waitFor();
  await page.unroute('**/api/v1/apps**');
});

const isAway = () =>
  page
    .getByRole('status')
    .getByText(/^Reconnecting, data from \d\d:\d\d:\d\d$/)
    .waitFor();

wholly('the page reports an unresponsive server, keeps its content and reconnects', async () => {
  await page.goto(address(serviceAt('web')));
  await page.getByText('Service is running').waitFor();
  await isLive();
  process.kill(product.pid, 'SIGSTOP');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search/ }).fill('api serv');
  await page.keyboard.press('Enter');
  await page.getByText("Can't reach the server. Retrying every 3 seconds.").first().waitFor();
  await isAway();
  process.kill(product.pid, 'SIGCONT');
  await page.getByText('Service is running').waitFor();
  await isLive();
});

wholly('a page reports a killed server, keeps its content and reconnects to the next one', async () => {
  const { dataDir } = product;
  await product.end('SIGKILL');
  await isAway();
  await page.getByText('Service is running').waitFor();
  product = await startProduct({ dataDir, args });
  await isLive();
});

spec.run();
