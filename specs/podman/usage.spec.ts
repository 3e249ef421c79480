import * as assert from 'uvu/assert';
import { serviceQueries } from '../../rules/usage/queries.ts';
import { readQuery, valuesOf } from '../../runtime/embedded/nodes/usage/usageQuery.ts';
import { startUsageServer } from '../../runtime/embedded/nodes/usage/usageServer.ts';
import {
  createUsageRing,
  metric,
  mostSeries,
  readEveryMs,
  type UsageRing,
} from '../../runtime/embedded/nodes/usage/usageRing.ts';
import { prometheusStore } from '../../runtime/services/metricsStore.ts';
import { Effect } from 'effect';
import { suite } from '../support/suite.ts';

const spec = suite('usage of the containers of a node');
const began = Date.UTC(2030, 0, 1);
const after = (seconds: number) => began + seconds * 1_000;

const labels = (pod: string, container = 'main') => ({ namespace: 'shop', pod, container });
const cpuOf = (pod: string, value: number, run = 0) => ({
  id: `${pod}/${run}`,
  metric: metric.cpu,
  labels: labels(pod),
  value,
});

/** Two pods of the service `web`, one of `web-api`, each with half a core, read every ten seconds. */
function filled(seconds: number): UsageRing {
  const ring = createUsageRing();
  for (let at = 0; at <= seconds; at += 10)
    ring.record(
      after(at),
      ['web-5d4-abcde', 'web-5d4-fghij', 'web-api-77f-klmno'].map((pod) => cpuOf(pod, at / 2)),
    );
  return ring;
}

const read = (ring: UsageRing, query: string, range: { readonly start: number; readonly end: number }) => {
  const asked = readQuery(query);
  if (!asked) throw new Error(`not understood: ${query}`);
  return valuesOf(ring, asked, { ...range, step: 30 });
};

spec('a usage query of a service page sums the CPU rates of the pods of the service', () => {
  const ring = filled(600);
  const { cpu = '' } = serviceQueries({ name: 'web', namespace: 'shop' }, 30);
  const values = read(ring, cpu, { start: after(0) / 1_000, end: after(600) / 1_000 });
  assert.is(values.length, 20);
  for (const [, value] of values) assert.ok(Math.abs(value - 1) < 1e-9, String(value));
  const other = serviceQueries({ name: 'web', namespace: 'other' }, 30).cpu ?? '';
  assert.equal(read(ring, other, { start: after(0) / 1_000, end: after(600) / 1_000 }), []);
});

spec(
  'the usage of a restarted container counts from zero, and that of an ended one expires after its last reading',
  () => {
    const ring = createUsageRing();
    for (const [at, value] of [
      [0, 100],
      [10, 110],
      [20, 2],
      [30, 12],
    ] as const)
      ring.record(after(at), [cpuOf('web', value)]);
    const at = (seconds: number) => ({ start: after(seconds) / 1_000, end: after(seconds) / 1_000 });
    const rate = `sum(rate(${metric.cpu}{pod="web"}[120s]))`;
    assert.equal(read(ring, rate, at(30)), [[after(30), 22 / 30]]);
    assert.equal(read(ring, `sum(${metric.cpu}{pod!="api"})`, at(50)), [[after(50), 12]]);
    assert.equal(read(ring, `sum(${metric.cpu}{pod!~"api|b"})`, at(60)), []);
    for (const query of ['up', 'avg(up)', 'sum(up{a=b})', 'sum(up{a=~"("})']) assert.is(readQuery(query), null, query);
  },
);

spec('usage older than a day is removed, and the number of series is limited', () => {
  const ring = createUsageRing();
  const day = 86_400;
  ring.record(after(0), [cpuOf('old', 1)]);
  ring.record(after(day), [cpuOf('new', 2)]);
  assert.equal(
    ring.of(metric.cpu).map((one) => one.labels['pod']),
    ['old', 'new'],
  );
  ring.record(after(day + 3_600), [cpuOf('new', 3)]);
  const [left, ...more] = ring.of(metric.cpu);
  assert.equal([left?.labels['pod'], more.length], ['new', 0]);
  assert.equal(left?.between(began, after(2 * day)), [
    [after(day), 2],
    [after(day + 3_600), 3],
  ]);
  const full = createUsageRing();
  full.record(after(0), [cpuOf('first', 1)]);
  full.record(
    began + readEveryMs,
    Array.from({ length: mostSeries }, (_, at) => cpuOf(`pod-${at}`, at)),
  );
  const kept = full.of(metric.cpu);
  assert.equal([kept.length, kept.some((one) => one.labels['pod'] === 'first')], [mostSeries, false]);
});

spec('the usage endpoint answers queries in the Prometheus format', async () => {
  const server = await startUsageServer(filled(60), () => {});
  const range = { start: after(0) / 1_000, end: after(60) / 1_000, step: 30 };
  const ask = (url: string, query: string) =>
    Effect.runPromise(Effect.result(prometheusStore().range({ url, query, ...range })));
  const query = `sum(rate(${metric.cpu}{namespace="shop"}[120s]))`;
  const told = await ask(server.url, query);
  assert.equal(told._tag === 'Success' && told.success, [
    { t: after(30) / 1_000, v: 1.5 },
    { t: after(60) / 1_000, v: 1.5 },
  ]);
  const refused = await ask(server.url, 'up');
  assert.match(JSON.stringify(refused), 'only the sum of a metric');
  assert.is((await fetch(`${new URL(server.url).origin}/api/v1/query_range`, { method: 'POST' })).status, 404);
  await server.stop();
});

spec.run();
