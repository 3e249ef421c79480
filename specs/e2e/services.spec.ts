import type { Browser, Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../crds/names.ts';
import type { Deployment, Items } from '../../http/api.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { askJson } from '../support/askJson.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addUser, endVisit, newPage, signInAs } from '../support/visitor.ts';

const spec = suite('service tasks in a browser');
const test = unless(spec, noBrowser);
const wholly = unless(spec, noBrowser ?? (isWhole ? null : '`npm run whole` looks at the pages of a viewer'));

let product: Product;
let browser: Browser;
let page: Page;
let project = '';
const complaints: string[] = [];
const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true });
const field = (name: string, within: Page | Locator = page) => within.getByLabel(name, { exact: true });
const open = (path: string) => page.goto(address(path));
const ask = <T>(method: string, path: string, body?: object) => askJson<T>(product, method, path, body);

const configMaps: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
/** What the simulated nodes do from now on. */
const simulate = (data: Readonly<Record<string, string>>) =>
  run(product.cluster.patch(configMaps, { name: 'simulated-nodes', namespace: systemNamespace }, { data }));
const region = (name: string) => page.getByRole('region', { name, exact: true });

const openPage = async (): Promise<void> => {
  page = await newPage(browser, complaints);
};

async function signIn(name: string): Promise<void> {
  await page.goto(address('/'));
  await signInAs(page, name);
}

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  await addUser(product, 'viewer', 'viewer');
  browser = await startBrowser();
  await openPage();
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('UI-001 a new installation leads to its first running service in under five minutes, without kubectl', async () => {
  const startedAt = performance.now();
  await signIn('admin');
  const guide = region('Deploy your first service');
  await guide.getByRole('button', { name: 'Deploy' }).click();
  await guide.getByText('Saved').waitFor();
  await guide.getByText('Running', { exact: true }).waitFor();
  assert.ok(performance.now() - startedAt < 5 * 60_000);
  await guide.getByRole('link', { name: 'Open web' }).click();
  await page.waitForURL(/\/projects\/proj-[0-9a-f]{8}\/production\/services\/web$/);
  await region('State').getByText('Service is running').waitFor();
  await region('Copies').getByText('Ready').waitFor();
});

test('a short address leads to the page of the service, and keeps its view', async () => {
  for (const path of ['/apps/web?view=variables', '/services/web?view=variables']) {
    await page.goto(address(path));
    await page.waitForURL(/\/production\/services\/web\?view=variables$/);
  }
});

test('SEC-017 saved variables are shown as pending, secrets without values, until they are deployed', async () => {
  await button('Paste .env').click();
  await page.getByLabel('Lines such as NAME=value').fill('GREETING=good morning\nKEY=hush');
  await button('Take 2 variables').click();
  await page.getByLabel('Kind of KEY').selectOption('secret');
  await page.getByText('2 changes not saved').waitFor();
  await button('Save variables').click();
  const bar = region('Changes to deploy');
  await bar.getByText('2 variables not deployed').waitFor();
  await bar.getByText('Review').click();
  await bar.getByText('good morning').waitFor();
  assert.not.match(await page.locator('main').innerText(), /hush/);
  await until(async () => (await page.getByLabel('Value of KEY').inputValue()) === '', 'the typed secret is gone');
  await region('Injected variables').getByText('PORT', { exact: true }).waitFor();
  await bar.getByRole('button', { name: 'Deploy changes' }).click();
  await bar.waitFor({ state: 'detached' });
});

test('a setting applies at once or waits, as its form states, and a refusal is shown as by the server', async () => {
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  const atOnce = region('At once');
  await atOnce.getByLabel('Copies', { exact: true }).fill('2');
  await atOnce.getByRole('button', { name: 'Save settings' }).click();
  await region('State').getByText('2 of 2 copies ready').waitFor();
  await atOnce.getByLabel('Host').fill('not a host');
  await atOnce.getByRole('button', { name: 'Save settings' }).click();
  await atOnce.getByText('host must be a host name').waitFor();
  await atOnce.getByRole('button', { name: 'Cancel' }).click();
  const onDeploy = region('On next deploy');
  await onDeploy.getByLabel('Port').fill('8080');
  await onDeploy.getByRole('button', { name: 'Save settings' }).click();
  await region('Changes to deploy').getByText('1 setting not deployed').waitFor();
});

test('UI-030 DEP-011 the Deployments tab lists the recorded deploys with their logs, and a rollback adds a row', async () => {
  await page.getByRole('link', { name: 'Deployments' }).click();
  const tab = region('Deployments');
  const rows = tab.getByRole('row').filter({ has: page.getByRole('button', { name: /^Copy the name / }) });
  const recorded = async () =>
    (await ask<Items<Deployment>>('GET', '/apps/web/deployments')).items.map(({ id, trigger }) => ({ id, trigger }));
  // The record of a deploy that was just asked for may come while the page is looked at.
  const shown = async () => {
    const records = await recorded();
    return records.length > 1 && (await rows.count()) === records.length ? records : null;
  };
  const before = await until(shown, 'every record has a row').catch(async (error: unknown) => {
    throw new Error(`${String(error)}: ${await rows.count()} rows of ${JSON.stringify(await recorded())}`);
  });
  const [newest, first] = [before[0], before.at(-1)];
  await tab.getByLabel(`Deploy log of ${newest?.id}`).click();
  await tab.getByText('Provisioning began').first().waitFor();
  await ask('POST', '/apps/web/rollback', { revision: first?.id });
  const isNew = ({ id }: { readonly id: string }) => !before.some((one) => one.id === id);
  const after = await until(async () => {
    const records = await shown();
    return records?.some(isNew) ? records : null;
  }, 'the rollback is one more row');
  assert.equal(after.filter(isNew), after.slice(0, 1));
  const [rolledBack] = after;
  await rows
    .first()
    .getByText(rolledBack?.id ?? '', { exact: true })
    .waitFor();
  await region('State').getByText('Service is running').waitFor();
});

test('DEP-064 DEP-066 deployments show their outcome, and no service or project page has a rollback button', async () => {
  await page.getByRole('link', { name: 'Deployments' }).click();
  await region('Deployments').waitFor();
  for (const view of ['', '?view=deployments', '?view=settings', '?view=lifecycle']) {
    await page.goto(address(`${new URL(page.url()).pathname}${view}`));
    await region('State').waitFor();
    assert.is(await button(/roll ?back/i).count(), 0);
  }
});

test('PRJ-129 a project has no Retry button, and creates a service in three steps', async () => {
  await page.goto(address(new URL(page.url()).pathname.replace(/\/services\/.*/, '')));
  await region('Resources').getByRole('link', { name: 'web', exact: true }).waitFor();
  assert.is(await button(/retry/i).count(), 0);
  await page.getByRole('link', { name: 'Create service' }).click();
  await button('Continue').click();
  await page.getByText('Type the image to run.').waitFor();
  await page.getByLabel('Image', { exact: true }).last().fill('registry.example.com/team/api:1');
  await button('Continue').click();
  await page.getByLabel('Name').fill('web');
  await button('Continue').click();
  await page.getByText(/core apps create web --image registry\.example\.com\/team\/api:1 /).waitFor();
  await button('Save draft').click();
  await page.getByText('service "web" already exists').waitFor();
  await button('Back').click();
  await page.getByLabel('Name').fill('api');
  await button('Continue').click();
  await button('Save draft').click();
  await page.waitForURL(/\/services\/api$/);
  await page.getByText('Saved as a draft; nothing runs yet.').waitFor();
});

test('UI-002 a new project has a generated name, the default cluster and the given region', async () => {
  await open('/');
  await button('New project').click();
  const dialog = page.getByRole('dialog');
  await field('Region', dialog).fill('local');
  await button('Create project', dialog).click();
  await page.waitForURL(/\/projects\/proj-[0-9a-f]{8}\/production$/);
  await page.getByRole('heading', { name: /^[a-z]+-[a-z]+-\d+ \/ production$/ }).waitFor();
  project = new URL(page.url()).pathname.split('/')[2] ?? '';
  await page.getByRole('link', { name: 'Project settings' }).click();
  await region('Never changes').getByText('local', { exact: true }).waitFor();
  assert.is(await field('Region').inputValue(), 'local');
  assert.is(await page.getByLabel('Cluster').count(), 0);
  await open(`/projects/${project}/-/settings/environments`);
  await page.getByText('A project keeps at least one environment.').waitFor();
  assert.is(await button('Delete production').count(), 0);
});

test('UI-003 a changed name and region of a project apply at once', async () => {
  await open(`/projects/${project}/-/settings/general`);
  await field('Name').fill('Corner Shop');
  await field('Region').fill('local');
  await button('Save settings').click();
  await page.getByRole('heading', { name: 'corner-shop: settings' }).waitFor();
  const { spec: saved } = await ask<{ readonly spec: object }>('GET', `/projects/${project}`);
  assert.equal({ ...saved }, { ...saved, displayName: 'corner-shop', region: 'local' });
});

test('UI-006 a switch isolates the services of a project, and a list allows other projects', async () => {
  const stored = async () =>
    (await run(product.cluster.get(projects, { name: project, namespace: systemNamespace }))).spec.network;
  await open(`/projects/${project}/-/settings/network`);
  const other = page.getByRole('group', { name: 'Allowed projects' }).getByRole('checkbox').first();
  await other.check();
  await button('Save settings').click();
  await until(async () => (await stored())?.allowFromProjects?.length === 1, 'the project is allowed');
  await page.getByLabel("Keep this project's services private").uncheck();
  await button('Save settings').click();
  await until(async () => (await stored())?.isolation === 'None', 'the isolation is off');
});

test('UI-007 required tags are saved with a message when every check succeeds', async () => {
  await open(`/projects/${project}/-/settings/compliance`);
  await field('Tags').fill('pci');
  await button('Save tags').click();
  await region('Required tags').getByText('no node in the region "local" carries the tag "pci"').waitFor();
  const nodes = `- { name: local-1, region: local }\n- { name: local-9, region: local, tags: [pci], reserved: pci }\n`;
  await simulate({ nodes });
  await until(async () => {
    if (!(await button('Save tags').isEnabled())) return (await field('Tags').inputValue()) === 'pci';
    await button('Save tags')
      .click({ timeout: 1_000 })
      .catch(() => null);
    return false;
  }, 'the tags are saved');
  const found = await ask<{ readonly requiredTags: readonly string[] }>('GET', `/projects/${project}/compliance`);
  assert.equal(found.requiredTags, ['pci']);
  await field('Tags').fill('');
  await button('Save tags').click();
  await until(async () => !(await button('Save tags').isEnabled()), 'the tags are cleared');
});

test('a service is deleted when its name is typed', async () => {
  await page.goto(address('/services/api?view=settings'));
  await button('Delete api').click();
  const dialog = page.getByRole('dialog');
  assert.ok(await dialog.getByRole('button', { name: 'Delete api' }).isDisabled());
  await dialog.getByLabel('Type api to confirm').fill('api');
  await dialog.getByRole('button', { name: 'Delete api' }).click();
  await page.getByRole('link', { name: 'api', exact: true }).waitFor({ state: 'detached' });
});

wholly('a viewer sees no disabled actions and a note about hidden ones', async () => {
  await openPage();
  await signIn('viewer');
  await page.getByText('Read-only access: ask an admin to deploy or change.').waitFor();
  for (const view of ['', '?view=deployments', '?view=variables', '?view=settings', '?view=lifecycle']) {
    await page.goto(address(`/services/web${view}`));
    await region('State').getByText('Service is running').waitFor();
    await page.getByText('You have read-only access.').first().waitFor();
    const actions = /deploy|retry|save|delete|add|paste|check now/i;
    assert.is(await page.locator('main').getByRole('button', { name: actions }).count(), 0, view);
  }
  await page.goto(address('/services/web?view=variables'));
  await page.getByText('Hidden from your role').waitFor();
  await open(`/projects/${project}/-/settings/compliance`);
  await region('Required tags').waitFor();
  assert.is(await button('Save tags').count(), 0);
  await page.goto(address('/'));
  assert.is(await button('New project').count(), 0);
});

test('the browser reports no unexpected errors on service pages', () => {
  const expected = /401|404|409|400/;
  assert.equal(
    complaints.filter((one) => !expected.test(one)),
    [],
  );
});

spec.run();
