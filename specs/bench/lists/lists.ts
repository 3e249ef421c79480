import { spawn } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { annotation } from '../../../crds/names.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { app, type Served, servePrepared } from '../../http/served.ts';
import { until } from '../../support/until.ts';
import { servedApp } from './attention.ts';

const client = new URL('client.mjs', import.meta.url).pathname;
const rounds = 6;

/** The processor time of this process while a client in another one asks, per request. */
async function costMs({ url, cookieOf, lines, answered }: Served, path: string, count: number): Promise<number> {
  const before = process.cpuUsage();
  await asking([`${url}/api/v1${path}`, cookieOf(), String(count)]);
  const { user, system } = process.cpuUsage(before);
  // What the test environment remembers of requests is no cost of theirs.
  lines.length = answered.length = 0;
  return (user + system) / 1_000 / count;
}

const asking = (given: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    spawn(process.execPath, [client, ...given], { stdio: 'inherit' })
      .on('error', reject)
      .on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the client ended with ${code}`))));
  });

const nameOf = (at: number) => `service-${String(at).padStart(5, '0')}`;

/** Nine tenths are drafts. */
const mostlyDrafts = (at: number): CoreApp => app(nameOf(at), { deploy: { enabled: at % 10 === 0 } });

/** A server with so many services, at which no pass looks any more. */
async function serverWith(count: number, serviceOf = mostlyDrafts): Promise<Served> {
  const served = await servePrepared(({ cluster }) => {
    for (let at = 0; at < count; at++) {
      const { metadata, ...made } = serviceOf(at);
      cluster.put(apps, { ...made, metadata: { ...metadata, annotations: { [annotation.paused]: 'true' } } });
    }
  });
  await until(() => served.operator.caches.list(apps).length === count, 'the services are cached');
  let before = process.cpuUsage();
  await until(async () => {
    await new Promise((go) => setTimeout(go, 1_000));
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    return user + system < 50_000;
  }, 'it is at rest');
  return served;
}

/** Of rounds that alternate between servers, the cheapest of each: what else happens only ever adds. */
async function cheapest(servers: readonly Served[], path: string, count: number): Promise<readonly number[]> {
  const costs = servers.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [at, served] of servers.entries())
      costs[at] = Math.min(costs[at] ?? 0, await costMs(served, path, count));
  return costs;
}

export interface ListFigures {
  /** Milliseconds of the processor for one page of 100, of 300 services and of 3,000. */
  readonly pageMs: readonly number[];
  readonly readMs: readonly number[];
  /** Of 10,000: the first whole list, a later one, a page of 100, and a search that finds one. */
  readonly large: Readonly<Record<'firstMs' | 'wholeMs' | 'pageMs' | 'searchMs' | 'machinesMs', number>>;
  /** Of 5,000, one in ten with a cause: the whole list, and what needs attention. */
  readonly attentionMs: readonly number[];
  /** p99 of the delay of the loop while one of 3,000 services is read 200 times a second. */
  readonly delayMs: number;
}

/** What lists and reads of services cost as there are more of them. */
export async function listFigures(): Promise<ListFigures> {
  const [few, many] = [await serverWith(300), await serverWith(3_000)];
  const pageMs = await cheapest([few, many], '/apps?limit=100', 200);
  const readMs = await cheapest([few, many], `/apps/${nameOf(7)}`, 400);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await asking([`${many.url}/api/v1/apps/${nameOf(7)}`, many.cookieOf(), '2000', '200']);
  delay.disable();
  await few.stop();
  await many.stop();
  const all = await serverWith(10_000);
  const firstMs = await costMs(all, '/apps', 1);
  const one = async (path: string, count: number) => (await cheapest([all], path, count))[0] ?? 0;
  const large = {
    firstMs,
    wholeMs: await one('/apps', 5),
    pageMs: await one('/apps?limit=100', 200),
    searchMs: await one('/apps?search=09999&limit=100', 20),
    machinesMs: await one('/machines', 20),
  };
  await all.stop();
  const troubled = await serverWith(5_000, (at) => servedApp(at) as CoreApp);
  const attentionMs = [
    (await cheapest([troubled], '/apps', 10))[0] ?? 0,
    (await cheapest([troubled], '/attention', 100))[0] ?? 0,
  ];
  await troubled.stop();
  return { pageMs, readMs, large, attentionMs, delayMs: delay.percentile(99) / 1e6 };
}
