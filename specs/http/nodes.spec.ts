import * as assert from 'uvu/assert';
import type { Items, Nodes, Platform, Read, Summary } from '../../http/api.ts';
import { annotation, key, systemNamespace } from '../../crds/names.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { clusters, databases, nodes } from '../../runtime/services/cluster/kinds.ts';
import { putCluster } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { passwordHash, serveEverything, type Served } from './served.ts';

const spec = suite('nodes and clusters, over REST');
let served: Served;
spec.before.each(async () => {
  served = await serveEverything({ vera: { role: 'viewer', password: passwordHash, epoch: 0 } });
});
spec.after.each(() => served.stop());

const base = '/api/v1/nodes';
const stored = (name = 'rack-1') => served.world.cluster.all(nodes).find(({ metadata }) => metadata.name === name);
const json = { 'content-type': 'application/json' };
const send = (method: string, path: string, body?: object) =>
  served.ask(path, { method, headers: json, ...(body && { body: JSON.stringify(body) }) });
const said = async (answer: Promise<{ readonly status: number; readonly text: string }>) => {
  const { status, text } = await answer;
  return status < 300 ? status : `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
};
const add = (over: object = {}) => send('POST', base, { name: 'rack-1', address: '192.0.2.7', ...over });
async function putNode(name: string, tags: readonly string[]) {
  served.world.cluster.put(clusterNodes, {
    metadata: { name, labels: Object.fromEntries(tags.map((tag) => [`core.platform/tag-${tag}`, 'true'])) },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await until(() => served.operator.caches.get(clusterNodes, name), 'the node is cached');
}
const settled = (check: () => unknown, what: string) => until(check, what);

spec('servers are listed by name in pages, followed by the other nodes', async () => {
  for (const name of ['rack-2', 'rack-1']) await send('POST', base, { name, address: '192.0.2.7' });
  for (const name of ['a', 'b']) await putNode(name, []);
  await settled(() => served.operator.caches.list(nodes).length === 2, 'both are cached');
  const namesIn = ({ items, unmanaged }: Nodes) => [items, unmanaged].map((some) => some.map(({ name }) => name));
  const read = async (query: string) => (await served.ask(`${base}${query}`)).json() as Nodes;
  const whole = namesIn(await read(''));
  assert.equal(whole, [
    ['rack-1', 'rack-2'],
    ['a', 'b'],
  ]);
  const pages: Nodes[] = [await read('?limit=3')];
  const [{ continue: from = '' } = { continue: '' }] = pages;
  await putNode('aa', []);
  pages.push(await read(`?limit=3&continue=${from}`));
  assert.equal(pages.map(namesIn), [
    [['rack-1', 'rack-2'], ['a']],
    [[], ['aa', 'b']],
  ]);
  assert.is(pages[1]?.continue, undefined);
  assert.is(await said(send('GET', `/api/v1/apps?continue=${from}`)), '400 continue is of another list');
  assert.is(await said(send('GET', `${base}?continue=${from.slice(0, -1)}`)), '400 continue is of another list');
});

spec('KND-013 a server is added, listed, read, changed and removed', async () => {
  await putNode('rack-1', []);
  assert.is(await said(add({ tags: ['fast'], reserved: 'slow' })), '400 reserved must be one of the tags');
  assert.is(await said(add({ region: 'north', tags: ['fast'], reserved: 'fast' })), 201);
  assert.is(await said(add()), '409 node "rack-1" already exists');
  await settled(() => served.operator.caches.get(nodes, 'rack-1')?.status?.phase === 'Joined', 'it is joined');
  const { items } = (await served.ask(base)).json() as Items<Summary>;
  assert.equal(items[0]?.details, {
    region: 'north',
    tags: ['fast'],
    reserved: 'fast',
    phase: 'Joined',
    ready: true,
    schedulable: true,
    address: '192.0.2.7',
    reason: 'NodeReady',
  });
  assert.is(items[0]?.state, 'ready');
  assert.is(await said(send('PATCH', `${base}/rack-1`, { address: '192.0.2.8', region: '' })), 200);
  assert.equal(stored()?.spec, { address: '192.0.2.8', tags: ['fast'], reserved: 'fast' });
  const read = (await served.ask(`${base}/rack-1`)).json() as Read;
  assert.is(read.resource.kind, 'CoreNode');

  const asViewer = await served.ask(base, {
    headers: { cookie: served.cookieOf({ username: 'vera', role: 'viewer' }) },
  });
  assert.not.match(asViewer.text, /192\.0\.2/);
  assert.is(await said(send('DELETE', `${base}/rack-1`)), '400 confirmName must be the name of the node');
  assert.is(await said(send('DELETE', `${base}/rack-1?confirmName=rack-1`)), 200);
  await settled(() => stored() === undefined, 'it is gone');
  assert.is(await said(served.ask(`${base}/rack-1`)), '404 node "rack-1" was not found');
});

spec('KND-013 a node without an entry is listed separately until it has one', async () => {
  const addresses = [
    { type: 'Hostname', address: 'rack-1' },
    { type: 'InternalIP', address: '192.0.2.7' },
  ];
  const conditions = [{ type: 'Ready', status: 'False' }];
  const labels = {
    'core.platform/region': 'eu',
    'core.platform/tag-ssd': 'true',
    'core.platform/tag-gpu': 'true',
    'core.platform/tag-old': 'false',
    'kubernetes.io/os': 'linux',
  };
  served.world.cluster.put(clusterNodes, { metadata: { name: 'rack-2', labels }, status: { addresses, conditions } });
  await putNode('rack-3', []);
  const unmanaged = async (cookie?: string) =>
    ((await served.ask(base, cookie === undefined ? {} : { headers: { cookie } })).json() as Nodes).unmanaged;
  const second = { name: 'rack-2', ready: false, address: '192.0.2.7', region: 'eu', tags: ['gpu', 'ssd'] };
  const third = { name: 'rack-3', ready: true, address: 'rack-3', region: '', tags: [] };
  assert.equal(await unmanaged(), [second, third]);
  const asViewer = await unmanaged(served.cookieOf({ username: 'vera', role: 'viewer' }));
  assert.equal(asViewer, [
    { ...second, address: '' },
    { ...third, address: '' },
  ]);
  // The node of a server is the one of its name, else the one at its address.
  await add({ name: 'rack-1', address: '192.0.2.7' });
  await settled(() => served.operator.caches.get(nodes, 'rack-1'), 'the server is cached');
  assert.equal(await unmanaged(), [third]);
});

spec('the platform reports what runs its pods', async () => {
  const platform = async () => (await served.ask('/api/v1/platform')).json() as Platform;
  const metadata = { name: 'rack-1', annotations: { [key('machine')]: 'podman' } };
  const { gitHost, release, ...runs } = await platform();
  assert.equal([gitHost, release], ['https://git.example', { program: 'dev', kinds: null }]);
  assert.equal(runs, { simulatedNodes: false, podmanNode: false });
  served.world.cluster.put(clusterNodes, { metadata });
  await settled(async () => (await platform()).podmanNode, 'the node is cached');
});

spec('tags are replaced as a whole, and one that a database needs is kept', async () => {
  await putNode('rack-1', []);
  await add();
  const tag = (tags: readonly string[], reserved?: string) =>
    said(send('POST', `${base}/rack-1/tags`, { tags, ...(reserved === undefined ? {} : { reserved }) }));
  assert.is(await tag(['certified', 'fast'], 'certified'), 200);
  const labels = () => served.operator.caches.get(clusterNodes, 'rack-1')?.metadata.labels ?? {};
  await settled(() => labels()['core.platform/tag-certified'] === 'true', 'the node carries the tag');
  assert.match(String(await tag(['Not a tag'])), /^400 tags/);
  assert.is(await tag(['fast'], 'certified'), '400 reserved must be one of the tags');
  assert.match(String(await said(send('POST', `${base}/none/tags`, { tags: [] }))), /^404/);

  const database = databaseOf({ project: 'shop', environment: 'production' });
  served.world.cluster.put(databases, {
    ...database,
    metadata: {
      name: 'orders',
      namespace: systemNamespace,
      annotations: { [annotation.nodePlacement]: JSON.stringify({ required: ['certified'] }) },
    },
  });
  await settled(() => served.operator.caches.get(databases, 'orders'), 'the database is cached');
  assert.is(
    await tag(['fast']),
    '409 project "shop" requires the tag "certified", and without it here its database "orders" has no node',
  );
  assert.equal(stored()?.spec.tags, ['certified', 'fast']);
  await putNode('other', ['certified']);
  assert.is(await tag(['fast']), 200);
  assert.equal(stored()?.spec, { address: '192.0.2.7', tags: ['fast'] });
});

spec('KND-012 PLC-072 the settings of a cluster apply at once and are cleared by an empty value', async () => {
  putCluster(served.world);
  await settled(() => served.operator.caches.get(clusters, 'local'), 'the cluster is cached');
  const change = (body: object) => said(send('PATCH', '/api/v1/clusters/local', body));
  assert.is(await change({ acmeEmail: 'ops@example.org', addons: { serverless: true } }), 200);
  const { items } = (await served.ask('/api/v1/clusters')).json() as Items<Read>;
  assert.equal(items[0]?.spec, {
    defaultRegion: 'local',
    acmeEmail: 'ops@example.org',
    addons: { serverless: true },
  });
  assert.is(await change({ acmeEmail: '', addons: { storage: true } }), 200);
  assert.equal(served.world.cluster.all(clusters)[0]?.spec, {
    defaultRegion: 'local',
    addons: { serverless: true, storage: true },
  });
  assert.match(String(await said(send('PATCH', '/api/v1/clusters/none', {}))), /^404/);
  const asViewer = await served.ask('/api/v1/clusters', {
    headers: { cookie: served.cookieOf({ username: 'vera', role: 'viewer' }) },
  });
  assert.is(asViewer.status, 200);
  assert.not.match(asViewer.text, /ops@/);
});

spec.run();
