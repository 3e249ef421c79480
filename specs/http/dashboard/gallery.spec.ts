import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { axeFindings, everything, isTooWide } from '../../support/axe.ts';
import { noBrowser } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';
import { openGallery, type OpenGallery } from './gallery/open.ts';

const spec = suite('gallery of shared parts');
const test = unless(spec, noBrowser);

const parts = [
  'badge',
  'banner',
  'timeline',
  'diagram',
  'attempts',
  'deletion',
  'changes',
  'secret',
  'editor',
  'form',
  'gate',
  'log',
  'empty',
  'table',
  'rows',
  'time',
  'command',
] as const;
/** A folder for pictures of every part, for people who want to look at them. */
const pictures = process.env['CORE_GALLERY_PICTURES'];

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
/** The address follows a choice once the page has drawn it. */
const addressHas = (words: RegExp) =>
  page.waitForFunction((text) => new RegExp(text).test(location.search), words.source);

/** A part stands here more than once, as it never does on a page, so its label need not be unique. */
const rules = { ...everything, rules: { ...everything.rules, 'landmark-unique': { enabled: false } } };
const findings = () => axeFindings(page, rules);

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: !/^(table|rows)/.test(name) });
}

for (const part of parts)
  test(`${part} has no axe findings in light and dark and fits 400 px`, async () => {
    await show(part);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await findings(), [], colorScheme);
      await picture(`${part}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 400, height: 900 });
    await until(async () => !(await isTooWide(page)), `${part} fits`, 10_000);
    await picture(`${part}-narrow`);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

test('a time shows its largest unit, and the full time with zone on hover and focus until Esc', async () => {
  await show('time');
  const time = state('hours').locator('time');
  assert.is(await time.innerText(), '4 h');
  assert.match(await state('counting down').locator('time').innerText(), /^in 3 min \d+ s$/);
  await time.focus();
  assert.match(await page.locator('.tip').innerText(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+5:30$/);
  await page.keyboard.press('Escape');
  assert.is(await page.locator('.tip').count(), 0);
  await state('ago').locator('time').hover();
  assert.match(await page.locator('.tip').innerText(), /UTC\+5:30$/);
  const shown = () => state('under a minute').innerText();
  const before = await shown();
  await until(async () => (await shown()) !== before, 'seconds tick');
  assert.is(await time.innerText(), '4 h');
});

test('Why? lists rules with links to their rows, and facts as labels and values', async () => {
  await show('banner');
  const first = state('failed, with a hint and why');
  await first.getByText('Why? 3 rules').click();
  const facts = await first.locator('.facts').innerText();
  for (const line of [/Wait for ci\s+yes/, /Job\s+present/, /Job, failed pods\s+2/, /Checks\s+lint completed success/])
    assert.match(facts, line);
  assert.not.match(facts, /[{}"]/);
  assert.is(await first.getByRole('link', { name: 'BLD-158' }).getAttribute('href'), '/machines/build#BLD-158');
  await seen('failed, with a hint and why', 'Permit the Git host connection to read the repository.');
  await seen('an attempt, a deadline, nothing behind it', 'Attempt 2 of 5');
});

test('a timeline groups moves within a second, filters by the machine in the address and is exported', async () => {
  await show('timeline');
  const whole = state('moves of two machines');
  assert.equal([await whole.locator('.moment').count(), await whole.locator('.move').count()], [4, 5]);
  assert.is(await whole.locator('.dot svg').count(), 5);
  assert.is(
    await whole.getByText('outside the table').count(),
    1,
    'a move with a row is in the table, whoever caused it',
  );
  await whole.getByLabel('Machine').selectOption('draftDeploy');
  await addressHas(/machine=draftDeploy/);
  assert.is(await whole.locator('.move').count(), 1);
  assert.is(await whole.getByText('History as JSON').getAttribute('download'), 'hello-history.json');
  await page.goto(`${opened.gallery.url}/?part=timeline#move-3`);
  await page.locator('#move-3.aimed').waitFor();
});

test('a diagram is drawn when scrolled into view, marks the event and is a list on a narrow screen', async () => {
  await show('diagram');
  const far = state('of one instance');
  await state('with counts').locator('svg[role="group"]').waitFor();
  assert.is(await far.locator('svg').count(), 0);
  await far.scrollIntoViewIfNeeded();
  await far.locator('svg[role="group"]').waitFor();
  assert.ok((await far.locator('.arrow-taken').allTextContents()).includes('jobCreated'));
  assert.ok((await far.locator('.arrow-label:not(.arrow-taken)').count()) > 0);
  assert.is(await state('narrow').locator('svg[role="group"]').count(), 0);
  assert.ok((await state('narrow').locator('.arrow-list b').allTextContents()).includes('jobCreated'));
});

test('attempts show eight entries with twelve errors, the newest open and equal errors counted', async () => {
  await show('attempts');
  const list = state('more than are kept');
  assert.is(await list.locator('details').count(), 8);
  assert.is(await list.locator('details[open]').count(), 1);
  await seen('more than are kept', '12 errors');
  await seen('more than are kept', '7 times');
});

test('a deletion requires the typed name, preselects nothing and shows the refusal of the server', async () => {
  await show('deletion');
  await page.getByRole('button', { name: 'Delete orders' }).click();
  const dialog = page.getByRole('dialog');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Cancel');
  for (const text of [
    '7 logical databases: one, two, three, four, five and 2 more',
    'Used by web, api.',
    'Last backup: 1 h ago',
  ])
    await dialog.getByText(text).waitFor();
  assert.equal(await findings(), []);
  const option = dialog.getByLabel('Delete its backups too');
  assert.not(await option.isChecked());
  const button = dialog.getByRole('button', { name: 'Delete orders' });
  assert.ok(await button.isDisabled());
  await option.check();
  await dialog.getByLabel('Type orders to confirm').fill('orders');
  await picture('deletion-open');
  await button.click();
  await dialog.getByText('web still uses it').waitFor();
  assert.equal(opened.gallery.sent.at(-1)?.body, { options: ['backups'] });
  await page.keyboard.press('Escape');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Delete orders');
});

test('pending changes show old and new values, disappear with a deploy and are discarded except secrets', async () => {
  await show('changes');
  const starts = state('a deploy that starts');
  await starts.getByText('Review').click();
  const table = await starts.getByRole('table').innerText();
  assert.match(table, /port\s+80\s+8080/);
  assert.match(table, /KEY\s+Secret: its value is never shown/);
  await starts.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByText('1 other change stays.').waitFor();
  await page.getByRole('button', { name: 'Discard 2 changes' }).click();
  await until(() => opened.gallery.sent.some(({ path }) => path.endsWith('config/set')), 'the variable is put back');
  assert.equal(opened.gallery.sent.slice(-2), [
    { method: 'PATCH', path: '/api/v1/apps/web', body: { port: 80 } },
    { method: 'POST', path: '/api/v1/apps/web/config/set', body: { key: 'GREETING', value: 'hi' } },
  ]);
  await seen('a deploy that starts', '1 variable not deployed');
  await starts.getByRole('button', { name: 'Deploy changes' }).click();
  await starts.getByRole('button').first().waitFor({ state: 'detached' });
  await state('a deploy that is refused').getByRole('button', { name: 'Deploy changes' }).click();
  await seen('a deploy that is refused', 'there is no room for 2 copies');
});

test('a secret dialog is closed only by its button, not by Esc or an outside click', async () => {
  await show('secret');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  assert.ok(await dialog.isVisible());
  assert.equal(await findings(), []);
  await picture('secret-open');
  await dialog.getByRole('button', { name: 'Copy the token' }).click();
  await dialog.getByText('Copied', { exact: true }).waitFor();
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), 'gsw_abcdefghij_0123456789');
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  assert.is(await dialog.count(), 0);
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Create token');
});

test('a log is paused without loss, filtered by level and text, and linked to lines and first error', async () => {
  await show('log');
  const live = state('live');
  await live.getByText('begun').waitFor();
  await live.getByRole('button', { name: 'Pause' }).click();
  opened.gallery.writeLog(Array.from({ length: 12 }, (_, index) => `line ${index + 2}`));
  await live.getByRole('button', { name: '12 new lines' }).click();
  await live.getByText('line 13').waitFor();
  const done = state('finished');
  assert.is(await done.getByRole('button', { name: 'Pause' }).count(), 0);
  await done.getByLabel('Level').selectOption('warn');
  await seen('finished', '2 of 5 lines');
  await done.getByLabel('Search the log').fill('MODULE');
  assert.is(await done.locator('mark').innerText(), 'module');
  await done.getByRole('button', { name: 'Copy the lines shown' }).click();
  await done.getByText('Copied').waitFor();
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), 'error: no module named x');
  await done.getByRole('button', { name: 'First error' }).click();
  await done.getByRole('button', { name: 'Wrap' }).click();
  assert.is(await done.locator('.log-wrap').count(), 1);
  await done.getByRole('link', { name: 'Link to line 4' }).click();
  assert.is(await page.evaluate(() => location.hash), '#L4');
  await done.locator('#L4.aimed').waitFor();
  await seen('gone', 'The log is gone since 12:04:31');
});

test('a list of thousands renders few rows and stores its filter and order in the address', async () => {
  await show('table');
  const list = page.getByRole('grid');
  assert.ok((await list.locator('.grid-row').count()) < 120);
  await seen('five thousand', '5,000 of 5,000');
  await page.getByRole('link', { name: /^Failed\s+1,250/ }).click();
  await page.getByLabel('Retrying').check();
  await page.getByLabel('Stuck longer than').fill('1h');
  await page.getByRole('searchbox', { name: 'Filter' }).fill('build-01');
  await page.getByLabel('Kind').selectOption('service');
  await addressHas(/kind=service/);
  assert.is(await search(), '?state=Failed&retrying=true&stuck=3600&q=build-01&kind=service&part=table');
  await seen('five thousand', '0 of 5,000');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Name' }).click();
  await addressHas(/sort=name/);
  assert.match(await list.locator('.grid-row').first().innerText(), /^build-0000\s+Running\s+paused/);
  assert.match(await list.locator('.grid-row').nth(2).innerText(), /Failed\s+retrying 3/);
});

test('rows keep their places while the list has focus, and Enter opens one', async () => {
  await show('table', '&sort=-since');
  const rows = page.getByRole('grid').locator('.grid-row');
  const firstRow = () => page.locator('.grid-row[aria-rowindex="2"] .name').innerText();
  assert.is(await firstRow(), 'build-4999');
  await page.getByRole('grid').focus();
  await page.evaluate(() =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Move a hundred')?.click(),
  );
  await page.getByRole('button', { name: 'Since' }).waitFor();
  assert.is(await firstRow(), 'build-4999');
  await page.goto(`${opened.gallery.url}/?part=table`);
  await rows.first().waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/machines/build/corebuilds:build-4999');
});

test('the arrow-down key moves from a filter to the first visible row, and Enter opens the row', async () => {
  await show('table');
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.getByRole('searchbox', { name: 'Filter' }).focus();
  await page.keyboard.type('build-01');
  await seen('five thousand', '100 of 5,000');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.locator('.grid-row[data-active="true"]').innerText(), /^build-0100/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/machines/build/corebuilds:build-100');
  await show('log');
  await state('finished').getByLabel('Search the log').focus();
  await page.keyboard.press('ArrowDown');
  await state('finished').locator('[role="log"]:focus').waitFor();
});

test('a command is copied exactly, with the core command first', async () => {
  await show('command');
  const both = state('both');
  assert.match(await both.innerText(), /core status web[\s\S]*kubectl get coreapp web/);
  await both.getByRole('button', { name: 'Copy the same', exact: true }).click();
  await both.getByText('Copied').waitFor();
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), 'core status web');
});

test('a viewer sees the shared parts without changing controls', async () => {
  await show('editor', '&viewer=');
  assert.is(await page.getByRole('button', { name: 'Save variables' }).count(), 0);
  await seen('filled', 'You have read-only access.');
  await show('changes', '&viewer=');
  assert.is(await page.getByRole('button', { name: 'Deploy changes' }).count(), 0);
});

test('the browser reports no error in the gallery', () => assert.equal(opened.complaints, []));

spec.run();
