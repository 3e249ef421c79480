import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { rowHeights } from '../../../http/dashboard/components/table/rowHeights.ts';
import { renderedRows, rowSlots } from '../../../http/dashboard/components/table/rowSlots.ts';
import { noBrowser } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';
import { openGallery, type OpenGallery } from './gallery/open.ts';

const spec = suite('the rows of a long table');
const test = unless(spec, noBrowser);

/** The most rows of ten thousand that a window may render. */
const mostRows = 60;

spec('those in the window are rendered, with a few to spare, however high each of them is', () => {
  const heights = [100, 20, 20, 20, 300, ...Array.from({ length: 95 }, () => 40)];
  const seen = (top: number, over = {}) =>
    renderedRows({ top, height: 400, heights, rendered: { from: 0, to: 0 }, ...over });
  assert.equal(seen(0), { from: 0, to: 13 }, 'the fifth ends below the window');
  assert.equal(seen(-470), { from: 0, to: 24 }, 'from the sixth on');
  assert.equal(seen(-3860), { from: 82, to: 100 }, 'the last ones');
  assert.equal(seen(5000), { from: 0, to: 9 }, 'a table below the window');
  assert.equal(seen(-9000), { from: 91, to: 100 }, 'a table above the window');
  assert.equal(seen(0, { heights: [] }), { from: 0, to: 0 });
});

spec('rendered rows stay until fewer than two are left beyond an edge', () => {
  const heights = Array.from({ length: 100 }, () => 40);
  const at = (top: number, rendered = { from: 12, to: 38 }) => renderedRows({ top, height: 390, heights, rendered });
  assert.equal(at(-800), { from: 12, to: 38 });
  assert.equal(at(-560), { from: 12, to: 38 });
  assert.equal(at(-520), { from: 5, to: 31 });
  assert.equal(at(-1040), { from: 12, to: 38 });
  assert.equal(at(-1080), { from: 19, to: 45 });
  assert.equal(at(-3700, { from: 80, to: 120 }), { from: 84, to: 100 }, 'there are fewer rows than before');
});

spec(
  'at each place of ten thousand rows no more than sixty are rendered, and their heights and the spaces add up',
  () => {
    const heights = Array.from({ length: 10_000 }, (_, index) => 29 + (index < 5000 ? 0 : (index % 4) * 20));
    const whole = heights.reduce((sum, height) => sum + height, 0);
    let range = { from: 0, to: 40 };
    for (let top = 0; top > -whole; top -= 9_973) {
      range = renderedRows({ top, height: 1080, heights, rendered: range });
      const slots = rowSlots({ range, kept: [-1, 4321], heights });
      assert.ok(slots.length <= mostRows, `${slots.length} at ${top}`);
      const sum = slots.reduce((all, slot) => all + ('space' in slot ? slot.space : (heights[slot.index] ?? 0)), 0);
      assert.is(sum, whole);
    }
  },
);

spec('a kept row has space before and behind it, and is there once', () => {
  const heights = [10, 20, 30, 40, 50, 60];
  const slots = (kept: readonly number[]) => rowSlots({ range: { from: 1, to: 3 }, kept, heights });
  assert.equal(slots([]), [{ from: 0, space: 10 }, { index: 1 }, { index: 2 }, { from: 3, space: 150 }]);
  assert.equal(slots([4, 2, -1, 9]), [
    { from: 0, space: 10 },
    { index: 1 },
    { index: 2 },
    { from: 3, space: 40 },
    { index: 4 },
    { from: 5, space: 60 },
  ]);
});

spec('a row keeps its measured height until the width changes; others are as high as the first ones on average', () => {
  const known = rowHeights<string>();
  const take = (width: number, heights: Readonly<Record<string, number>>) =>
    known.take({ width, heights: new Map(Object.entries(heights)) });
  assert.is(take(800, {}), 40);
  assert.is(take(800, { a: 20, b: 40, hidden: 0 }), 30);
  assert.is(take(800, { c: 300 }), 30, 'the estimate stays');
  assert.equal(['a', 'b', 'c', 'hidden'].map(known.of), [20, 40, 300, undefined]);
  assert.is(take(400, { a: 60 }), 60);
  assert.equal(['a', 'b'].map(known.of), [60, undefined]);
});

let opened: OpenGallery;
let page: Page;
spec.before(async () => {
  if (noBrowser !== null) return;
  opened = await openGallery();
  page = opened.page;
});
spec.after(() => (noBrowser === null ? opened.close() : undefined));

const table = (words: string) => opened.state(words).locator('table');
const lines = (words: string) => table(words).locator('tbody > tr');
const link = (id: string) => page.getByRole('link', { name: id, exact: true });
const scrollTo = (y: number): Promise<void> => page.evaluate((top) => window.scrollTo(0, top), y);
const rowOf = (id: string) => page.locator(`tr[id="${id}"]`);
const topOf = (id: string): Promise<number> => rowOf(id).evaluate((one) => one.getBoundingClientRect().top);

test('two hundred rows are all in the page, as in any other table', async () => {
  await opened.show('rows');
  assert.is(await lines('two hundred').count(), 200);
  assert.is(await table('two hundred').locator('[aria-hidden], [aria-rowindex]').count(), 0);
  assert.is(await table('two hundred').getAttribute('aria-rowcount'), null);
});

test('of ten thousand rows at most sixty are in the page, at its start, in the middle and at its end', async () => {
  const many = table('ten thousand');
  assert.is(await many.getAttribute('aria-rowcount'), '10001');
  const place = () => many.evaluate((one) => one.getBoundingClientRect().top + scrollY);
  for (const share of [0, 0.3, 0.7]) {
    const height = await many.evaluate((one) => one.getBoundingClientRect().height);
    await scrollTo((await place()) + height * share);
    await until(
      () =>
        many.evaluate((one) => {
          const seen = document.elementFromPoint(one.getBoundingClientRect().left + 20, innerHeight / 2);
          return seen?.closest('tr')?.hasAttribute('aria-rowindex');
        }),
      'the middle of the window shows a row',
    );
    assert.ok((await lines('ten thousand').count()) <= mostRows);
  }
  await until(async () => {
    await scrollTo(1e9);
    return rowOf('many-9999').isVisible();
  }, 'the last row is reached');
  assert.is(await rowOf('many-9999').getAttribute('aria-rowindex'), '10001');
  assert.ok((await lines('ten thousand').count()) <= mostRows);
});

test('rows do not jump while the page scrolls up over rows that were never measured', async () => {
  await until(async () => {
    await scrollTo(1e9);
    return rowOf('many-9999').isVisible();
  }, 'the last row is reached');
  await page.mouse.move(640, 450);
  for (let step = 0; step < 40; step += 1) {
    const id = await page.evaluate(() => document.elementFromPoint(300, 450)?.closest('tr')?.id ?? '');
    const before = await topOf(id);
    await page.mouse.wheel(0, -200);
    await until(async () => (await topOf(id)) !== before, 'the page scrolls');
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const moved = (await topOf(id)) - before;
    assert.ok(Math.abs(moved - 200) < 2, `${id} moved by ${moved} in step ${step}`);
  }
});

test('a row with a detail counts as two, and both are rendered together', async () => {
  await opened.show('rows');
  const some = table('three hundred with details');
  await rowOf('some-2').scrollIntoViewIfNeeded();
  assert.is(await some.getAttribute('aria-rowcount'), '601');
  assert.is(await rowOf('some-2').getAttribute('aria-rowindex'), '6');
  assert.is(await some.locator('tr[aria-rowindex="7"]').innerText(), 'Detail of some-2');
  const [first, second] = await some.evaluate((one) =>
    ['tr[id]', '.row-detail'].map((kind) => one.querySelectorAll(kind).length),
  );
  assert.is(first, second);
});

test('a row with the focus keeps it however far the page scrolls, and Tab goes on from it', async () => {
  await opened.show('rows');
  await link('many-5').focus();
  await scrollTo(300_000);
  await rowOf('many-8').waitFor({ state: 'detached' });
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'many-5');
  await link('many-5').scrollIntoViewIfNeeded();
  await rowOf('many-8').waitFor();
  for (const next of ['many-6', 'many-7', 'many-8']) {
    await page.keyboard.press('Tab');
    assert.is(await page.evaluate(() => document.activeElement?.textContent), next);
  }
});

test('the keyboard reaches row after row, far beyond the first ones that were rendered', async () => {
  await link('many-0').focus();
  for (let row = 1; row <= 80; row += 1) {
    await page.keyboard.press('Tab');
    await until(
      () => page.evaluate((id) => document.activeElement?.textContent === id, `many-${row}`),
      `many-${row} has the focus`,
    );
  }
});

test('the row that an address names is in the page', async () => {
  await opened.show('rows', '#many-7000');
  await rowOf('many-7000').and(page.locator('.aimed')).scrollIntoViewIfNeeded();
  await rowOf('many-7003').waitFor();
  assert.is(await rowOf('many-7003').getAttribute('aria-rowindex'), '7005');
});

test('the browser had nothing to complain of', () => assert.equal(opened.complaints, []));

spec.run();
