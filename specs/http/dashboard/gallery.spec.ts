import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { noBrowser, startBrowser } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { patienceMs, until } from '../../support/until.ts';
import { type Gallery, serveGallery } from './gallery/serve.ts';

const spec = suite('the shared parts in all their states');
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
  'log',
  'empty',
  'table',
  'time',
  'command',
] as const;
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** A folder for pictures of every part, for people who want to look at them. */
const pictures = process.env['CORE_GALLERY_PICTURES'];

let gallery: Gallery;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

spec.before(async () => {
  if (noBrowser !== null) return;
  gallery = await serveGallery();
  browser = await startBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
  });
  page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  page.on('pageerror', (error) => complaints.push(error.message));
});
spec.after(async () => {
  if (noBrowser !== null) return;
  await browser.close();
  gallery.end();
});

const show = async (part: string, rest = '') => {
  await page.goto(`${gallery.url}/?part=${part}${rest}`);
  await page.getByRole('heading', { level: 1, name: part }).waitFor();
};

/** A part stands here more than once, as it never does on a page, so its label need not be unique. */
const rules = { 'label-content-name-mismatch': { enabled: true }, 'landmark-unique': { enabled: false } };

async function findings(): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate((options) => axe.run(options), { runOnly: [...tags], rules });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

for (const part of parts)
  test(`${part} has no barrier that axe knows, light and dark, and fits 400 px`, async () => {
    await show(part);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await findings(), [], colorScheme);
      await picture(`${part}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 400, height: 900 });
    await until(
      () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      `${part} fits`,
      10_000,
    );
    await picture(`${part}-narrow`);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

spec.run();
