import axe from 'axe-core';
import type { Page } from 'playwright-core';

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
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate((given) => axe.run(given), options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Whether a page can be scrolled sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
