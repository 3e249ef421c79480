import { readFileSync } from 'node:fs';
import type { Browser, Page, Route } from 'playwright-core';
import type { Items } from '../../http/api.ts';
import { startBrowser } from '../support/browser.ts';
import { manyServices } from '../support/manyServices.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { signInAs } from '../support/visitor.ts';
import { type Line, times } from './line.ts';
import { median } from './measure.ts';

/** What the first rows of the services page take. */
interface FirstRows {
  /** Of the answers of the API, before they are compressed. */
  readonly bytes: number;
  readonly requests: number;
  /** Processor time of the page and of the product for one load. */
  readonly pageMs: number;
  readonly productMs: number;
}

const few = 300;
const many = 3_000;
const loads = 7;
const tickMs = 10;

/** What a process has used of the processor. */
function usedMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** The first moment at which nothing is left to do for what was made. */
async function atRest({ pid }: Product): Promise<void> {
  let before = usedMs(pid);
  await until(async () => {
    await new Promise((go) => setTimeout(go, 1_000));
    const now = usedMs(pid);
    const isAtRest = now - before < 100;
    before = now;
    return isAtRest;
  }, 'the product rests');
}

/** One load until the first row is painted; what is read after the first rows waits until then. */
async function load(page: Page, { pid }: Product): Promise<FirstRows> {
  let release = () => {};
  const isPainted = new Promise<void>((done) => (release = done));
  let bytes = 0;
  let requests = 0;
  const answered = async (route: Route) => {
    const url = new URL(route.request().url());
    const limit = Number(url.searchParams.get('limit') ?? '0');
    if (limit > 100 || url.searchParams.has('continue')) await isPainted;
    else if (!url.pathname.endsWith('/events')) {
      const answer = await route.fetch();
      requests++;
      bytes += (await answer.body()).length;
      return route.fulfill({ response: answer }).catch(() => {});
    }
    return route.continue().catch(() => {});
  };
  await page.route('**/api/v1/**', answered);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const before = usedMs(pid);
  await page.goto('/services', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'service-00001', exact: true }).waitFor();
  const productMs = usedMs(pid) - before;
  const { metrics } = await session.send('Performance.getMetrics');
  const pageMs = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity) * 1_000;
  const seen = { bytes, requests, pageMs, productMs };
  release();
  await page.unrouteAll({ behavior: 'wait' });
  await session.detach();
  await page.goto('about:blank');
  return seen;
}

async function firstRowsAt(browser: Browser, count: number): Promise<FirstRows> {
  const product = await startProduct();
  try {
    await manyServices(product.cluster, count);
    const made = async () => ((await (await product.api('/api/v1/apps')).json()) as Items<object>).items.length;
    await until(async () => (await made()) === count, 'all are read by the operator');
    await atRest(product);
    const page = await browser.newPage({
      viewport: { width: 1280, height: 900 },
      baseURL: product.endpoints.dashboard ?? '',
    });
    await page.goto('/');
    await signInAs(page, 'admin');
    const seen: FirstRows[] = [];
    for (let number = 0; number < loads; number++) seen.push(await load(page, product));
    await page.close();
    const of = (name: keyof FirstRows) => median(seen.map((one) => one[name]));
    return { bytes: of('bytes'), requests: of('requests'), pageMs: of('pageMs'), productMs: of('productMs') };
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
}

/** The first rows of the services page among many services, against few. */
export async function firstRowsLines(): Promise<readonly Line[]> {
  const browser = await startBrowser();
  try {
    const [one, other] = [await firstRowsAt(browser, few), await firstRowsAt(browser, many)];
    const ratio = (name: keyof FirstRows) => other[name] / one[name];
    const all = [ratio('bytes'), ratio('requests'), ratio('pageMs')];
    const kB = (bytes: number) => (bytes / 1_000).toFixed(0);
    return [
      {
        what: 'first rows of the services page at 3,000 services, against 300: bytes, requests, processor time of the page',
        figure:
          `${all.map(times).join(', ')} (${kB(other.bytes)} of ${kB(one.bytes)} kB, ${other.requests} of ${one.requests}, ` +
          `${other.pageMs.toFixed(0)} of ${one.pageMs.toFixed(0)} ms; product ${other.productMs} of ${one.productMs} ms)`,
        budget: '≤ 1.5 × each',
        holds: Math.max(...all) <= 1.5,
      },
    ];
  } finally {
    await browser.close();
  }
}
