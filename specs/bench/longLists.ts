import { atApi, caller, configMap, each, path } from './embeddedClient.ts';

/** A list of 20,000 objects in each way that clients ask for it. */
export interface LongListFigures {
  readonly jsonMs: number;
  readonly tableMs: number;
  readonly pagedMs: number;
  /** The longest that any other request waited meanwhile. */
  readonly waitedMs: number;
}

const objects = 20_000;
const atOnce = 32;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

export const longLists = (): Promise<LongListFigures> =>
  atApi(async (access, agent) => {
    const call = caller(access, agent);
    await each(atOnce, async (lane) => {
      for (let index = lane; index < objects; index += atOnce) await call('POST', path, configMap(`m${index}`));
    });
    const others = waiting(() => call('GET', '/version'));
    const jsonMs = await timed(() => call('GET', path));
    const tableMs = await timed(() => call('GET', path, undefined, { accept: table }));
    const pagedMs = await timed(async () => {
      for (let next: string | undefined = ''; next !== undefined;) {
        const page: string = `${path}?limit=500&continue=${encodeURIComponent(next)}`;
        next = undefined;
        await call('GET', page, undefined, {
          read: (text) => {
            next = /"continue":"([^"]+)"/.exec(text.slice(0, 500))?.[1];
          },
        });
      }
    });
    return { jsonMs, tableMs, pagedMs, waitedMs: await others() };
  });

export async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** Asks again and again until told to end; answers with the longest time that one took. */
export function waiting(ask: () => Promise<void>): () => Promise<number> {
  let most = 0;
  let ended = false;
  const asking = (async () => {
    while (!ended) {
      most = Math.max(most, await timed(ask));
      await new Promise((go) => setTimeout(go, 5));
    }
  })();
  return async () => {
    ended = true;
    await asking;
    return most;
  };
}
