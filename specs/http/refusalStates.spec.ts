import * as assert from 'uvu/assert';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { schemasOf } from '../../http/route.ts';
import { allRoutes } from '../../http/routes/list.ts';
import tables from '../../machines/tables.json' with { type: 'json' };
import { apps, databases, logicalDatabases, objectStores } from '../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import type { Served } from './served.ts';
import { placed, serveShop } from './services/given.ts';

const spec = suite('refusals and machine states');
let served: Served;
spec.before.each(async () => {
  served = await serveShop();
});
spec.after.each(() => served.stop());

const states = Object.values(tables).flatMap((table) => table.states);
const named = new RegExp(`\\b(${states.filter((state) => /^[A-Z]/.test(state)).join('|')})\\b`);

/** Fields that a command takes; each is sent where its route has it. */
const fields: Readonly<Record<string, unknown>> = {
  key: 'KEY',
  name: 'nightly',
  value: 'v',
  replicas: 1,
  revision: 'none',
  confirmName: 'web',
  statement: 'select 1',
  cron: '0 3 * * 1',
};
const sent = (of: object | undefined) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name in (of ?? {})));

interface Schema {
  readonly group: string;
  readonly body?: { readonly schema: { readonly properties?: object } };
}

/** Each refusal of a command on one of the objects called `web`, with its route. */
async function refusals(): Promise<readonly string[]> {
  const said: string[] = [];
  // What is deleted is asked nothing more.
  const isLast = ([route]: readonly [string, unknown]) => Number(route.startsWith('DELETE'));
  for (const [route, schema] of Object.entries<Schema>(schemasOf(allRoutes)).toSorted(
    (a, b) => isLast(a) - isLast(b),
  )) {
    const [method = '', path = ''] = route.split(' ');
    if (method === 'GET' || !/\{(app|database|store|logicalDatabase)\}/.test(path)) continue;
    const url = `/api/v1${path.replaceAll(/\{\w+\}/g, 'web')}${method === 'DELETE' ? '?confirmName=web' : ''}`;
    const body = JSON.stringify(sent(schema.body?.schema.properties));
    const { status, text } = await served.ask(url, {
      method,
      ...(method !== 'DELETE' && { headers: { 'content-type': 'application/json' }, body }),
    });
    if (status >= 400) said.push(`${route}: ${status} ${(JSON.parse(text) as { readonly error: string }).error}`);
  }
  return said;
}

const source = { git: { repository: 'demo/shop', branch: 'main', waitForCI: false } };
const kinds: readonly (readonly [Resource, object])[] = [
  [apps, { ...placed, source }],
  [databases, { ...placed, engine: 'Postgres' }],
  [objectStores, { ...placed, mode: 'Server' }],
  [logicalDatabases, { ...placed, serverRef: 'main', databaseName: 'web' }],
];

/** Puts one object of each kind, which no pass looks at. */
async function put(more: { readonly metadata?: object; readonly spec?: object; readonly status?: object }) {
  for (const [resource, of] of kinds) {
    const annotations = { [annotation.paused]: 'true', [annotation.deployWorkflow]: 'true' };
    const metadata = { name: 'web', namespace: systemNamespace, annotations, ...more.metadata };
    const written = served.world.cluster.put(resource, {
      metadata,
      spec: { ...of, ...more.spec },
      status: more.status,
    } as KubeObject);
    const version = Number(written.metadata.resourceVersion);
    const isCached = () => Number(served.operator.caches.get(resource, 'web')?.metadata.resourceVersion) >= version;
    await until(isCached, `${resource.kind} is cached`);
  }
}

const deploy = { enabled: true };
const lives = {
  'a draft': { spec: { deploy: { enabled: false } } },
  deployed: { spec: { deploy }, status: { phase: 'Provisioning' } },
  ready: { spec: { deploy }, status: { phase: 'Ready' } },
  'given up': {
    spec: { deploy },
    status: { phase: 'ProvisionFailed', reconcileRetry: { gaveUp: true, reconcileFailures: 5 } },
  },
  'being deleted': {
    metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['core.platform/x'] },
    spec: { deploy },
  },
};

spec('KND-039 no refusal of a command names a machine state, in any lifecycle state', async () => {
  const said = new Set<string>();
  for (const life of Object.values(lives)) {
    await put(life);
    for (const one of await refusals()) said.add(one);
  }
  assert.ok(said.has('POST /apps/{app}/retry: 409 there is nothing to retry: it has not been given up'));
  assert.equal(
    [...said].filter((one) => named.test(one)),
    [],
  );
});

spec.run();
