import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { coreCloudConnection } from '../../crds/coreCloudConnection.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { Created, Read } from '../../http/api.ts';
import { cloudConnections } from '../../runtime/services/cluster/kinds.ts';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { addUser, adminPage, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('databases in a browser, from draft to deletion');
const test = unless(spec, noBrowser);
const wholly = unless(spec, noBrowser ?? (isWhole ? null : '`npm run whole` looks at the pages of a viewer'));

let product: Product;
let browser: Browser;
let page: Page;
let project = '';
const complaints: string[] = [];
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const region = (name: string) => page.getByRole('region', { name, exact: true });
const tab = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
const specOf = async (name: string) =>
  (await askJson<Read>(product, 'GET', `/databases/${name}`)).spec as Readonly<Record<string, unknown>>;

async function signedIn(name: string): Promise<void> {
  page = await newPage(browser, complaints);
  await page.goto(address('/'));
  await signInAs(page, name);
}

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  await addUser(product, 'viewer', 'viewer');
  project = (await askJson<Created>(product, 'POST', '/projects', { displayName: 'shop' })).name;
  browser = await startBrowser();
  page = await adminPage(browser, product, complaints);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('LDB-090 UI-009 UI-011 UI-012 UI-013 a database is added as a draft with a generated name and the defaults of pages', async () => {
  await page.goto(address(`/projects/${project}/production`));
  await page.getByRole('link', { name: 'Add resource' }).click();
  const logical = page.getByRole('radio', { name: 'Logical database' });
  assert.ok(await logical.isDisabled());
  await region('Database on a server').getByText('Create a database server first').waitFor();
  await page.getByRole('radio', { name: 'SQLite', exact: true }).check();
  await button('Save draft').click();
  await page.waitForURL(/\/production\/databases\/sqlite-[0-9a-f]{8}$/);
  await region('State').getByText('Resource is configured and waiting for deployment').waitFor();
  const name = page.url().split('/').at(-1) ?? '';
  const { engine, placement, storageSize, backup, resources } = await specOf(name);
  assert.equal(
    { engine, placement, storageSize, backup, resources },
    {
      engine: 'SQLite',
      placement: 'InCluster',
      storageSize: '1Gi',
      backup: { enabled: true, retentionDays: 7 },
      resources: { requests: { cpu: '100m', memory: '128Mi' } },
    },
  );
});

test('DB-104 DB-164 the page of a deployed database shows Ready, its endpoint and its attempt', async () => {
  await region('Changes to deploy').getByRole('button', { name: 'Deploy' }).click();
  await region('State').getByText('Database connection is available').waitFor();
  await region('Facts')
    .getByText(/^sqlite-[0-9a-f]{8}\.proj-[0-9a-f]{8}-production\.svc$/)
    .waitFor();
  await region('Attempts').getByText('Succeeded').waitFor();
  await tab('Lifecycle').click();
  await region('Machine database').getByText('Current').waitFor();
  await region('Machine draftDeploy').waitFor();
});

test('DB-161 the connection of a database is shown, with its password and address only on request', async () => {
  await tab('Connection').click();
  const card = region('Connection');
  await card.getByText('4001').waitFor();
  assert.is(await card.getByText(/^http:/).count(), 0);
  await card.getByRole('button', { name: 'Reveal password' }).click();
  await card.getByText(/^http:\/\/sqlite-.*:4001$/).waitFor();
  await card.getByRole('button', { name: 'Hide password' }).click();
  assert.is(await card.getByText(/^http:/).count(), 0);
  assert.match(product.stdout() + product.stderr(), /Connection details revealed/);
});

test('UI-024 UI-025 UI-026 UI-027 UI-028 settings wait or apply at once, and immutable ones give the reason', async () => {
  const name = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await tab('Settings').click();
  await region('Never changes')
    .getByText(/keeps its data on the nodes/)
    .waitFor();
  assert.is(await page.getByLabel('Run on').count(), 0);
  const onDeploy = region('On next deploy');
  await onDeploy.getByLabel('CPU').selectOption('0.5 CPU');
  await onDeploy.getByRole('button', { name: 'Save settings' }).click();
  const bar = region('Changes to deploy');
  await bar.getByText('1 setting not deployed').waitFor();
  await onDeploy.getByLabel('Storage').fill('512Mi');
  await onDeploy.getByRole('button', { name: 'Save settings' }).click();
  await onDeploy.getByText('storageSize must be at least 1Gi').waitFor();
  await onDeploy.getByRole('button', { name: 'Cancel' }).click();
  const backups = region('Backups');
  await backups.getByLabel('Back up').uncheck();
  await backups.getByRole('button', { name: 'Save settings' }).click();
  await backups.getByText('Save settings').waitFor();
  await bar.getByRole('button', { name: 'Discard' }).click();
  await button('Discard 1 change').click();
  await bar.waitFor({ state: 'detached' });
  const { backup, resources } = await specOf(name);
  assert.equal(backup, { enabled: false, retentionDays: 7 });
  assert.equal(resources, { requests: { cpu: '100m', memory: '128Mi' } });
});

wholly('a viewer reads the list without engine and endpoint, and finds no button', async () => {
  const admin = page;
  await signedIn('viewer');
  await page.goto(address('/databases'));
  await page.getByRole('link', { name: /^sqlite-/ }).click();
  await region('State').getByText('Database connection is available').waitFor();
  await region('Facts').getByText('Hidden from your role').first().waitFor();
  assert.is(await tab('Connection').count(), 0);
  assert.is(await tab('SQL').count(), 0);
  const acting = /deploy|retry|save|delete|stop|reveal|run/i;
  await tab('Settings').click();
  await page.getByText('You have read-only access.').first().waitFor();
  assert.is(await page.locator('main').getByRole('button', { name: acting }).count(), 0);
  await page.context().close();
  page = admin;
});

test('a database is stopped to a draft without data, or deleted, when its name is typed', async () => {
  const name = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await button(`Stop ${name}`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('all its data, on every disk').waitFor();
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole('button', { name: `Stop ${name}` }).click();
  await region('State').getByText('Resource is configured and waiting for deployment').waitFor();
  await button(`Delete ${name}`).click();
  assert.ok(await dialog.getByRole('button', { name: `Delete ${name}` }).isDisabled());
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole('button', { name: `Delete ${name}` }).click();
  await page.waitForURL(address(`/projects/${project}/production`));
  await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
});

test('UI-016 UI-017 UI-020 UI-022 a shared server is created under Settings and offered to projects when it is ready', async () => {
  await page.goto(address('/settings/databases'));
  const form = region('Create shared server');
  await form.getByLabel('Name').fill('common');
  await form.getByLabel('Engine').selectOption('MySQL');
  await form.getByLabel('Region').fill('mars');
  await form.getByRole('button', { name: 'Create shared server' }).click();
  await form.getByText(/^There is no ready node in the mars region/).waitFor();
  await form.getByLabel('Region').fill('');
  await form.getByRole('button', { name: 'Create shared server' }).click();
  await page.waitForURL(address('/databases/common'));
  await region('State').getByText('Database connection is available').waitFor();
  assert.is(await tab('Backups').count(), 0, 'a shared server has no place for backups');
  const { project: none, deploy } = await specOf('common');
  assert.equal([none, deploy], [undefined, { enabled: true }]);
  await page.goto(address(`/projects/${project}/production/-/add`));
  const entry = page.getByRole('radio', { name: 'Shared server common' });
  await entry.check();
  await region('Shared server common').getByText('app', { exact: true }).waitFor();
});

/** The embedded cloud, linked to the project as an account. */
const linkCloud = () =>
  run(
    product.cluster.create(cloudConnections, {
      ...typeMeta(coreCloudConnection),
      metadata: { name: 'local', namespace: systemNamespace },
      spec: {
        project,
        provider: 'Cloud',
        region: 'local',
        endpoint: product.endpoints.cloud ?? '',
        iamEndpoint: product.endpoints.cloud ?? '',
        secretRef: { name: 'local-cloud' },
      },
    }),
  );

test('KND-048 KND-010 a bucket of an account is deployed, connected to and deleted with its contents', async () => {
  await linkCloud();
  await page.goto(address(`/projects/${project}/production/-/add`));
  await page.getByRole('radio', { name: 'Bucket in local' }).check();
  await region('Bucket in local').getByLabel('Name').fill('files');
  await button('Save draft').click();
  await page.waitForURL(address(`/projects/${project}/production/buckets/files`));
  await region('Changes to deploy').getByRole('button', { name: 'Deploy' }).click();
  await region('State').getByText('Bucket is available').waitFor();
  await region('Facts')
    .getByText(/^core-files-[0-9a-f]{8}$/)
    .waitFor();
  await tab('Connection').click();
  await region('Connection').getByRole('button', { name: 'Reveal secret key' }).click();
  await region('Connection').getByRole('button', { name: 'Hide secret key' }).waitFor();
  await tab('Lifecycle').click();
  await region('Machine objectStore').getByText('Current').waitFor();
  await tab('Settings').click();
  await button('Delete files').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^the bucket core-files-[0-9a-f]{8} with everything in it/).waitFor();
  await dialog.getByLabel('Type files to confirm').fill('files');
  await dialog.getByRole('button', { name: 'Delete files' }).click();
  await page.waitForURL(address(`/projects/${project}/production`));
  await page.goto(address('/buckets'));
  await page.getByText('No bucket yet').waitFor();
});

test('KND-048 an object store server is created as a draft, and a second one of its name is refused', async () => {
  await page.goto(address('/buckets'));
  const form = region('Create object store');
  await form.getByLabel('Name').fill('store');
  await form.getByLabel('Storage').fill('2Gi');
  await form.getByRole('button', { name: 'Save draft' }).click();
  await page.waitForURL(address('/buckets/store'));
  await region('State').getByText('Resource is configured and waiting for deployment').waitFor();
  await page.goto(address('/buckets'));
  await region('Buckets').getByRole('link', { name: 'store', exact: true }).waitFor();
  await form.getByLabel('Name').fill('store');
  await form.getByRole('button', { name: 'Deploy' }).click();
  await form.getByText('object store "store" already exists').waitFor();
});

test('the browser reports no unexpected errors on database pages', () => {
  const expected = /401|404|409|400/;
  assert.equal(
    complaints.filter((one) => !expected.test(one)),
    [],
  );
});

spec.run();
