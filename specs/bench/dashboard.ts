import { Effect } from 'effect';
import type { Browser, Page } from 'playwright-core';
import type { Summary } from '../../http/api.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { startBrowser } from '../support/browser.ts';
import { type Product, startProduct } from '../support/product.ts';
import { userBuild } from '../support/environment.ts';
import { median } from './measure.ts';
import { cookieOf, moved, view, type Viewer } from './viewers.ts';
import { signInAs } from '../support/visitor.ts';

export interface DashboardFigures {
  /** From the request of a page to its first contents, the processor slowed four times. */
  readonly firstPaintMs: number;
  /** From a key in the filter over 5,000 services to the painted list; slowed likewise. */
  readonly key: KeyFigures;
  /** The same of a bare field without anything around it, in the same browser. */
  readonly bareKey: KeyFigures;
  /** The most rows that the page had in its tree meanwhile. */
  readonly rows: number;
  /** From a status write to its words on the page, with 50 viewers. */
  readonly painted: { readonly medianMs: number; readonly p99Ms: number };
}

interface KeyFigures {
  readonly medianMs: number;
  readonly longestMs: number;
}

const slowed = 4;
const loads = 7;
const services = 5_000;
const word = 'service-4999';
const viewers = 50;
const writes = 200;
const pauseMs = 25;

async function signedIn(browser: Browser, { endpoints }: Product): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, baseURL: endpoints.dashboard ?? '' });
  await page.goto('/');
  await signInAs(page, 'admin');
  return page;
}

async function slow(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

async function firstPaint(page: Page): Promise<number> {
  const times: number[] = [];
  for (let load = 0; load < loads; load++) {
    await page.goto('/services');
    await page.getByRole('heading', { level: 1 }).waitFor();
    times.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity),
    );
  }
  return median(times);
}

const service = (index: number): Summary => ({
  kind: 'CoreApp',
  name: `service-${index}`,
  displayName: `service-${index}`,
  project: `project-${index % 40}`,
  environment: index % 3 === 0 ? 'staging' : 'production',
  state: index % 50 === 0 ? 'failed' : 'ready',
  message: index % 50 === 0 ? 'Service failed to start' : 'Service is running',
  createdAt: '2026-01-01T00:00:00Z',
  url: '',
  cause: null,
  details: { source: 'image', pending: [], reason: '' },
});

interface Seen {
  readonly keys: number[];
  rows: number;
}

/** Types a word into the focused field and takes it back; the times are those that the browser itself tells. */
async function typed(page: Page): Promise<{ readonly key: KeyFigures; readonly rows: number }> {
  await page.evaluate(() => {
    const seen: Seen = { keys: [], rows: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      seen.keys.push(...list.getEntriesByName('keydown').map(({ duration }) => duration));
      seen.rows = Math.max(seen.rows, document.querySelectorAll('[role=row], tbody tr').length);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  for (const key of word) await page.keyboard.press(key, { delay: 120 });
  for (const _ of word) await page.keyboard.press('Backspace', { delay: 120 });
  // Entries of what was painted arrive a little later.
  await page.waitForTimeout(1_000);
  const { keys, rows } = await page.evaluate(() => (globalThis as unknown as { readonly seen: Seen }).seen);
  return { key: { medianMs: median(keys), longestMs: Math.max(0, ...keys) }, rows };
}

/** The list is given to the browser by this process: what is measured is the page, not the server. */
async function typing(page: Page) {
  const items = Array.from({ length: services }, (_, index) => service(index));
  await page.route(
    ({ pathname }) => pathname === '/api/v1/apps',
    (route) => route.fulfill({ json: { items } }),
  );
  await page.goto('/services');
  await page.getByText('5,000 of 5,000').waitFor();
  await page.keyboard.press('/');
  const seen = await typed(page);
  await page.unrouteAll();
  return seen;
}

/** What the machine itself takes for a key: everything above it is ours. */
async function typingBare(browser: Browser): Promise<KeyFigures> {
  const page = await browser.newPage();
  await slow(page, slowed);
  await page.setContent('<input autofocus>');
  await page.locator('input').focus();
  const { key } = await typed(page);
  await page.close();
  return key;
}

/** Waits until the timeline has a word and was painted with it, without laying out the page to look. */
const painted = (page: Page, mark: string): Promise<void> =>
  page.evaluate(
    (word) =>
      new Promise<void>((done) => {
        const look = () => {
          if (document.querySelector('.timeline')?.textContent.includes(word) !== true) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(done));
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        look();
      }),
    mark,
  );

/** One page paints, the others read the same stream as fast as they can. */
async function painting(page: Page, product: Product): Promise<DashboardFigures['painted']> {
  const name = 'painted';
  await Effect.runPromise(
    product.cluster
      .create(builds, userBuild(name, { app: name, registry: '' }))
      .pipe(Effect.andThen(product.cluster.patchStatus(builds, { name }, moved(name, 1, 'before')))),
  );
  const cookie = await cookieOf(product);
  const open: Viewer[] = [];
  for (let viewer = 1; viewer < viewers; viewer++)
    open.push(await view(product.endpoints.dashboard ?? '', cookie, () => {}));
  await page.goto(`/machines/build/corebuilds:${name}`);
  await page.getByText('before').first().waitFor();
  const times: number[] = [];
  for (let number = 2; number < writes + 2; number++) {
    const mark = `mark ${number} end`;
    const at = performance.now();
    await Effect.runPromise(product.cluster.patchStatus(builds, { name }, moved(name, number, mark)));
    await painted(page, mark);
    times.push(performance.now() - at);
    await new Promise((go) => setTimeout(go, pauseMs));
  }
  for (const viewer of open) viewer.close();
  const sorted = times.toSorted((a, b) => a - b);
  const share = (of: number) => sorted[Math.floor(sorted.length * of)] ?? Infinity;
  return { medianMs: share(0.5), p99Ms: share(0.99) };
}

/** What a reader of the dashboard feels, in the browser of this machine. */
export async function dashboardFigures(): Promise<DashboardFigures> {
  const product = await startProduct();
  const browser = await startBrowser();
  try {
    const page = await signedIn(browser, product);
    await slow(page, slowed);
    const firstPaintMs = await firstPaint(page);
    const { key, rows } = await typing(page);
    const bareKey = await typingBare(browser);
    await slow(page, 1);
    const painted = await painting(page, product);
    return { firstPaintMs, key, bareKey, rows, painted };
  } finally {
    await browser.close();
    await product.end('SIGTERM');
    product.clean();
  }
}
