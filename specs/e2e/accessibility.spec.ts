import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { coreDatabase } from '../../crds/coreDatabase.ts';
import { coreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { builds, databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { isRefused } from '../http/dashboard/refused.ts';
import { axeFindings, everything, isTooWide, ofColours } from '../support/axe.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { isChosen, isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';
import { addUser, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('accessibility of the dashboard');
const test = unless(spec, noBrowser);
const wholly = unless(
  spec,
  noBrowser ?? (isWhole ? null : '`npm run whole` looks at the pages of a viewer, and at those on a touch screen'),
);

/** Pages, and what each shows once it has read what it is about. */
const pages: readonly (readonly [path: string, shows: string])[] = [
  ['/', 'Last moves'],
  ['/services', 'web'],
  ['/projects/shop/production', '2 of 2'],
  ['/projects/bare/production', 'No service in production yet'],
  ['/projects/shop/production/-/variables', 'shop'],
  ['/projects/shop/-/settings/general', 'Never changes'],
  ['/projects/shop/-/settings/environments', 'production'],
  ['/projects/shop/-/settings/network', 'bare'],
  ['/projects/shop/-/settings/compliance', 'Checks'],
  ['/projects/shop/-/settings/git', 'Git host'],
  ['/projects/shop/-/settings/delete', 'cannot be undone'],
  ['/projects/shop/production/services/-/new', 'Source'],
  ['/projects/shop/production/services/web', 'Copies'],
  ['/projects/shop/production/services/web?view=deployments', 'newest first'],
  ['/projects/shop/production/services/web?view=builds', 'Only a service from a repository'],
  ['/projects/shop/production/services/web?view=variables', 'Injected'],
  ['/projects/shop/production/services/web?view=lifecycle', 'Timeline'],
  ['/projects/shop/production/services/web?view=settings', 'Never changes'],
  ['/projects/shop/production/-/add', 'Create a database server first'],
  ['/projects/shop/production/databases/orders', 'Endpoint'],
  ['/projects/shop/production/databases/orders?view=connection', 'No connection yet'],
  ['/projects/shop/production/databases/orders?view=sql', 'Statement'],
  ['/projects/shop/production/databases/orders?view=lifecycle', 'Timeline'],
  ['/projects/shop/production/databases/orders?view=settings', 'Never changes'],
  ['/databases', 'orders'],
  ['/databases/none', 'was not found'],
  ['/logical-databases', 'No logical database yet'],
  ['/settings/databases', 'Shared servers'],
  ['/settings/usage', 'HA readiness'],
  ['/services/none', 'was not found'],
  ['/machines', 'provisionRetry'],
  ['/machines/build', 'seen'],
  ['/machines/provisionRetry', 'orders'],
  ['/machines/build/corebuilds:seen', 'digestFound'],
  ['/machines/build/corebuilds:seen?view=log', 'line'],
  ['/machines/build/corebuilds:seen?view=json', 'API response'],
  ['/machines/database/coredatabases:orders', 'Endpoint'],
  ['/machines/projectReady/coreprojects:shop', 'Other machines'],
  ['/machines/database/coredatabases:none', 'was not found'],
  ['/projects/shop/-/settings/pull-requests', 'They are turned on'],
  ['/projects/shop/-/settings/webhooks', 'No webhook yet'],
  ['/settings/domain', 'Root domain'],
  ['/settings/connectors', 'Git host application'],
  ['/settings/registry', 'Repository'],
  ['/settings/clusters', 'Default region'],
  ['/settings/nodes', 'Ports of a server'],
  ['/settings/users', 'Possible'],
  ['/settings/tokens', 'a script'],
  ['/settings/cli', 'Agents over HTTP'],
  ['/device', 'Approve a sign-in'],
  ['/device?code=BCDF-GHJK', 'No pending sign-in'],
  ['/api-docs', 'Lists the machines'],
  ['/none', 'Page not found'],
];
/** The same before anything is there. */
const emptyPages: readonly (readonly [path: string, shows: string])[] = [
  ['/', 'Deploy your first service'],
  ['/services', 'No service yet'],
  ['/databases', 'No database yet'],
];
/** Pages that read nothing, and therefore cannot fail to. */
const unread = ['/device', '/none', '/settings/cli', '/projects/shop/production/services/-/new'];
const widths = [1440, 1280, 800, 400] as const;
const failure = 'the cluster is away';

let product: Product;
let browser: Browser;
let page: Page;
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const inSystem = (name: string, annotations = {}) => ({ name, namespace: systemNamespace, annotations });

/** Everything that a page of an instance can be about. */
async function fill(): Promise<void> {
  for (const name of ['shop', 'bare'])
    await run(
      product.cluster.create(projects, {
        ...typeMeta(coreProject),
        metadata: inSystem(name),
        spec: { clusterRef: { name: 'local' }, environments: ['production'] },
      }),
    );
  await run(
    product.cluster.create(databases, {
      ...typeMeta(coreDatabase),
      metadata: inSystem('orders', { [annotation.deployWorkflow]: 'true', [annotation.pendingChanges]: 'created' }),
      spec: {
        project: 'shop',
        environment: 'production',
        engine: 'SQLite',
        placement: 'InCluster',
        highAvailability: false,
        version: '16',
        instances: 1,
        deploy: { enabled: false },
      },
    }),
  );
  await run(product.cluster.create(builds, userBuild('seen', { app: 'seen' })));
  const post = (path: string, body: object) =>
    product.api(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  await post('/api/v1/tokens', { name: 'a script', role: 'viewer' });
  const web = { project: 'shop', environment: 'production', name: 'web', image: 'registry.example.com/shop/web:1' };
  await post('/api/v1/apps', { ...web, deploy: true });
  await post('/api/v1/apps/web/config/set', { key: 'GREETING', value: 'hi' });
  await post('/api/v1/apps/web/deploy', {});
  await post('/api/v1/apps/web/config/set', { key: 'GREETING', value: 'hello' });
}

let filling: Promise<void> | undefined;
/** Fills the installation once, after its empty pages were seen. */
const filled = (): Promise<void> => (filling ??= fill());

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  browser = await startBrowser();
  page = await newPage(browser);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

/** Everything that a reader sees or hears of the page. */
const saidOnPage = () =>
  page.evaluate(() => [
    ...document.body.innerText.split('\n'),
    ...['aria-label', 'title', 'placeholder', 'aria-description'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ''),
    ),
  ]);

async function show(path: string, shows: string): Promise<void> {
  await page.goto(address(path));
  // The bars of the page say some of these words before the page itself is there.
  await page.locator('h1').waitFor();
  await until(async () => (await page.locator('body').innerText()).includes(shows), `${path} shows ${shows}`);
}

/** In light and dark, with one heading, and in words that are understood. */
async function assertOpen(path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  assert.equal(await axeFindings(page, ofColours), [], `${path}, dark`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  assert.equal(await axeFindings(page, everything), [], `${path}, light`);
  assert.is(await page.locator('h1').count(), 1, `${path} has one heading`);
  assert.equal((await saidOnPage()).filter(isRefused), [], `${path} is in plain words`);
}

async function assertFit(path: string): Promise<void> {
  await assertOpen(path);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await until(async () => !(await isTooWide(page)), `${path} fits ${width} px`, 10_000);
  }
  if (isWhole) assert.equal(await axeFindings(page, everything), [], `${path}, narrow`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function signIn(name: string): Promise<void> {
  await page.goto(address('/'));
  await signInAs(page, name);
}

test('sign-in has no violations of axe and fits every width', async () => {
  await show('/', 'Sign in');
  await assertFit('sign-in');
  await signIn('admin');
});

for (const [path, shows] of emptyPages)
  test(`${path} of a new installation has no violations of axe and fits every width`, async () => {
    await show(path, shows);
    await assertFit(path);
  });

for (const [path, shows] of pages.filter((_, at) => isChosen(at, 16)))
  test(`${path} has no violations of axe, in light and dark, and fits every width`, async () => {
    await filled();
    await show(path, shows);
    await assertFit(path);
  });

test('a page that cannot be loaded shows the error of the server, without violations of axe', async () => {
  await filled();
  await page.route(/\/api\/v1\/(?!events)/, (route) => route.fulfill({ status: 503, json: { error: failure } }));
  for (const [path] of pages.filter(([path], at) => !unread.includes(path) && isChosen(at, 16))) {
    await show(path, failure);
    await assertOpen(`${path}, not read`);
  }
  await page.unrouteAll();
});

wholly('a page of a viewer has no violations of axe', async () => {
  await filled();
  await addUser(product, 'viewer', 'viewer');
  page = await newPage(browser);
  await signIn('viewer');
  for (const [path] of pages.filter((_, at) => isChosen(at, 16))) {
    await page.goto(address(path));
    await page.locator('h1').waitFor();
    await until(async () => !(await page.locator('.bones').first().isVisible()), `${path} is read`);
    await assertOpen(`${path}, viewer`);
  }
});

wholly('every button, field and tab is 44 px high on a touch screen', async () => {
  await filled();
  page = await newPage(browser, [], { viewport: { width: 400, height: 900 }, hasTouch: true, isMobile: true });
  await signIn('admin');
  for (const path of ['/', '/projects/shop/production', '/projects/shop/production/services/web?view=settings']) {
    await page.goto(address(path));
    await page.locator('h1').waitFor();
    await until(async () => !(await page.locator('.bones').first().isVisible()), `${path} is read`);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, .button, .input, .select, .tabs a, .context .nav a')]
        .filter((element) => element.checkVisibility() && Math.round(element.getBoundingClientRect().height) < 44)
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    assert.equal(small, [], path);
  }
});

spec.run();
