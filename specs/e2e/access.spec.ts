import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Items, Summary } from '../../http/api.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { askJson } from '../support/askJson.ts';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { password, type Product, root, run, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { patienceMs, until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';
import { addUser, endVisit, newPage } from '../support/visitor.ts';

const spec = suite('access in a browser');
const test = unless(spec, noBrowser);

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

const address = (path: string) => new URL(path, product.endpoints.dashboard ?? '').href;
const main = () => page.locator('main').innerText();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
/** A page moves the focus once it has drawn what is to have it. */
const hasFocus = (part: Locator) =>
  until(() => part.evaluate((one) => one === document.activeElement), `the focus is on ${String(part)}`);
const isLive = () => page.getByRole('status').getByText('Live').waitFor();

async function openPage(): Promise<void> {
  page = await newPage(browser, complaints);
  context = page.context();
  context.setDefaultTimeout(patienceMs);
}

async function signIn(username: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

const post = async (path: string, body: object) => {
  const answer = await fetch(address(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
};
const me = async (token: string) => {
  const answer = await fetch(address('/api/v1/me'), { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
};
const projectOf = async (called: string) => {
  const { items } = await askJson<Items<Summary>>(product, 'GET', '/projects');
  return items.find(({ displayName }) => displayName === called)?.name;
};
const startDevice = async () => (await post('/api/v1/auth/device', { client_name: 'a terminal' })).body;

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct();
  await addUser(product, 'viewer', 'viewer');
  await run(product.cluster.create(builds, userBuild('seen', { app: 'seen' })));
  for (const displayName of ['Shop', 'Ledger']) await askJson(product, 'POST', '/projects', { displayName });
  browser = await startBrowser();
  await openPage();
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('SEC-011 a wrong password is reported as by the API, and the password field gets the focus', async () => {
  await page.goto(address('/device?code=BCDF-GHJK'));
  assert.is(await page.getByLabel('User name').getAttribute('autocomplete'), 'username');
  assert.is(await page.getByLabel('Password').getAttribute('autocomplete'), 'current-password');
  await hasFocus(page.getByLabel('User name'));
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  await page.keyboard.type('not it');
  await button('Sign in').click();
  await page.getByRole('alert').getByText('the username or the password is wrong').waitFor();
  await hasFocus(page.getByLabel('Password'));
});

test('signing in returns to the requested page with its code', async () => {
  await signIn('admin');
  await page.getByText('No pending sign-in has this code').waitFor();
  await page.waitForURL(address('/device?code=BCDF-GHJK'));
});

test('signing in leads to the first page when the return address is external', async () => {
  for (const to of ['//elsewhere.example/x', 'https://elsewhere.example/', '/\\elsewhere.example'])
    await page.goto(address(`/sign-in?to=${encodeURIComponent(to)}`)).then(() => page.waitForURL(address('/')));
  await page.goto(address('/sign-in?to=%2Fsettings%2Ftokens'));
  await page.waitForURL(address('/settings/tokens'));
});

let token = '';

test('AUT-026 a token is created by keyboard, and its secret is shown once', async () => {
  await page.getByText('No token yet').waitFor();
  await button('Create a token').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await hasFocus(page.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('nightly report');
  await page.getByRole('radio', { name: 'read-only', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Expires').selectOption({ label: '30 days' });
  await page.keyboard.press('Enter');
  await page.getByText('Shown only once').waitFor();
  token = await page.getByLabel('Token', { exact: true }).inputValue();
  assert.match(token, /^gsw_[a-z2-7]{10}_[a-z2-7]{32}$/);
  await page.keyboard.press('Escape');
  assert.ok(await page.getByLabel('Token', { exact: true }).isVisible(), 'Esc does not lose it');
  await button('I have copied it').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: 'nightly report' }).waitFor();
  await hasFocus(button('Create a token'));
  assert.not.match(await page.content(), token);
  await page.reload();
  await page.getByRole('rowheader', { name: 'nightly report' }).waitFor();
  assert.not.match(await page.content(), token);
});

test('the list of tokens shows role, creator, expiry and last use', async () => {
  const row = page.getByRole('row', { name: /nightly report/ });
  assert.match(await row.innerText(), /read-only\s+\d{4}-\d\d-\d\d\s+by admin\s+\d{4}-\d\d-\d\d\s+never/);
  const { status, body } = await me(token);
  assert.is(status, 200);
  assert.is(body['username'], 'token:nightly report');
  assert.is(body['role'], 'viewer');
});

test('a project token needs an existing environment, and a refused form keeps its input', async () => {
  await button('Create a token').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('deploys');
  await page.getByRole('radio', { name: 'project token' }).check();
  const places = page.getByRole('dialog').locator('select[name="project"]');
  const options = async () => (await places.getByRole('option').allInnerTexts()).map((text) => text.split(' (')[0]);
  await places.waitFor();
  assert.equal(await options(), ['ledger', 'shop']);
  await places.selectOption({ index: 1 });
  await page.getByLabel('Environment').selectOption('production');
  await page.route('**/api/v1/tokens', (route) =>
    route.fulfill({ status: 409, json: { error: 'it is being deleted' } }),
  );
  await button('Create').click();
  await page.getByRole('dialog').getByRole('alert').getByText('it is being deleted').waitFor();
  assert.is(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'deploys');
  await page.unroute('**/api/v1/tokens');
  await button('Create').click();
  await page.getByText(`Access: project token for ${await projectOf('shop')}/production.`).waitFor();
  await button('I have copied it').click();
  await button('Revoke deploys').click();
  await button('Revoke').click();
  await page.getByText('deploys is revoked').waitFor();
});

test('UI-032 AUT-028 AUT-095 a token that is revoked on the page is refused at once', async () => {
  await button('Revoke nightly report').click();
  await button('Cancel').click();
  assert.is((await me(token)).status, 200);
  await button('Revoke nightly report').click();
  await button('Revoke').click();
  await page.getByText('nightly report is revoked').waitFor();
  assert.is((await me(token)).status, 401);
  await page.getByText('No token yet').waitFor();
});

test('DEV-006 DEV-008 DEV-011 a sign-in is reviewed and approved; its client receives the token', async () => {
  const { user_code, device_code, verification_uri_complete } = await startDevice();
  assert.is(verification_uri_complete, address(`/device?code=${user_code ?? ''}`));
  await page.goto(verification_uri_complete ?? '');
  await button(`Approve ${user_code ?? ''}`).waitFor();
  const shown = await main();
  for (const said of [user_code ?? '', 'a terminal', '127.0.0.1', 'Whoever holds this code receives the token'])
    assert.ok(shown.includes(said), `the page says ${said}`);
  assert.match(shown, /Expires\s+in (9 min|10 min)/);
  assert.ok(await page.getByRole('radio', { name: 'read-only, with logs' }).isChecked());
  assert.ok(await page.getByRole('radio', { name: '7 days' }).isChecked());
  await page.getByRole('radio', { name: '30 days' }).check();
  await button(`Approve ${user_code ?? ''}`).click();
  await page.getByText('The client fetches its token').waitFor();
  const { status, body } = await post('/api/v1/auth/token', { device_code });
  assert.is(status, 200);
  const who = await me(body['access_token'] ?? '');
  assert.is(who.body['role'], 'observer');
  const days = (Date.parse(String(who.body['expiresAt'])) - Date.now()) / 86_400_000;
  assert.ok(days > 29 && days <= 30, `${days} days`);
});

test('DEV-033 an admin who decides too late sees the earlier decision', async () => {
  const { user_code: code = '' } = await startDevice();
  await page.goto(address('/device'));
  await page.getByLabel('Code', { exact: true }).fill(code.toLowerCase().replace('-', ' '));
  await page.keyboard.press('Enter');
  await button('Refuse').waitFor();
  await page.waitForURL(address(`/device?code=${code}`));
  const elsewhere = await product.api('/api/v1/auth/device/approve', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, access: 'viewer', days: 7 }),
  });
  assert.is(elsewhere.status, 200);
  await button('Refuse').click();
  await page.getByRole('alert').waitFor();
  await page.getByText('The client fetches its token').waitFor();
  assert.is(await button('Refuse').count(), 0);
});

test('DEV-023 a sign-in that is refused on the page is denied to its client', async () => {
  const { user_code: code = '', device_code } = await startDevice();
  await page.goto(address(`/device?code=${code}`));
  await button('Refuse').click();
  await page.getByText('The client is told that access is denied').waitFor();
  assert.equal(await post('/api/v1/auth/token', { device_code }), { status: 400, body: { error: 'access_denied' } });
});

/** Signs in by the command line; what it says holds the code that the page is asked with. */
async function signInByCommand(home: string) {
  const run = (...words: readonly string[]) =>
    spawn(process.execPath, [join(root, 'dist/core.js'), ...words], {
      env: { PATH: process.env['PATH'], HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const told = (child: ChildProcess) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()));
    return async () => [(await once(child, 'close'))[0] as number, said] as const;
  };
  const login = run('login', '--url', address('/'));
  const ended = told(login);
  let link = '';
  login.stderr?.on('data', (text: Buffer) => (link += text.toString()));
  const page = await until(() => /\S+\/device\?code=\S+/.exec(link)?.[0], 'the page is told');
  return { page, ended: ended(), whoami: () => told(run('whoami'))() };
}

test('DEV-027 CLI-020 the command line signs in through the page that it prints, and stays signed out when the user denies it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'core-home-'));
  const refused = await signInByCommand(home);
  await page.goto(refused.page);
  await button('Refuse').click();
  const [exit, said] = await refused.ended;
  assert.is(exit, 4, said);
  assert.is((await refused.whoami())[0], 4);
  const approved = await signInByCommand(home);
  await page.goto(approved.page);
  await page.getByRole('radio', { name: 'read-only, with logs' }).waitFor();
  await button(/^Approve /).click();
  const [ok, text] = await approved.ended;
  assert.is(ok, 0, text);
  assert.match((await approved.whoami())[1], /^token:core on .* at http.*\naccess: .*\ncan change things: no\n/);
  rmSync(home, { recursive: true });
});

test('AUT-014 AUT-101 signing out announces the end of every session and ends them', async () => {
  await page.goto(address('/'));
  await isLive();
  const other = await context.newPage();
  await other.goto(address('/apps'));
  await button(/^admin/).click();
  await page.getByRole('dialog').getByText('Signing out ends every session of admin').waitFor();
  await button('Sign out everywhere').click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await other.close();
});

test('DEV-015 a viewer sees a read-only note and no log, tokens, codes or actions', async () => {
  await page.goto(address('/'));
  await signIn('viewer');
  await button('viewer read-only').waitFor();
  assert.is(await page.getByRole('link', { name: 'Settings' }).count(), 0);
  for (const path of ['/device?code=BCDF-GHJK', '/settings/tokens']) {
    await page.goto(address(path));
    await page.getByText('Only admins can').waitFor();
    assert.is(await page.locator('main').getByRole('button').count(), 0);
  }
});

test('AUT-031 AUT-033 AUT-035 build pages show a viewer which facts are hidden, and offer no log', async () => {
  await page.goto(address('/builds/seen'));
  await page.getByRole('heading', { name: 'seen' }).waitFor();
  await page.getByRole('region', { name: 'Facts' }).getByText('hidden from your role').first().waitFor();
  const facts = await page.getByRole('region', { name: 'Facts' }).innerText();
  for (const hidden of ['Repository', 'Image', 'Log']) assert.match(facts, `${hidden}\nHidden from your role`);
  assert.equal(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allInnerTexts(), [
    'Overview',
    'JSON',
  ]);
  await page.getByText('You have read-only access.').waitFor();
  for (const action of ['Check now', 'Rebuild', 'Cancel build']) assert.is(await button(action).count(), 0, action);
  await page.goto(address('/builds/seen?view=log'));
  await page.getByText('Your role reads no logs').waitFor();
  await page.goto(address('/machines/build'));
  await page.getByRole('link', { name: 'seen' }).waitFor();
});

test('the browser reports no unexpected errors on access pages', () => {
  const expected = /status of (400|401|404|409)/;
  assert.equal(
    complaints.filter((one) => !expected.test(one)),
    [],
  );
});

spec.run();
