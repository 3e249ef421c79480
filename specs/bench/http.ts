import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { userBuild, until } from '../support/environment.ts';
import { serve } from '../http/served.ts';

const rounds = 16;
const requestsARound = 1_000;
const atOnce = 8;

/** Processor time of one answer with its request, over several connections that are kept: both sides are this process. */
export async function msOfOne(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
        response.on('end', resolve).resume();
      })
        .on('error', reject)
        .end();
    });
  const before = process.cpuUsage();
  let left = requestsARound;
  const client = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000 / requestsARound;
  agent.destroy();
  return ms;
}

/** An API answer from the cache, one object of 4 KB, signed in, against a bare Koa handler that sends the same bytes. */
export async function apiAnswer(): Promise<{ ratio: number; oursMs: number; bareMs: number }> {
  const served = await serve();
  const name = 'bench-build-1';
  served.world.cluster.put(builds, {
    ...userBuild(
      name,
      { app: 'bench' },
      { phase: 'Failed', logRef: 'pod-log://x/builder', lastLogLine: 'x'.repeat(1600) },
    ),
  });
  await until(() => served.operator.caches.get(builds, name), 'the build is cached');
  const path = `/api/v1/builds/${name}`;
  const headers = { cookie: served.cookieOf() };
  const { text } = await served.ask(path);
  const handle = new Koa()
    .use((ctx) => {
      ctx.type = 'application/json; charset=utf-8';
      ctx.body = text;
    })
    .callback();
  const bare = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const [ours, bares]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await msOfOne(`${served.url}${path}`, headers));
    bares.push(await msOfOne(bareUrl, headers));
    // What the test environment remembers of requests is no cost of theirs.
    served.lines.length = served.answered.length = 0;
  }
  bare.close();
  await served.stop();
  // The quietest round of each: what else the machine does only ever adds.
  const [oursMs, bareMs] = [Math.min(...ours), Math.min(...bares)];
  return { ratio: oursMs / bareMs, oursMs, bareMs };
}
