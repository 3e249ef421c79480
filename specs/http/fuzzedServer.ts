import { createReadStream } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Context, Effect } from 'effect';
import { installLastResort } from '../../http/program/lastResort.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { MetricsStore, type MetricsStoreShape } from '../../runtime/services/metricsStore.ts';
import { app, serve } from './served.ts';
import { asking, withShop } from './services/given.ts';

// The HTTP floor in a process of its own, for the fuzz: it says what became of it when it is asked.

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** How long the server waits, so that those who hold a request back are cut off soon. */
const patienceMs = { headers: 1_000, request: 3_000 };

/** Mistakes that the fuzz has to find, each planted where the usage of a service is read. */
const plants: Readonly<Record<string, () => void>> = {
  'listener missing': () => void createReadStream('/nowhere/at/all').resume(),
  'ends the process': () => process.exit(3),
  'keeps others waiting': () => {
    for (const until = performance.now() + 400; performance.now() < until;);
  },
  'changes what it reads': () => touch(),
};
const [, , plant = ''] = process.argv;
const usage: MetricsStoreShape = {
  range: () =>
    Effect.sync(() => {
      plants[plant]?.();
      return [];
    }),
};

const served = await withShop(
  await serve({ timeoutsMs: patienceMs }, {}, (services) => Context.add(services, MetricsStore, usage)),
);
await served.addApp('shop');
await asking(served).deployed();
// From here on: what fails before ends the process.
const lastResort = installLastResort({ giveUp: () => process.exit(1) });

function touch() {
  const shop = served.world.cluster.all(apps).find(({ metadata }) => metadata.name === 'shop') ?? app('shop');
  const annotations = { ...shop.metadata.annotations, touched: String(Math.random()) };
  served.world.cluster.put(apps, { ...shop, metadata: { ...shop.metadata, annotations } });
}
const answered = { refused: 0 };
served.answered.push = (...all) => {
  for (const { status } of all) if (status >= 400) answered.refused++;
  if (plant === 'changes when it refuses') touch();
  return 0;
};

/** What may change with a request that is refused: how often somebody failed to sign in, when a token was used. */
const isCounted = (key: string) => key === 'lockouts' || key.startsWith('token.');

/** Events are a courtesy, written when there is time. */
const objects = () =>
  served.world.cluster.everything().filter((object) => (object as { kind?: string }).kind !== 'Event');

/** Every object as it stands, without what says nothing of its content. */
const state = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    objects().map((object) => {
      const { data, metadata, ...rest } = object as typeof object & {
        readonly data?: Readonly<Record<string, string>>;
      };
      const {
        resourceVersion: _,
        managedFields: __,
        ...kept
      } = metadata as typeof metadata & { readonly managedFields?: unknown };
      const content = Object.entries(data ?? {}).filter(([key]) => !isCounted(key));
      const place = `${String(rest['kind'])} ${metadata.namespace ?? ''}/${metadata.name}`;
      return [place, JSON.stringify({ ...rest, metadata: kept, data: content })];
    }),
  );

function heapUsed(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const questions = {
  state,
  heap: heapUsed,
  /** Failures that nobody expected since the last time. */
  failures: () => {
    const failed = served.lines.splice(0).filter(({ message }) => message === 'request failed');
    return { failed: failed.map(({ fields }) => JSON.stringify(fields)), uncaught: lastResort.counted() };
  },
};
export type Questions = typeof questions;

process.on('message', ({ id, asks }: { readonly id: number; readonly asks: keyof Questions }) =>
  process.send?.({ id, answer: questions[asks]() }),
);
process.send?.({ url: served.url, cookie: served.cookieOf({ expiresAt: Date.now() + 3_600_000 }) });
