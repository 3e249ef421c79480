import type { ServerResponse } from 'node:http';
import { Context } from 'effect';
import * as assert from 'uvu/assert';
import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { Usage } from '../../http/api.ts';
import { settingsOf } from '../../http/program/settings.ts';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { MetricsStore, prometheusStore } from '../../runtime/services/metricsStore.ts';
import { listenAsPrometheus, matrix } from '../support/prometheus.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import type { Served } from './served.ts';
import { type Asking, asking, refusalOf, serveShop } from './services/given.ts';

const spec = suite('usage over REST');
let served: Served;
let the: Asking;
let store: Awaited<ReturnType<typeof listenAsPrometheus>>;
let answers: (query: URLSearchParams, response: ServerResponse) => void;

async function pointTo(prometheusURL: string): Promise<void> {
  const metadata = { name: platformConfigName, namespace: systemNamespace };
  served.world.cluster.put(platformConfigs, { metadata, spec: { prometheusURL, dashboardExposure: 'ingress' } });
  await until(
    () => served.operator.caches.get(platformConfigs, platformConfigName)?.spec.prometheusURL === prometheusURL,
    'the address is cached',
  );
}

spec.before.each(async () => {
  answers = (_, response) => void response.end(matrix([1_000, '0.5'], [1_030, 'NaN'], [1_060, '+Inf'], [1_090, '2']));
  store = await listenAsPrometheus((query, response) => answers(query, response));
  served = await serveShop((services) => Context.add(services, MetricsStore, prometheusStore()));
  the = asking(served);
  await the.create();
  await pointTo(store.url);
});
spec.after.each(async () => {
  await served.stop();
  await store.stop();
});

const read = (path: string) => the.read<Usage>(path);

spec('API-033 CLI-238 CLI-243 usage is read over an hour, without values that are not numbers', async () => {
  const usage = await read('/apps/web/metrics');
  assert.equal([usage.window, usage.step, usage.available, usage.message], ['1h', 30, true, undefined]);
  assert.equal(Object.keys(usage.series).toSorted(), ['cpu', 'memory', 'network', 'networkIn', 'requests']);
  assert.equal(usage.series.cpu, [
    { t: 1_000, v: 0.5 },
    { t: 1_090, v: 2 },
  ]);
  assert.is(store.asked.length, 5);
  for (const { path, query } of store.asked) {
    assert.is(path, 'POST /api/v1/query_range');
    assert.is(Number(query.get('end')) - Number(query.get('start')), 3_600);
    assert.is(query.get('step'), '30');
  }
});

spec('CLI-235 CLI-237 usage of services and projects is read over four windows, and any other is refused', async () => {
  for (const window of ['15m', '1h', '6h', '24h'] as const)
    assert.is((await read(`/apps/web/metrics?window=${window}`)).window, window);
  assert.equal(Object.keys((await read('/projects/shop/metrics')).series).length, 4);
  const refused = async (path: string) => refusalOf(await served.ask(`/api/v1${path}`));
  assert.is(await refused('/apps/web/metrics?window=2h'), '400 window must be 15m, 1h, 6h or 24h');
  assert.is(await refused('/apps/none/metrics'), '404 service "none" was not found');
  assert.is(await refused('/databases/none/metrics'), '404 database "none" was not found');
  assert.is(await refused('/projects/none/metrics'), '404 project "none" was not found');
});

spec('a metrics store without values is reported as available', async () => {
  answers = (_, response) => void response.end('{"status":"success","data":{"resultType":"matrix","result":[]}}');
  const usage = await read('/apps/web/metrics');
  assert.ok(usage.available);
  assert.equal(usage.series.cpu, []);
});

spec('the answer says why metrics are unavailable when no store listens', async () => {
  await store.stop();
  const usage = await read('/apps/web/metrics');
  assert.not.ok(usage.available);
  assert.equal(usage.series, {});
  assert.is(usage.message, 'there is no store of metrics: nobody answers at its address: nothing listens there');
});

spec('a failing, invalid, redirecting or silent store answers 502', async () => {
  const failing: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'it answered HTTP 503 with what is no JSON': (response) => void response.writeHead(503).end('busy'),
    'it answered HTTP 200 with what is no JSON': (response) => void response.end('<!doctype html>'),
    'it answered HTTP 400: bad query': (response) =>
      void response.writeHead(400).end('{"status":"error","error":"bad query"}'),
    'its answer has no result': (response) => void response.end('{"status":"success"}'),
    'it answered HTTP 302 with what is no JSON': (response) =>
      void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'the answer is longer than 1048576 bytes': (response) => void response.end('x'.repeat(1_048_577)),
  };
  for (const [why, answer] of Object.entries(failing)) {
    answers = (_, response) => answer(response);
    const answered = await served.ask('/api/v1/apps/web/metrics');
    assert.is(refusalOf(answered), `502 the store of metrics failed: ${why}`);
  }
  answers = () => {};
  assert.is(
    refusalOf(await served.ask('/api/v1/apps/web/metrics')),
    '502 the store of metrics failed: no answer within 10 s',
  );
});

spec(
  'PLC-022 PLC-044 the metrics address is read from the platform configuration, then the environment, then the default',
  async () => {
    assert.is(settingsOf([], {}).prometheusUrl, 'http://prometheus-operated.monitoring.svc:9090');
    assert.is(settingsOf([], { CORE_PROMETHEUS_URL: 'http://p:1' }).prometheusUrl, 'http://p:1');
    assert.ok((await read('/apps/web/metrics')).available);
    await pointTo('');
    assert.not.ok((await read('/apps/web/metrics')).available, 'the address of the settings answers nothing');
  },
);

spec.run();
