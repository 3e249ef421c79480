import { request } from 'node:https';
import { type ApiAccess, atApi, caller, configMap, each, path } from './embeddedClient.ts';

/** What reaches a hundred watchers of one resource. */
export interface FanOutFigures {
  readonly eventsPerSecond: number;
  /** From the moment a write was asked for until a watcher heard of it. */
  readonly p99Ms: number;
}

const watchers = 100;
const writes = 400;
const atOnce = 8;

export const fanOut = (): Promise<FanOutFigures> =>
  atApi(async (access, agent) => {
    const call = caller(access, agent);
    await each(atOnce, (index) => call('POST', path, configMap(`m${index}`)));
    const delays: number[] = [];
    let heard = () => {};
    const all = new Promise<void>((done) => (heard = done));
    const hear = (text: string) => {
      const now = performance.now();
      for (const [, sent] of text.matchAll(/"data":\{[^}]*"sent":"([\d.]+)"/g)) delays.push(now - Number(sent));
      if (delays.length >= watchers * writes) heard();
    };
    const stops = await Promise.all(Array.from({ length: watchers }, () => watch(access, hear)));
    const start = performance.now();
    await each(atOnce, async (lane) => {
      for (let turn = 0; turn < writes / atOnce; turn += 1)
        await call('PATCH', `${path}/m${lane}`, JSON.stringify({ data: { sent: String(performance.now()) } }));
    });
    await all;
    const seconds = (performance.now() - start) / 1_000;
    stops.forEach((stop) => stop());
    const p99Ms = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0;
    return { eventsPerSecond: delays.length / seconds, p99Ms };
  });

/** Opens one watch, which has a connection of its own, and hands over whole lines. */
function watch({ url, token, caPem: ca }: ApiAccess, hear: (text: string) => void): Promise<() => void> {
  return new Promise((opened, failed) => {
    const headers = { Authorization: `Bearer ${token}` };
    const asked = request(`${url}${path}?watch=true&resourceVersion=`, { headers, ca, agent: false }, (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const end = (rest + chunk).lastIndexOf('\n') + 1;
        hear((rest + chunk).slice(0, end));
        rest = (rest + chunk).slice(end);
      });
      response.on('error', () => {});
      opened(() => response.destroy());
    });
    asked.once('error', failed);
    asked.end();
  });
}
