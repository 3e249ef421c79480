import type { Browser, Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Created, Items, Summary } from '../../http/api.ts';
import { systemNamespace } from '../../crds/names.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { fourFailures } from '../support/fourFailures.ts';
import { makeRepository } from '../support/repository.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addUser, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('common dashboard tasks in a browser');
/** Minutes of a person at work; the suite has the shorter `services` and `frame`. */
const notAsked = isWhole ? null : '`npm run whole` runs the tasks';
const test = unless(spec, noBrowser ?? notAsked);

let product: Product;
let browser: Browser;
let page: Page;
let project = '';
const complaints: string[] = [];
const took: string[] = [];
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const region = (name: string, on: Page = page) => on.getByRole('region', { name, exact: true });
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true });
const field = (name: string, within: Page | Locator = page) => within.getByLabel(name, { exact: true });
const environment = (name = 'production') => `/projects/${project}/${name}`;
const service = (name: string, view = '') => `${environment()}/services/${name}${view === '' ? '' : `?view=${view}`}`;
const open = (path: string, on: Page = page) => on.goto(address(path));
const isTooWide = () =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const configMaps: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
/** What the simulated nodes do from now on. */
const simulate = (data: Readonly<Record<string, string>>) =>
  run(product.cluster.patch(configMaps, { name: 'simulated-nodes', namespace: systemNamespace }, { data }));

const ask = <T>(method: string, path: string, body?: object) => askJson<T>(product, method, path, body);
const image = 'registry.example.com/team/web:1';
const addService = (name: string, over: object = {}) =>
  ask<Created>('POST', '/apps', { project, environment: 'production', name, image, ...over });

async function signedIn(name: string): Promise<Page> {
  const own = await newPage(browser, complaints);
  own.setDefaultTimeout(60_000);
  await open('/', own);
  await signInAs(own, name);
  return own;
}

/** A task with how long it took. */
const task = (title: string, does: () => Promise<void>) =>
  test(title, async () => {
    const from = performance.now();
    await does();
    took.push(`${((performance.now() - from) / 1000).toFixed(1)} s  ${title}`);
  });

spec.before(async () => {
  if ((noBrowser ?? notAsked) !== null) return;
  product = await startProduct();
  await addUser(product, 'viewer', 'viewer');
  await addUser(product, 'second', 'admin');
  browser = await startBrowser();
  page = await signedIn('admin');
});
spec.after(async () => {
  if ((noBrowser ?? notAsked) !== null) return;
  process.stdout.write(`${took.join('\n')}\n`);
  await endVisit(browser, product);
});

task('UI-001 a first service from a repository is named, deployed, pushed and running without kubectl', async () => {
  const guide = region('Deploy your first service');
  await guide.getByText('The nodes of this installation are simulated').waitFor();
  await guide.getByText('Repository', { exact: true }).click();
  await field('Repository', guide.locator('.pair')).fill('demo/first');
  await field('Name', guide).fill('first');
  await button('Deploy', guide).click();
  await guide.getByText('Waiting for your first push').waitFor();
  const pushed = await guide.locator('.command code').first().innerText();
  const [, url = ''] = /git push (\S+)\s+HEAD:main/.exec(pushed) ?? [];
  const repository = makeRepository();
  repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(url);
  repository.clean();
  await guide.getByText('Push received').waitFor();
  await guide.locator('li[data-tone="good"]', { hasText: 'Running' }).waitFor({ timeout: 60_000 });
  const { items } = await ask<Items<Summary>>('GET', '/projects');
  assert.is(items.length, 1);
  assert.equal(items[0]?.details['environments'], ['production']);
  project = items[0]?.name ?? '';
  await page.reload();
  await region('Projects').waitFor();
  assert.is(await guide.count(), 0);
});

task('environments are added and deleted, and their shared variables saved, each at once', async () => {
  await open(`/projects/${project}/-/settings/environments`);
  await field('New environment').fill('Staging!');
  await button('Add environment').click();
  await page.getByText('invalid environment "Staging!"').waitFor();
  await field('New environment').fill('staging');
  await button('Add environment').click();
  await button('Delete staging').waitFor();
  await open(`${environment('staging')}/-/variables`);
  await button('Add variable').click();
  await field('Name').fill('LEVEL');
  await page.getByLabel('Value of LEVEL').fill('debug');
  await button('Save variables').click();
  await until(
    async () => (await ask<Items<object>>('GET', `/projects/${project}/variables`)).items.length === 1,
    'the variable is saved',
  );
  await open(`/projects/${project}/-/settings/environments`);
  await button('Delete staging').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 shared variable: LEVEL').waitFor();
  await dialog.getByLabel('Type staging to confirm').fill('staging');
  await button('Delete staging', dialog).click();
  await button('Delete staging').waitFor({ state: 'detached' });
});

task('a failing service among 200 is listed with its cause and a remedy', async () => {
  await simulate({ pods: '- match: { image: "*:broken" }\n  waiting: ImagePullBackOff\n' });
  for (let from = 0; from < 198; from += 11)
    await Promise.all(Array.from({ length: 11 }, (_, at) => addService(`well-${from + at}`)));
  await addService('sick', { image: 'registry.example.com/team/sick:broken', deploy: true });
  await open('/');
  const attention = region('Needs attention');
  await attention.getByRole('link', { name: 'sick', exact: true }).click();
  await page.waitForURL(address(service('sick')));
  await region('Copies').getByText('ImagePullBackOff').waitFor();
  await region('State').getByText('Check the image').waitFor();
  await open('/services');
  await page.getByText('200 of 200').waitFor();
  assert.ok((await page.getByRole('row').count()) < 120);
});

task('the address of a list filters by text, state and kind', async () => {
  await open('/services?q=well&state=draft&kind=image');
  await page.getByText('198 of 200').waitFor();
  await open(`${environment()}?kind=repository`);
  await page.getByText('1 of 200').waitFor();
  await page.getByRole('link', { name: 'first', exact: true }).waitFor();
});

task('a service that is ProvisionFailed says so and is retried, on its page and on Home', async () => {
  const sick = { name: 'sick', namespace: systemNamespace };
  const counted = async () => (await run(product.cluster.get(apps, sick))).status?.reconcileRetry?.reconcileFailures;
  await until(async () => ((await counted()) ?? 0) > 0, 'a failure is counted');
  await run(product.cluster.patchStatus(apps, sick, { reconcileRetry: fourFailures() }));
  await open(service('sick'));
  await page.getByRole('status').getByText('Failed', { exact: true }).waitFor();
  await open('/');
  await button('Retry', region('Needs attention')).waitFor();
  await simulate({ pods: '' });
  await open(service('sick'));
  await button('Retry').click();
  await until(
    async () => JSON.stringify(await ask('GET', '/apps/sick/transitions')).includes('retryAsked'),
    'it is tried',
  );
  await button('Retry').waitFor({ state: 'detached' });
});

task('a deploy without capacity is refused with a message, and its changes stay', async () => {
  await addService('big', { deploy: true });
  await open(service('big', 'settings'));
  const onDeploy = region('On next deploy');
  await field('CPU for each copy', onDeploy).fill('900');
  await button('Save settings', onDeploy).click();
  const bar = region('Changes to deploy');
  await button('Deploy changes', bar).click();
  await bar.getByText(/cannot be scheduled:/).waitFor();
  await bar.getByText('1 setting not deployed').waitFor();
});

task('a form keeps its input when another user edits the service, and offers the saved values', async () => {
  await open(service('big', 'settings'));
  const atOnce = region('At once');
  await field('Host', atOnce).fill('big.example.com');
  await ask('PATCH', '/apps/big', { replicas: 2 });
  await atOnce.getByText('Changed elsewhere: Copies is now 2.').waitFor();
  assert.is(await field('Host', atOnce).inputValue(), 'big.example.com');
  await button('Save settings', atOnce).click();
  await until(async () => {
    const { spec: saved } = await run(product.cluster.get(apps, { name: 'big', namespace: systemNamespace }));
    return saved.replicas === 2 && saved.networking?.host === 'big.example.com';
  }, 'both changes hold');
  await ask('PATCH', '/apps/first', { host: 'taken.example.com' });
  await field('Host', atOnce).fill('taken.example.com');
  await button('Save settings', atOnce).click();
  await atOnce.getByRole('alert').waitFor();
  assert.is(await field('Host', atOnce).inputValue(), 'taken.example.com');
  await button('Cancel', atOnce).click();
});

task('a function is edited, scheduled and called, and a refused call is reported', async () => {
  const code = "export const handler = () => 'hi'";
  await addService('greet', { image: undefined, runtime: 'node', code, deploy: true });
  await open(service('greet', 'code'));
  await region('Code').getByRole('textbox').fill(`${code};`);
  await button('Save code').click();
  await region('Changes to deploy').getByText('1 setting not deployed').waitFor();
  await field('Name of the schedule').fill('nightly');
  await field('Cron, in UTC').fill('0 0 3 * * *');
  await button('Add schedule').click();
  await page.getByText('A schedule has five fields').waitFor();
  await field('Cron, in UTC').fill('0 3 * * *');
  await button('Add schedule').click();
  await region('Schedules').getByText('after the next deploy').waitFor();
  await button('Call greet').click();
  await region('Call').getByRole('alert').waitFor();
  await button('Remove nightly').click();
  await page.getByText('No schedule calls the function.').waitFor();
});

task('a service reports why it cannot sleep', async () => {
  await ask('PATCH', '/apps/first', { scaleToZero: 'on', idleSeconds: 60 });
  await open(service('first'));
  await region('Facts').getByText('Cannot sleep').waitFor();
  await region('Facts').getByText('The serverless add-on is off in the cluster settings.').waitFor();
});

task('a service with a name of 36 characters fits 400 pixels, everywhere it is named', async () => {
  const name = 'a-service-whose-name-has-36-letters0';
  assert.is(name.length, 36);
  await addService(name);
  await page.setViewportSize({ width: 400, height: 900 });
  for (const path of ['/', '/services', environment(), service(name), service(name, 'settings')]) {
    await open(path);
    await page.getByText(name).first().waitFor();
    assert.not.ok(await isTooWide(), path);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

task('a service and one of its views are found and opened by keyboard', async () => {
  await open('/');
  await region('Projects').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL(address('/services'));
  await page.getByText(/of 20\d/).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('sick');
  await page.getByText(/^1 of/).waitFor();
  const grid = page.getByRole('grid');
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    if (await grid.evaluate((it) => it === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(address(service('sick')));
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  await page.keyboard.press('2');
  await page.waitForURL(address(service('sick', 'deployments')));
});

task('the page of an object deleted meanwhile shows the time and links to its history', async () => {
  await open(service('big'));
  await region('State').waitFor();
  await ask('DELETE', '/apps/big?confirmName=big');
  await page.getByText(/^Deleted/).waitFor();
  await page.getByRole('link', { name: 'Its history' }).waitFor();
});

task('a viewer reads every page, gets no actions, and sees who may act', async () => {
  const viewer = await signedIn('viewer');
  await viewer.getByText('Read-only access: ask an admin to deploy or change.').waitFor();
  for (const name of ['general', 'environments', 'network', 'compliance', 'git', 'delete']) {
    await open(`/projects/${project}/-/settings/${name}`, viewer);
    await viewer.getByText('Only admins change the settings of a project.').waitFor();
    const acts = /save|add|delete|connect|retry/i;
    assert.is(await viewer.locator('main').getByRole('button', { name: acts }).count(), 0, name);
  }
  await open('/settings/users', viewer);
  await viewer.getByText('Only admins can see the users.').waitFor();
  await viewer.context().close();
});

task('PRJ-129 a changed role removes the buttons of an open page, and a project has no retry', async () => {
  const second = await signedIn('second');
  await open(environment(), second);
  await second.getByRole('link', { name: 'Create service' }).waitFor();
  assert.is(await button(/retry/i, second).count(), 0);
  await addUser(product, 'second', 'viewer');
  await second.getByRole('link', { name: 'Create service' }).waitFor({ state: 'detached', timeout: 60_000 });
  await second.context().close();
});

task('a project is deleted when its name is typed, after its contents are listed', async () => {
  await ask('PATCH', `/projects/${project}`, { displayName: 'corner-shop' });
  await open(`/projects/${project}/-/settings/delete`);
  await button('Delete corner-shop').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^20\d services: /).waitFor();
  assert.ok(await button('Delete corner-shop', dialog).isDisabled());
  await dialog.getByLabel('Type corner-shop to confirm').fill('corner-shop');
  await button('Delete corner-shop', dialog).click();
  await page.waitForURL(address('/'));
  await open(`/projects/${project}/-/settings/general`);
  const end = page.getByText(/being deleted|Deleted|was not found/).first();
  await end.waitFor({ timeout: 60_000 });
});

test('the browser reports no unexpected errors in common tasks', () => {
  const expected = /40[01349]|502/;
  assert.equal(
    complaints.filter((one) => !expected.test(one)),
    [],
  );
});

spec.run();
