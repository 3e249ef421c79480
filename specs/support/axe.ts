import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { until } from './until.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Every rule of WCAG 2.2 AA and of best practice. */
export const everything: axe.RunOptions = {
  runOnly: tags,
  rules: { 'label-content-name-mismatch': { enabled: true } },
};
/** The rules of all that a theme changes. */
export const ofColours: axe.RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** What axe finds of the page as it stands, each with the elements it is about. */
export async function axeFindings(page: Page, options: axe.RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async (given) => {
      const { violations } = await axe.run(given);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    },
    // Of what holds axe would describe every element, which takes longer than to check it.
    { ...options, resultTypes: ['violations'] satisfies axe.resultGroups[] },
  );
}

/** Whether a page can be scrolled sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** What axe finds of a page in dark and in light, and the widths that it does not fit. */
export async function barriersOf(page: Page, widths: readonly number[]): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await axeFindings(page, ofColours);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await axeFindings(page, everything);
  const wide: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await until(async () => !(await isTooWide(page)), 'it fits', 10_000).catch(() =>
      wide.push(`wider than ${width} px`),
    );
  }
  return [...dark, ...light, ...wide];
}
