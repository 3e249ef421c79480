import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { patienceMs, until } from '../../support/until.ts';
import { type Gallery, serveGallery } from './gallery/serve.ts';

const spec = suite('saving in the dashboard');
const test = unless(spec, noBrowser);

let gallery: Gallery;
let browser: Browser;
let page: Page;

spec.before(async () => {
  if (noBrowser !== null) return;
  gallery = await serveGallery();
  browser = await startBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await browser.close();
  gallery.end();
});

const state = (words: string) => page.locator(`[data-state="${words}"]`);
const show = async (part: string) => {
  await page.goto(`${gallery.url}/?part=${part}`);
  await page.getByRole('heading', { level: 1, name: part }).waitFor();
};

test('a save is announced as checking beside its button until the next read', async () => {
  await show('form');
  const own = state('read again later');
  const said = own.locator('.dialog-end').getByRole('status');
  assert.is(await said.innerText(), '', 'the region exists before its first text');
  await own.getByLabel('Size').fill('2');
  await own.getByRole('button', { name: 'Save settings' }).click();
  await said.getByText('Saved · checking …', { exact: true }).waitFor();
  await own.getByRole('button', { name: 'Read again' }).click();
  await said.getByText('Saved', { exact: true }).waitFor();
  await until(async () => (await said.innerText()) === '', 'the text disappears after a while', 10_000);
});

test('saved variables are announced until the next input', async () => {
  await show('editor');
  const filled = state('filled');
  await filled.getByLabel('Value of GREETING').fill('typed');
  await filled.getByRole('button', { name: 'Save variables' }).click();
  await filled.getByRole('status').getByText('Saved · checking …', { exact: true }).waitFor();
  await filled.getByLabel('Value of GREETING').fill('more');
  await filled.getByText('1 change not saved').waitFor();
  assert.is(await filled.getByText(/^Saved/).count(), 0);
});

test('a new variable row has the focus in its name field, also from the text editor', async () => {
  await show('editor');
  for (const within of [state('empty'), state('filled')]) {
    await within.getByRole('button', { name: 'Add variable' }).click();
    await page.keyboard.type('FIRST');
    assert.is(await within.getByLabel('Name', { exact: true }).last().inputValue(), 'FIRST');
  }
  const filled = state('filled');
  await filled.getByRole('button', { name: 'Edit as text' }).click();
  await filled.getByRole('button', { name: 'Add variable' }).click();
  await page.keyboard.type('SECOND');
  assert.is(await filled.getByLabel('Name', { exact: true }).last().inputValue(), 'SECOND');
});

spec.run();
