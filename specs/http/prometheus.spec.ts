import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { databaseQueries, projectQueries, type Queries, serviceQueries } from '../../rules/usage/queries.ts';
import { prometheusStore } from '../../runtime/services/metricsStore.ts';
import { noPrometheus, startPrometheus } from '../support/prometheus.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('queries of a real Prometheus');
const test = unless(spec, noPrometheus());
const namespace = 'shop-production';

/** What cAdvisor, the kubelet and Traefik tell, growing by the second. */
function page(): string {
  const seconds = Date.now() / 1_000;
  const lines = (pod: string, container: string, share: number) => {
    const of = `{namespace="${namespace}",pod="${pod}"`;
    return [
      `container_cpu_usage_seconds_total${of},container="${container}"} ${seconds * share}`,
      `container_memory_working_set_bytes${of},container="${container}"} ${share * 1_000}`,
      `container_network_transmit_bytes_total${of}} ${seconds * share * 10}`,
      `container_network_receive_bytes_total${of}} ${seconds * share * 20}`,
    ];
  };
  return [
    ...lines('web-7f9c8d6b5-x2x4z', 'app', 1),
    ...lines('web-7f9c8d6b5-q7k2p', 'app', 2),
    ...lines('web-7f9c8d6b5-q7k2p', 'POD', 400),
    ...lines('web-api-7f9c8d6b5-x2x4z', 'app', 4_000),
    ...lines('orders-1', 'postgres', 8),
    `kubelet_volume_stats_used_bytes{namespace="${namespace}",persistentvolumeclaim="orders-1"} 4096`,
    `kubelet_volume_stats_used_bytes{namespace="${namespace}",persistentvolumeclaim="orders-eu-1"} 1`,
    `traefik_service_requests_total{service="${namespace}-web-http@kubernetes",code="200"} ${seconds * 5}`,
    `traefik_service_requests_total{service="${namespace}-web-api-http@kubernetes",code="200"} ${seconds * 500}`,
    '',
  ]
    .filter((line, at, all) => all.findIndex((one) => one.split(' ')[0] === line.split(' ')[0]) === at || line === '')
    .join('\n');
}

let prometheus: Awaited<ReturnType<typeof startPrometheus>> | undefined;
spec.after(() => prometheus?.stop());

test('CLI-240 CLI-241 CLI-242 each query counts only its own series in the documented unit', async () => {
  const { url } = (prometheus = await startPrometheus(page));
  const store = prometheusStore();
  const newest = async (query: string, end: number) => {
    const points = await Effect.runPromise(store.range({ url, query, start: end - 15, end, step: 15 }));
    return points.at(-1)?.v ?? 0;
  };
  const web = serviceQueries({ name: 'web', namespace }, 15);
  // A rate needs two scrapes.
  await until(async () => (await newest(web.cpu ?? '', Date.now() / 1_000)) > 0, 'a rate is available');
  const now = Date.now() / 1_000;
  // Of seconds of growth in minutes, each rate at a moment is the same share.
  const share = (await newest(web.cpu ?? '', now)) / 3;
  const read = async (queries: Queries) => {
    const values = await Promise.all(
      Object.entries(queries).map(async ([name, query]) => {
        const value = await newest(query, now);
        return [name, Math.round(query.includes('rate(') ? value / share : value)] as const;
      }),
    );
    return Object.fromEntries(values);
  };
  assert.equal(await read(web), { cpu: 3, memory: 3_000, network: 30, networkIn: 60, requests: 5 });
  assert.equal(await read(databaseQueries({ name: 'orders', namespace, engine: 'Postgres' }, 15)), {
    cpu: 8,
    memory: 8_000,
    network: 80,
    networkIn: 160,
    storage: 4_096,
  });
  assert.is((await read(projectQueries([namespace], 15)))['cpu'], 4_011);
});

spec.run();
