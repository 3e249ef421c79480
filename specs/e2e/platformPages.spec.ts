import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Created, Items, NewApiToken, Read, Settings, WebhookItem } from '../../http/api.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { enterOwnNetwork } from '../podman/ownNetwork.ts';
import { askJson } from '../support/askJson.ts';
import { barriersOf } from '../support/axe.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { pushTwice, startExternalServices } from '../support/outside/externalServices.ts';
import { status } from '../support/outside/receiver.ts';
import { platformPages } from '../support/outside/pages.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { isChosen, isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addUser, adminPage, endVisit, newPage, signInAs } from '../support/visitor.ts';

/** Receivers and a DNS provider are asked in a network of its own; their half is played by `npm run whole`. */
const missing = noBrowser ?? (isWhole ? enterOwnNetwork() : null);
const spec = suite('platform and connection pages in a browser');
const test = unless(spec, missing);
const wholly = unless(spec, missing ?? (isWhole ? null : 'runs by npm run whole'));

const publicIP = '44.1.0.7';
const root = 'shop.invalid';
const complaints: string[] = [];
let around: Awaited<ReturnType<typeof startExternalServices>> | undefined;
let product: Product;
let browser: Browser;
let page: Page;
let project = '';

const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const go = (path: string) => page.goto(address(path));
const ofProject = (name: string) => `/projects/${project}/-/settings/${name}`;
const region = (name: string | RegExp) => page.getByRole('region', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const main = () => page.locator('main').innerText();
const settings = () => askJson<Settings>(product, 'GET', '/settings');
const hooks = async () => (await askJson<Items<WebhookItem>>(product, 'GET', `/projects/${project}/webhooks`)).items;
/** Where the receiver of a webhook is: nowhere, unless the network is the spec's own. */
const receiverUrl = () => around?.receiver.url ?? 'http://receiver.invalid/hook';

async function signedIn(name: string): Promise<void> {
  page = await newPage(browser, complaints);
  await go('/');
  await signInAs(page, name);
}

spec.before(async () => {
  if (missing !== null) return;
  if (isWhole) around = await startExternalServices();
  product = await startProduct(around ? { env: around.env } : {});
  await addUser(product, 'viewer', 'viewer');
  const [node] = await until(async () => (await run(product.cluster.list(clusterNodes))).items, 'there are nodes');
  const addresses = [{ type: 'ExternalIP', address: publicIP }];
  await run(product.cluster.patchStatus(clusterNodes, { name: node?.metadata.name ?? '' }, { addresses }));
  browser = await startBrowser();
  page = await adminPage(browser, product, complaints);
});
spec.after(async () => {
  if (missing !== null) return;
  await endVisit(browser, product);
  around?.stop();
});

test('PLC-005 PLC-049 PLC-050 the page of a domain shows a refusal at its field and the reason of a wait', async () => {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL(address('/settings/domain'));
  await region('State').getByText('NoDomain', { exact: true }).waitFor();
  await region('Address').getByText('no domain').waitFor();
  const field = page.getByLabel('Root domain');
  await field.fill('nodot');
  await button('Save settings').click();
  await page.getByText('rootDomain must be a text such as example.org').waitFor();
  assert.is(await field.getAttribute('aria-invalid'), 'true');
  await until(() => field.evaluate((one) => one === document.activeElement), 'the refused field has the focus');
  assert.is((await settings()).domain.root, '');

  await field.fill(root);
  await button('Save settings').click();
  await region('State').getByText('PendingDNS', { exact: true }).waitFor();
  await region('State').getByText(`core.${root} does not resolve to the public IP of the cluster`).waitFor();
  await region('State').getByText('Next check').waitFor();
  await region('Address').getByText('Times out').waitFor();
  await region('Address').getByText('spec.acmeEmail is not set').waitFor();
  const records = await region('DNS records to create').innerText();
  assert.match(records, new RegExp(String.raw`A\s+core\.${root}\s+${publicIP.replaceAll('.', String.raw`\.`)}`));
  await region('DNS records to create').getByRole('button', { name: 'Copy' }).waitFor();
  await region('Address').getByRole('link', { name: 'State machine of the domain' }).click();
  await page.getByRole('link', { name: 'Open domain' }).waitFor();
  await region('Timeline').getByText('hostResolvedElsewhere').first().waitFor();
});

test('Home shows an unverified domain before any service exists and links to its settings', async () => {
  await go('/');
  const attention = region('Needs attention');
  await attention.getByText(`core.${root} does not resolve`).waitFor();
  await attention.getByRole('button', { name: 'Check now' }).waitFor();
  await attention.getByRole('link', { name: 'Domain' }).click();
  await page.waitForURL(address('/settings/domain'));
});

test('PLC-052 PLC-072 the page of a cluster shows why no certificates are issued until a contact is set', async () => {
  await go('/settings/clusters');
  const cluster = region('Cluster local');
  await cluster.getByText('spec.acmeEmail is not set, so no certificates are issued').waitFor();
  await page.getByLabel('Contact of the certificate issuer').fill('ops@example.org');
  await button('Save settings').click();
  await cluster.getByText('spec.acmeEmail is not set').waitFor({ state: 'detached' });
  await cluster.getByText(publicIP).waitFor();
});

test('PLC-066 a saved registry keeps its password, which is not shown', async () => {
  await go('/settings/registry');
  await page.getByLabel('Repository').fill('registry.example.org/apps');
  await page.getByLabel('User').fill('builder');
  await page.getByLabel('Password').fill('of-the-registry');
  await button('Save registry').click();
  await page.getByText('The login is kept in the Secret platform-registry.').waitFor();
  assert.is(await page.getByLabel('Password').inputValue(), '');
  assert.is(await page.getByLabel('Password').getAttribute('placeholder'), 'unchanged');
  await page.getByLabel('Repository').fill('registry.example.org/others');
  await button('Save registry').click();
  await until(async () => (await settings()).registry.repository === 'registry.example.org/others', 'it is saved');
  assert.ok((await settings()).registry.hasPassword);
});

test('PLC-071 GIT-029 the Git host application is not created until the dashboard has an address', async () => {
  await go('/settings/connectors');
  await region('State').getByText('Absent', { exact: true }).waitFor();
  const application = region('Git host application');
  await application.getByRole('button', { name: 'Create at the Git host' }).click();
  await application.getByText('dashboard URL must be configured first').waitFor();
});

wholly('PLC-060 PLC-061 PLC-069 a DNS provider is connected, refused, corrected and disconnected', async () => {
  await go('/settings/connectors');
  const save = async (token: string) => {
    await page.getByLabel('API token').fill(token);
    await page.getByLabel('Account').fill('account');
    await button('Save credentials').click();
  };
  await save('wrong');
  await region('State').getByText('CredentialsInvalid', { exact: true }).waitFor();
  await save(around?.token ?? '');
  await region('State').getByText('CredentialsInvalid', { exact: true }).waitFor({ state: 'detached' });
  const connection = region('Connection to the DNS provider');
  await connection.getByText('accountId, apiToken').waitFor();
  assert.not.match(await page.content(), new RegExp(around?.token ?? ''));
  await connection.getByRole('button', { name: 'Disconnect' }).click();
  await dialog().getByRole('button', { name: 'Disconnect' }).click();
  await region('State').getByText('Absent', { exact: true }).waitFor();
  assert.is((await settings()).spec['dnsConnected'], false);
});

test('KND-012 KND-014 a server is refused at its field, added, tagged, reserved and removed', async () => {
  await go('/settings/nodes');
  const servers = region('Servers');
  await servers.getByRole('button', { name: 'Manage local-1' }).waitFor();
  await region('Ports of a server').getByText('22/tcp').waitFor();
  await region('How pods run').getByText('they are simulated').waitFor();
  const add = region('Add a server');
  await add.getByLabel('Name').fill('Not a name');
  await add.getByLabel('Address').fill('10.0.0.9');
  await add.getByRole('button', { name: 'Add server' }).click();
  await add.getByText(/^name must be/).waitFor();
  assert.is(await add.getByLabel('Name').getAttribute('aria-invalid'), 'true');
  await add.getByLabel('Name').fill('rack-1');
  await add.getByRole('button', { name: 'Add server' }).click();
  await servers.getByRole('button', { name: 'rack-1', exact: true }).waitFor();
  assert.is(await add.getByLabel('Name').inputValue(), '');
  await servers.getByRole('button', { name: 'Manage local-1' }).click();
  await servers.getByText('The node is ready').waitFor();
  await servers.getByRole('button', { name: 'local-1', exact: true }).click();
  const tags = region('Tags of local-1');
  await tags.getByLabel('Tags').fill('fast disks');
  await tags.getByLabel('Reserved for').fill('slow');
  await tags.getByRole('button', { name: 'Save tags' }).click();
  await tags.getByRole('alert').waitFor();
  await tags.getByLabel('Reserved for').fill('fast');
  await tags.getByRole('button', { name: 'Save tags' }).click();
  await servers.getByText('fast, disks').waitFor();
  await button('Remove local-1').click();
  await dialog().getByLabel('Type local-1 to confirm').fill('local-1');
  await dialog().getByRole('button', { name: 'Remove local-1' }).click();
  await servers.getByRole('button', { name: 'Manage local-1' }).waitFor();
});

test('the command line page has every command with the address of this dashboard', async () => {
  await go('/settings/cli');
  await region('Sign in').getByText(`core login --url ${product.endpoints.dashboard}`).waitFor();
  assert.ok((await page.getByRole('button', { name: /^Copy/ }).count()) >= 4);
});

test('WHK-025 UI-004 a webhook is added with its secret shown once, paused, resumed and rotated', async () => {
  project = (await askJson<Created>(product, 'POST', '/projects', { displayName: 'shop' })).name;
  await go(ofProject('webhooks'));
  await page.getByText('No webhook yet').waitFor();
  const add = region('Add a webhook');
  await add.getByLabel('Address of the receiver').fill('http://10.0.0.1/');
  await add.getByRole('button', { name: 'Add webhook' }).click();
  await add.getByText('webhook URL cannot point at a private network address').waitFor();
  assert.equal(await hooks(), []);
  await add.getByLabel('Address of the receiver').fill(receiverUrl());
  await add.getByRole('button', { name: 'Add webhook' }).click();
  const first = await dialog().getByRole('textbox', { name: 'Secret' }).inputValue();
  assert.match(first, /^whsec_/);
  await page.keyboard.press('Escape');
  assert.is(await dialog().count(), 1, 'only its button closes it');
  await button('I have copied it').click();
  assert.not.match(await page.content(), new RegExp(first));

  const card = region(`Webhook ${receiverUrl()}`);
  await card.getByText('Nothing sent yet').waitFor();
  await card.getByRole('button', { name: 'Change address' }).click();
  const change = async (url: string) => {
    await dialog().getByLabel('Address of the receiver').fill(url);
    await dialog().getByRole('button', { name: 'Save address' }).click();
  };
  await change('http://169.254.0.1/');
  await dialog().getByText('webhook URL cannot point at a private network address').waitFor();
  assert.is(await dialog().getByLabel('Address of the receiver').getAttribute('aria-invalid'), 'true');
  await change('http://moved.invalid/hook');
  await region('Webhook http://moved.invalid/hook').getByRole('button', { name: 'Change address' }).click();
  await change(receiverUrl());
  await card.waitFor();
  await card.getByLabel('A deploy starts').uncheck();
  await card.getByText('a deploy succeeds, a deploy fails').waitFor();
  await card.getByRole('button', { name: 'Pause' }).click();
  await card.getByText('Send test: resume the webhook first.').waitFor();
  assert.ok(await card.getByRole('button', { name: 'Send test' }).isDisabled());
  await card.getByRole('button', { name: 'Resume' }).click();
  await card.getByText('resume the webhook first').waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog().getByRole('button', { name: 'Rotate' }).click();
  await dialog().getByRole('textbox', { name: 'Secret' }).waitFor();
  assert.is.not(await dialog().getByRole('textbox', { name: 'Secret' }).inputValue(), first);
  await button('I have copied it').click();
});

wholly('UI-004 WHK-033 WHK-046 the log shows each attempt, the next one, and a redelivery as it happens', async () => {
  await go(ofProject('webhooks'));
  const card = region(`Webhook ${receiverUrl()}`);
  await card.getByRole('button', { name: 'Send test' }).click();
  await card.getByText('receiver answered HTTP 503').waitFor();
  await card.getByText(/^1 attempt, \d+ m?s$/).waitFor();
  const image = 'registry.example.org/shop/web:1';
  await askJson(product, 'POST', '/apps', { project, environment: 'production', name: 'web', image, deploy: true });
  await card
    .getByText(/^[12] of 3 attempts, next (in|now)/)
    .first()
    .waitFor();
  await card
    .getByText(/^3 attempts, \d+ s$/)
    .first()
    .waitFor();
  if (around) around.receiver.told.answering = status(200);
  await card.getByRole('button', { name: 'Redeliver deployment.succeeded' }).first().click();
  await card.getByText('HTTP 200', { exact: true }).waitFor();
  await card.getByRole('link', { name: 'Delivered' }).click();
  await region('State').getByText('received: HTTP 200', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Open webhooks' }).waitFor();
  await region('Other machines of the object').getByRole('link', { name: 'projectReady' }).click();
  await page.waitForURL(address(`/machines/projectReady/coreprojects:${project}`));
});

test('UI-008 GIT-022 a project is connected to the Git host, shows what pull requests need, and is disconnected', async () => {
  await go(ofProject('pull-requests'));
  const needs = page.getByRole('list', { name: 'What a pull request needs' });
  await needs.getByText('(not so)').first().waitFor();
  assert.is(await needs.getByText('(not so)').count(), 2);
  await page.getByLabel('Make an environment for every pull request').check();
  await page.getByLabel('Most at a time').fill('99');
  await button('Save settings').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Most at a time').fill('2');
  await page.getByLabel('Base environment').selectOption('production');
  await button('Save settings').click();
  await page.getByText('0 of 2 are open').waitFor();
  await go(ofProject('git'));
  await page.getByText('The project is not connected').waitFor();
  await button('Connect to Git host').click();
  await page.getByText('The project is connected').waitFor();
  await go(ofProject('pull-requests'));
  await needs.waitFor();
  await until(async () => (await needs.getByText('(not so)').count()) === 0, 'nothing is missing');
});

wholly('GIT-032 an open pull request is listed with its environment', async () => {
  const hello = { project, environment: 'production', name: 'hello', repository: 'demo/hello', deploy: true };
  await askJson(product, 'POST', '/apps', hello);
  const gitHost = product.endpoints.gitHost ?? '';
  const pushed = pushTwice(gitHost);
  const isReady = async () => (await askJson<Read>(product, 'GET', '/apps/hello')).resource.state === 'ready';
  await until(isReady, 'what is copied is deployed');
  await pushed.openPull();
  await go(ofProject('pull-requests'));
  await page.getByText('1 of 2 are open').waitFor();
  await page.getByRole('link', { name: 'demo/hello #1' }).waitFor();
  await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
});

test('platform pages have no violations of axe, in light and dark, and fit every width', async () => {
  for (const [path, shows] of platformPages(ofProject).filter((_, at) => isChosen(at, 20))) {
    await go(path);
    await page.getByText(shows).first().waitFor();
    assert.equal(await barriersOf(page, [400, 1440]), [], path);
  }
});

/** What nobody but an admin reads. */
const hidden = () => [root, publicIP, new URL(receiverUrl()).host, 'registry.example.org', 'demo/hello'];

wholly('a viewer reads platform conditions and environments, and no address, webhook or repository', async () => {
  const admin = page;
  await signedIn('viewer');
  await region('Needs attention').getByRole('link', { name: 'Domain' }).click();
  await page.waitForURL(address('/machines/dashboardDomainReady/coreplatformconfigs:platform'));
  await region('State').getByText('PendingDNS', { exact: true }).waitFor();
  await region('Timeline').getByText('hostResolvedElsewhere').first().waitFor();
  assert.is(await page.getByRole('link', { name: 'Open domain' }).count(), 0);
  const seen = [await main()];
  for (const [path, shows] of [
    ['/settings/domain', 'You are signed in as viewer'],
    ['/settings/connectors', 'You are signed in as viewer'],
    ['/settings/registry', 'You are signed in as viewer'],
    ['/settings/nodes', 'You are signed in as viewer'],
    [ofProject('webhooks'), 'Hidden from your role'],
    [ofProject('git'), 'Hidden from your role'],
    [ofProject('pull-requests'), 'are open'],
    ['/', 'Needs attention'],
  ] as const) {
    await go(path);
    await page.getByText(shows).first().waitFor();
    seen.push(await main());
    const acting = /save|add|rotate|pause|delete|connect|redeliver|send/i;
    assert.is(await page.locator('main').getByRole('button', { name: acting }).count(), 0, path);
  }
  for (const word of hidden()) assert.not.ok(seen.join('\n').includes(word), word);
  await page.context().close();
  page = admin;
});

test('an observer reads by token what a viewer reads, and is refused the rest', async () => {
  const { token } = await askJson<NewApiToken>(product, 'POST', '/tokens', { name: 'observer', role: 'observer' });
  const ask = async (path: string) => {
    const answer = await fetch(address(`/api/v1${path}`), { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.text()] as const;
  };
  for (const path of ['/settings', `/projects/${project}/webhooks`, '/git/installations'])
    assert.is((await ask(path))[0], 403, path);
  const read = [
    '/machines/dashboardDomainReady/instances',
    '/machines/dashboardDomainReady/instances/coreplatformconfigs:platform/explain',
    '/machines/dashboardDomainReady/instances/coreplatformconfigs:platform/transitions',
    `/projects/${project}`,
    `/projects/${project}/pull-requests`,
    '/machines/webhookDelivery/instances',
  ];
  for (const path of read) {
    const [code, text] = await ask(path);
    assert.is(code, 200, path);
    for (const word of hidden()) assert.not.ok(text.includes(word), `${path}: ${word}`);
  }
});

test('UI-004 GIT-030 a webhook is deleted when its id is typed, and the project is disconnected', async () => {
  await go(ofProject('webhooks'));
  const card = region(`Webhook ${receiverUrl()}`);
  await card.getByRole('button', { name: 'Delete' }).click();
  const [{ id } = { id: '' }] = await hooks();
  assert.ok(
    await dialog()
      .getByRole('button', { name: `Delete ${id}` })
      .isDisabled(),
  );
  await dialog().getByLabel(`Type ${id} to confirm`).fill(id);
  await dialog()
    .getByRole('button', { name: `Delete ${id}` })
    .click();
  await page.getByText('No webhook yet').waitFor();
  await go(ofProject('git'));
  await button('Disconnect').click();
  await dialog().getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('The project is not connected').waitFor();
});

test('the browser reports no unexpected errors on platform pages', () => {
  assert.equal(
    complaints.filter((one) => !/40[0349]/.test(one)),
    [],
  );
});

spec.run();
