import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { signInAs } from '../support/visitor.ts';
import { median } from './measure.ts';
import { cookieOf } from './viewers.ts';

export interface CompressedFigures {
  /** Of Home at 300 services, compressed and plain. */
  readonly bytes: readonly [compressed: number, plain: number];
  readonly firstPaintMs: readonly [compressed: number, plain: number];
  /** Processor time of the server for one load of what Home asks of the API, by coding. */
  readonly cpuMs: Readonly<Record<Accepted, number>>;
}

type Accepted = 'identity' | 'gzip' | 'br';

const services = 300;
const loads = 5;
const rounds = 5;
const asksARound = 100;
/** After so long without a byte all is there. */
const quietMs = 1_500;
/** A telephone far from its mast: 400 kbit/s, 400 ms there and back. */
const slowLine = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

async function addServices({ api }: Product): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await api(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { readonly name: string };
  };
  const { name: project } = await post('/api/v1/projects', {});
  for (let index = 0; index < services; index++) {
    const source = { image: `registry.example/shop/service-${index}:${index * 7}` };
    const place = { project, environment: 'production' };
    await post('/api/v1/apps', { name: `service-${index}`, ...place, ...source, draft: true });
  }
}

interface Load {
  readonly bytes: number;
  readonly paintMs: number;
  readonly asked: readonly string[];
}

/** One load of Home by a browser that keeps nothing. */
async function load(page: Page, isPlain: boolean): Promise<Load> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  const asked: string[] = [];
  let lastAt = Infinity;
  let streamed = '';
  session.on('Network.dataReceived', ({ requestId }) => {
    if (requestId !== streamed) lastAt = performance.now();
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  session.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
    const { pathname, search } = new URL(url);
    if (pathname.endsWith('/events')) streamed = requestId;
    else if (pathname.startsWith('/api/')) asked.push(pathname + search);
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (isPlain) await session.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'identity' } });
  await session.send('Network.emulateNetworkConditions', slowLine);
  await page.goto('/');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await until(() => performance.now() - lastAt > quietMs, 'all of the page is there');
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
  );
  await session.detach();
  return { bytes, paintMs, asked };
}

async function loadsOf(browser: Browser, product: Product) {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    baseURL: product.endpoints.dashboard ?? '',
  });
  await page.goto('/');
  await signInAs(page, 'admin');
  const [compressed, plain]: [Load[], Load[]] = [[], []];
  for (let index = 0; index < loads; index++) {
    compressed.push(await load(page, false));
    plain.push(await load(page, true));
  }
  return { compressed, plain };
}

/** Seconds of the processor that a process has taken, those of its threads among them; the kernel counts hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const fetched = (agent: Agent, url: URL, headers: Readonly<Record<string, string>>) =>
  new Promise<void>((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url.pathname} answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    })
      .on('error', reject)
      .end();
  });

/** The codings take turns, so that what else the machine does meets each alike. */
async function cpuOf(product: Product, paths: readonly string[]): Promise<CompressedFigures['cpuMs']> {
  const cookie = await cookieOf(product);
  const agent = new Agent({ keepAlive: true });
  const spent: Record<Accepted, number[]> = { identity: [], gzip: [], br: [] };
  for (let round = 0; round <= rounds; round++)
    for (const accepted of ['identity', 'gzip', 'br'] as const) {
      const before = cpuSeconds(product.pid);
      for (let ask = 0; ask < asksARound; ask++)
        for (const path of paths)
          await fetched(agent, new URL(path, product.endpoints.dashboard ?? ''), {
            cookie,
            'accept-encoding': accepted,
          });
      // The first round only makes the code warm.
      if (round > 0) spent[accepted].push(((cpuSeconds(product.pid) - before) * 1_000) / asksARound);
    }
  agent.destroy();
  return { identity: median(spent.identity), gzip: median(spent.gzip), br: median(spent.br) };
}

/** What compressed answers save on the line, and cost the processor. */
export async function compressedFigures(): Promise<CompressedFigures> {
  const product = await startProduct();
  const browser = await startBrowser();
  try {
    await addServices(product);
    const { compressed, plain } = await loadsOf(browser, product);
    const of = (name: 'bytes' | 'paintMs') =>
      [median(compressed.map((one) => one[name])), median(plain.map((one) => one[name]))] as const;
    const paths = [...new Set(compressed.flatMap(({ asked }) => asked))];
    return { bytes: of('bytes'), firstPaintMs: of('paintMs'), cpuMs: await cpuOf(product, paths) };
  } finally {
    await browser.close();
    await product.end('SIGTERM');
    product.clean();
  }
}
