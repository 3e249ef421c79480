import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { noBrowser } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';
import { openGallery, type OpenGallery } from './gallery/open.ts';

const spec = suite('gallery of editors and forms');
const test = unless(spec, noBrowser);

let opened: OpenGallery;
let page: Page;
spec.before(async () => {
  if (noBrowser !== null) return;
  opened = await openGallery();
  page = opened.page;
});
spec.after(() => (noBrowser === null ? opened.close() : undefined));

const state = (words: string) => opened.state(words);
const search = () => opened.search();
const show = (part: string, rest = '') => opened.show(part, rest);
const seen = (words: string, text: string) => opened.seen(words, text);

test('an unchanged editor shows the last of two changes that arrived before a render', async () => {
  await show('editor');
  const filled = state('filled');
  await filled.getByRole('button', { name: 'Change elsewhere' }).evaluate(async (button: HTMLButtonElement) => {
    button.click();
    for (let rendering = 0; rendering < 5; rendering++) await Promise.resolve();
    button.click();
  });
  const value = () => filled.getByLabel('Value of GREETING').inputValue();
  await until(async () => (await value()) === 'and once more', 'the last is shown', 10_000);
});

test('an editor counts unsaved changes, offers changes from elsewhere and asks before leaving', async () => {
  await show('editor');
  const filled = state('filled');
  await filled.getByLabel('Value of GREETING').fill('typed');
  await seen('filled', '1 change not saved');
  await filled.getByRole('button', { name: 'Change elsewhere' }).click();
  await seen('filled', 'The variables were changed elsewhere.');
  assert.is(await filled.getByLabel('Value of GREETING').inputValue(), 'typed');
  page.once('dialog', (asked) => void asked.dismiss());
  await filled.getByRole('link', { name: 'Leave' }).click();
  assert.match(await search(), /part=editor/);
  await filled.getByRole('button', { name: 'Cancel' }).click();
  assert.is(await filled.getByLabel('Value of GREETING').inputValue(), 'from elsewhere');
  await filled.getByRole('button', { name: 'Paste .env' }).click();
  await page.getByRole('dialog').getByLabel('Lines such as NAME=value').fill('A=1\nB="two words"\n# no');
  await page.getByRole('button', { name: 'Take 2 variables' }).click();
  await seen('filled', '2 changes not saved');
  await filled.getByRole('button', { name: 'Edit as text' }).click();
  const text = filled.getByLabel('Lines such as NAME=value');
  assert.is(await text.inputValue(), `GREETING='from elsewhere'\nA=1\nB='two words'`);
  await text.fill('A=2');
  await filled.getByRole('button', { name: 'Edit as text' }).click();
  assert.is(await filled.getByLabel('Value of A').inputValue(), '2');
  await filled.getByRole('button', { name: 'Keep GREETING' }).waitFor();
  await filled.getByRole('button', { name: 'Save variables' }).click();
  await until(() => opened.gallery.sent.some(({ path }) => path.endsWith('config/delete')), 'the removed one is sent');
  assert.match(await filled.locator('.locked').innerText(), /DATABASE_URL\s+secret\s+database orders/);
});

test('a pasted multi-line key is one value, and invalid lines are named and left out', async () => {
  await show('editor');
  const own = state('filled');
  const key = '-----BEGIN PRIVATE KEY-----\nMIIE\nQmFzZTY0=\n-----END PRIVATE KEY-----';
  await own.getByRole('button', { name: 'Paste .env' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Lines such as NAME=value').fill(`KEY="${key}"\nspring.datasource.url=x\nOPEN="y`);
  await dialog.getByText('line 5: "spring.datasource.url" is no name').waitFor();
  await dialog.getByText('line 6: the quote of "OPEN" is not closed, and nothing after it is read').waitFor();
  await dialog.getByRole('button', { name: 'Take 1 variable, leave out 2' }).click();
  const value = own.getByLabel('Value of KEY');
  await value.pressSequentially('!');
  assert.is(await value.inputValue(), `${key}!`, 'the lines stay when it is edited');
});

test('a text with an error cannot be saved and changes no row', async () => {
  await show('editor');
  const own = state('filled');
  await own.getByRole('button', { name: 'Edit as text' }).click();
  const text = own.getByLabel('Lines such as NAME=value');
  const before = await text.inputValue();
  await text.fill('GREET');
  await own.getByText('line 1: "GREET" has no value').waitFor();
  for (const name of ['Save variables', 'Edit as text', 'Paste .env', 'Add variable'])
    assert.ok(await own.getByRole('button', { name, exact: true }).isDisabled(), name);
  await own.getByRole('button', { name: 'Cancel' }).click();
  assert.is(await text.inputValue(), before);
  await text.fill(`${before}\nA="x\ny"`);
  assert.ok(await own.getByRole('button', { name: 'Save variables' }).isEnabled());
});

test('a form keeps values entered between a save and the next read', async () => {
  await show('form');
  const own = state('read again later');
  const save = own.getByRole('button', { name: 'Save settings' });
  const values = async () => [await own.getByLabel('Size').inputValue(), await own.getByLabel('CPU').inputValue()];
  await own.getByLabel('Size').fill('2');
  await own.getByLabel('CPU').fill('4');
  await save.click();
  await own.locator('button:disabled', { hasText: 'Save settings' }).waitFor();
  assert.equal(await values(), ['2', '4'], 'the saved values stay visible');
  await own.getByLabel('Size').fill('3');
  await own.getByRole('button', { name: 'Read again' }).click();
  await until(async () => (await values()).join() === '3,4.0', 'the saved values arrive beside the input');
  assert.is(await own.getByText('Changed elsewhere').count(), 0);
  await own.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await values(), ['2', '4.0']);
});

test('KND-029 a service deployed on every change asks before a restart and saves only after confirmation', async () => {
  await show('gate');
  const own = state('deployed on every change');
  const dialog = page.getByRole('dialog', { name: 'Restart web?' });
  const before = opened.gallery.sent.length;
  const patches = () => opened.gallery.sent.length - before;
  const save = own.getByRole('button', { name: 'Save settings' });
  await own.getByLabel('Port', { exact: true }).fill('4000');
  await save.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal([patches(), await own.getByLabel('Port', { exact: true }).inputValue()], [0, '4000']);
  await save.click();
  await dialog.getByRole('button', { name: 'Save and restart' }).click();
  await until(() => patches() === 1, 'the answered question saves');
  await own.getByLabel('Copies', { exact: true }).fill('3');
  await save.click();
  await until(() => patches() === 2, 'copies ask nothing');
  const waiting = state('deployed by a deploy').getByRole('region', { name: 'On next deploy' });
  await waiting.getByLabel('Port').fill('4000');
  await waiting.getByRole('button', { name: 'Save settings' }).click();
  await until(() => patches() === 3, 'a waiting change is saved without a question');
  const editor = state('variables that are deployed on every change');
  await editor
    .getByRole('textbox', { name: /^Value/ })
    .first()
    .fill('changed');
  await editor.getByRole('button', { name: 'Save variables' }).click();
  await dialog.waitFor();
});

test('the browser reports no error in the editors', () => assert.equal(opened.complaints, []));

spec.run();
