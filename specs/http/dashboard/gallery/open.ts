import type { Locator, Page } from 'playwright-core';
import { startBrowser } from '../../../support/browser.ts';
import { patienceMs } from '../../../support/until.ts';
import { type Gallery, serveGallery } from './serve.ts';

/** The gallery, open in a browser of its own. */
export interface OpenGallery {
  readonly gallery: Gallery;
  readonly page: Page;
  /** What the browser had to complain of. */
  readonly complaints: readonly string[];
  /** Opens a part in all its states. */
  readonly show: (part: string, rest?: string) => Promise<void>;
  /** One state of the part that is shown. */
  readonly state: (words: string) => Locator;
  readonly seen: (words: string, text: string) => Promise<void>;
  readonly search: () => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openGallery(): Promise<OpenGallery> {
  const gallery = await serveGallery();
  const browser = await startBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  const state = (words: string) => page.locator(`[data-state="${words}"]`);
  return {
    gallery,
    page,
    complaints,
    show: async (part, rest = '') => {
      await page.goto(`${gallery.url}/?part=${part}${rest}`);
      await page.getByRole('heading', { level: 1, name: part }).waitFor();
    },
    state,
    seen: (words, text) => state(words).getByText(text).first().waitFor(),
    search: () => page.evaluate(() => location.search),
    close: async () => {
      await browser.close();
      gallery.end();
    },
  };
}
