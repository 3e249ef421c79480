import { Effect } from 'effect';
import type { Browser, Page } from 'playwright-core';
import type { Summary } from '../../http/api.ts';
import { builds } from '../../runtime/kinds.ts';
import { startBrowser } from '../support/browser.ts';
import { password, type Product, startProduct } from '../support/product.ts';
import { handMade } from '../support/world.ts';
import { median } from './measure.ts';
import { cookieOf, moved, view, type Viewer } from './viewers.ts';

export interface DashboardFigures {
  /** From the request of a page to its first contents, the processor slowed four times. */
  readonly firstPaintMs: number;
  /** From a key in the filter over 5,000 services to the painted list, the longest; slowed likewise. */
  readonly keyMs: number;
  /** The most rows that the page had in its tree meanwhile. */
  readonly rows: number;
  /** From a status write to its words on the page, with 50 viewers. */
  readonly painted: { readonly medianMs: number; readonly p99Ms: number };
}

const slowed = 4;
const loads = 7;
const services = 5_000;
const viewers = 50;
const writes = 200;
const pauseMs = 25;

async function signedIn(browser: Browser, { endpoints }: Product): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, baseURL: endpoints.dashboard ?? '' });
  await page.goto('/');
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
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
  details: { source: 'image', pending: [], reason: '' },
});

/** The list is given to the browser by this process: what is measured is the page, not the server. */
async function typing(page: Page): Promise<{ readonly keyMs: number; readonly rows: number }> {
  const items = Array.from({ length: services }, (_, index) => service(index));
  await page.route('**/api/v1/apps', (route) => route.fulfill({ json: { items } }));
  await page.goto('/services');
  await page.getByText('5,000 of 5,000').waitFor();
  await page.evaluate(() => {
    const seen = { keyMs: 0, rows: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.keyMs = Math.max(seen.keyMs, duration);
      seen.rows = Math.max(seen.rows, document.querySelectorAll('[role=row], tbody tr').length);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.keyboard.press('/');
  for (const key of 'service-4999') await page.keyboard.type(key, { delay: 120 });
  for (let count = 0; count < 12; count++) await page.keyboard.press('Backspace', { delay: 120 });
  await page.getByText('5,000 of 5,000').waitFor();
  // Entries of what was painted arrive a little later.
  await page.waitForTimeout(500);
  const seen = await page.evaluate(
    () => (globalThis as unknown as { readonly seen: { keyMs: number; rows: number } }).seen,
  );
  await page.unrouteAll();
  return seen;
}

/** One page paints, the others read the same stream as fast as they can. */
async function painting(page: Page, product: Product): Promise<DashboardFigures['painted']> {
  const name = 'painted';
  await Effect.runPromise(
    product.cluster
      .create(builds, handMade(name, { app: name, registry: '' }))
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
    await page.waitForFunction((text) => document.body.innerText.includes(text), mark, { polling: 'raf' });
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
    const { keyMs, rows } = await typing(page);
    await slow(page, 1);
    const painted = await painting(page, product);
    return { firstPaintMs, keyMs, rows, painted };
  } finally {
    await browser.close();
    await product.end('SIGTERM');
    product.clean();
  }
}
