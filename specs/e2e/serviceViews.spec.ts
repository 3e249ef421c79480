import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser } from '../support/browser.ts';
import { type Product, startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { adminPage, endVisit } from '../support/visitor.ts';

const spec = suite('consoles, logs and metrics of a service in a browser');
const test = unless(spec, noBrowser ?? (existsSync('/bin/bash') ? null : 'there is no bash'));

let product: Product;
let browser: Browser;
let page: Page;
const region = (name: string) => page.getByRole('region', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const view = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
const screen = () => page.locator('.xterm-rows');
const shows = (text: RegExp) =>
  until(async () => text.test((await screen().innerText()).replaceAll(' ', ' ')), `the terminal shows ${text}`);

async function send(path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await product.api(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return (JSON.parse(text) as { readonly name: string }).name;
}

spec.before(async () => {
  if (noBrowser !== null) return;
  product = await startProduct({ env: { CORE_EXEC: 'local', CORE_PROMETHEUS_URL: 'http://127.0.0.1:1' } });
  browser = await startBrowser();
  const project = await send('/projects', { displayName: 'Shop' });
  const service = { project, environment: 'production', name: 'web', image: 'registry.example/web:1', deploy: true };
  await send('/apps', service);
  page = await adminPage(browser, product);
  await page.goto(new URL('/services/web?view=console', product.endpoints.dashboard ?? '').href);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await endVisit(browser, product);
});

test('CON-021 a shell opens in a running copy, survives a change of tab and reports its end', async () => {
  await region('Open a console').getByText('kubectl exec -it').waitFor();
  assert.is(await page.getByRole('textbox', { name: 'Command' }).inputValue(), 'sh');
  await button('Connect').click();
  const terminal = region('Terminal');
  await terminal.getByText('Connected', { exact: true }).waitFor();
  await page.keyboard.type('echo sum $((40 + 2))\n');
  await shows(/^sum 42/m);
  await view('Deployments').click();
  await region('Deployments').waitFor();
  await view('Console').click();
  await shows(/^sum 42/m);
  await page.keyboard.type('exit 3\n');
  await terminal.getByText('The command ended with exit code 3.').waitFor();
  const sessions = region('Console sessions');
  await sessions.getByText('Closed', { exact: true }).waitFor();
  await sessions.getByText('admin', { exact: true }).waitFor();
});

test('CON-043 Connect opens a new session after the end, and the keyboard leaves the terminal', async () => {
  const terminal = region('Terminal');
  await terminal.getByRole('button', { name: 'Connect' }).click();
  await terminal.getByText('Connected', { exact: true }).waitFor();
  await page.keyboard.type('echo again\n');
  await shows(/^again/m);
  await page.keyboard.press('Control+Shift+Escape');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Disconnect');
  await page.keyboard.press('Enter');
  await terminal.getByText('Ended', { exact: true }).waitFor();
});

test('the log of all copies is followed, and that of one copy at its address', async () => {
  await view('Logs').click();
  const log = region('Log');
  await log
    .getByText(/Started/)
    .first()
    .waitFor();
  await log.getByText(/^Live, /).waitFor();
  const choice = log.getByRole('combobox', { name: /^Copy/ });
  const [, pod = ''] = await choice.locator('option').allInnerTexts();
  await choice.selectOption(pod);
  await page.waitForURL(new RegExp(`pod=${pod}`));
  await page.getByRole('log', { name: `Log of ${pod}` }).waitFor();
});

test('the metrics page reports a missing metrics store', async () => {
  await view('Metrics').click();
  await region('Metrics').getByText('No metrics yet').waitFor();
  await region('Metrics')
    .getByText(/^There is no store of metrics: nobody answers/)
    .waitFor();
});

spec.run();
