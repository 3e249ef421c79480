import { caller, configMap, each, atApi, load, path } from './embeddedClient.ts';
import { rssOf } from './ready.ts';

/** What the embedded API does for 16 clients that share its machine; its memory while it did, its time until `ready`. */
export interface EmbeddedApiFigures {
  readonly writesPerSecond: number;
  readonly readsPerSecond: number;
  readonly p99Ms: number;
  readonly rssMb: number;
  readonly readyMs: number;
}

const objects = 400;

/** The bundle as it is started with `CORE_ROLE=cluster`, in a process of its own; the clients in this. */
export const embeddedApi = (): Promise<EmbeddedApiFigures> =>
  atApi(async (access, agent, product) => {
    const call = caller(access, agent);
    await each(objects, (index) => call('POST', path, configMap(`m${index}`)));
    const write = (turn: number) =>
      call('PATCH', `${path}/m${turn % objects}`, JSON.stringify({ data: { turn: String(turn) } }));
    const written = await load(write);
    const read = await load((turn) => call('GET', `${path}/m${turn % objects}`));
    return {
      writesPerSecond: Math.round(written.rate),
      readsPerSecond: Math.round(read.rate),
      p99Ms: Math.max(written.p99, read.p99),
      rssMb: Math.round(rssOf(product.pid)),
      readyMs: product.readyMs,
    };
  });
