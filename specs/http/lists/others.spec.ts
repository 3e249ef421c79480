import * as assert from 'uvu/assert';
import type { Bootstrap, Items } from '../../../http/api.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { apps, databases, logicalDatabases } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { passwordHash, serve, type Served } from '../served.ts';
import { type Named, putApps, reading, removeApp, resting } from './given.ts';

const spec = suite('pages of other lists');
let served: Served;
let list: ReturnType<typeof reading>;
spec.before.each(async () => {
  served = await serve({}, { eve: { role: 'viewer', password: passwordHash, epoch: 0 } });
  list = reading((path) => served.ask(path));
});
spec.after.each(() => served.stop());

spec('builds are listed newest first in pages, filtered by service and state', async () => {
  for (const name of ['b0', 'b1', 'b2'])
    await served.addApp(name, {}, { phase: 'Failed', logRef: 'pod-log://x/builder' });
  const whole = await list.names('/builds');
  assert.is(whole.length, 3);
  assert.equal((await list.pages('/builds?limit=2')).flat(), whole);
  assert.equal(await list.pages('/builds?limit=1&app=b1'), [['b1-build-1']]);
  assert.equal(await list.names('/builds?search=B1'), ['b1-build-1']);
  assert.equal((await list.pages('/builds?limit=1&state=failed')).flat(), whole);
  const { continue: from = '' } = await list.page('/builds?limit=1');
  assert.is(await list.refusal(`/builds?app=b1&continue=${from}`), '400 continue is of another list');
});

spec('instances of all kinds of a machine are listed by name in pages', async () => {
  await putApps(served, ['b', 'a', 'd', 'c']);
  const whole = await list.page('/machines/service/instances');
  assert.equal(
    whole.items.map(({ name }) => name),
    ['a', 'b', 'c', 'd'],
  );
  assert.equal(await list.pages('/machines/service/instances?limit=3'), [['a', 'b', 'c'], ['d']]);
  const { continue: from = '' } = await list.page('/machines/service/instances?limit=2');
  await removeApp(served, 'c');
  await putApps(served, ['bb', 'aa']);
  assert.equal(await list.names(`/machines/service/instances?continue=${from}`), ['bb', 'd']);
  assert.is(await list.refusal(`/machines/draftDeploy/instances?continue=${from}`), '400 continue is of another list');
  assert.is(
    await list.refusal('/machines/service/instances?limit=1001'),
    '400 limit must be a whole number from 1 to 1000',
  );
  assert.equal(await list.names('/machines/service/instances?search=B'), ['b', 'bb']);
});

spec('API-003 the whole platform is read in pages across its lists, each object once', async () => {
  await served.addApp('b0', {}, { phase: 'Failed', logRef: 'pod-log://x/builder' });
  await putApps(served, ['a', 'c']);
  const read = async (query: string) => (await served.ask(`/api/v1/bootstrap${query}`)).json() as Bootstrap;
  const whole = await read('');
  const found: Record<string, string[]> = {};
  for (let from: string | undefined = ''; from !== undefined;) {
    const {
      platform: _,
      continue: next,
      ...lists
    }: Bootstrap = await read(`?limit=2${from === '' ? '' : `&continue=${from}`}`);
    assert.ok(Object.values(lists).flat().length <= 2);
    for (const [name, objects] of Object.entries(lists))
      (found[name] ??= []).push(...objects.map(({ metadata }) => metadata.name));
    from = next;
  }
  const { platform: _, ...lists } = whole;
  for (const [name, objects] of Object.entries(lists))
    assert.equal(
      found[name],
      (objects as Bootstrap['apps']).map(({ metadata }) => metadata.name),
      name,
    );
});

spec(
  'a list in object order continues after its last item, and is refused as too old when that item is deleted',
  async () => {
    await putApps(served, ['web']);
    for (const key of ['A', 'B', 'C']) await served.post('/api/v1/apps/web/config/set', { key, value: '1' });
    const whole = await list.names('/apps/web/variables');
    assert.equal(whole.slice(0, 3), ['A', 'B', 'C']);
    assert.equal((await list.pages('/apps/web/variables?limit=2')).flat(), whole);
    const { continue: from = '' } = await list.page('/apps/web/variables?limit=2');
    await served.post('/api/v1/apps/web/config/delete', { key: 'C' });
    const rest = whole.slice(3);
    assert.equal(await list.names(`/apps/web/variables?continue=${from}`), rest);
    await served.post('/api/v1/apps/web/config/delete', { key: 'B' });
    assert.is(await list.refusal(`/apps/web/variables?continue=${from}`), '410 continue is too old: begin again');
  },
);

spec('API-004 a row is cached per role and rebuilt when its object changes', async () => {
  await putApps(served, ['web'], { source: { image: 'registry.example/secret:1' } });
  const details = async (username: string) => {
    const cookie = served.cookieOf({ username, role: username === 'eve' ? 'viewer' : 'admin' });
    const answer = await served.ask('/api/v1/apps?limit=10', { headers: { cookie } });
    const { items } = answer.json() as Items<Named & { readonly details: { readonly image: string } }>;
    return items[0]?.details.image;
  };
  for (let again = 0; again < 2; again++) {
    assert.is(await details('admin'), 'registry.example/secret:1');
    assert.is(await details('eve'), '');
  }
  served.world.cluster.put(apps, resting('web', { source: { image: 'registry.example/secret:2' } }));
  await until(() => served.operator.caches.get(apps, 'web')?.spec.source.image?.endsWith('2'), 'it is cached');
  assert.is(await details('admin'), 'registry.example/secret:2');
});

spec('users and API tokens are listed by name in pages, each once', async () => {
  for (const name of ['c', 'a', 'b']) await served.makeToken({ name });
  for (const path of ['/users', '/tokens']) {
    const whole = await list.names(path);
    assert.ok(whole.length > 1, path);
    assert.equal(whole, whole.toSorted());
    assert.equal(
      await list.pages(`${path}?limit=1`),
      whole.map((name) => [name]),
    );
    assert.is(await list.refusal(`${path}?limit=0`), '400 limit must be a whole number from 1 to 1000');
    const { continue: from = '' } = await list.page(`${path}?limit=1`);
    assert.is(await list.refusal(`/apps?continue=${from}`), '400 continue is of another list');
    served.clock.ahead += 5 * 60_000 + 1;
    const cookie = served.cookieOf();
    const later = reading((of) => served.ask(of, { headers: { cookie } }));
    assert.is(await later.refusal(`${path}?continue=${from}`), '410 continue is too old: begin again');
    served.clock.ahead = 0;
  }
});

spec('servers are filtered by whether they are shared, and logical databases by their server', async () => {
  const { world, operator } = served;
  const put = (name: string, place: object) =>
    world.cluster.put(databases, {
      metadata: { name, namespace: systemNamespace },
      spec: { engine: 'Postgres', ...place },
    } as never);
  const demo = { project: 'demo', environment: 'production' };
  put('shared', {});
  put('own', demo);
  for (const [name, serverRef] of [
    ['a', 'shared'],
    ['b', 'own'],
    ['c', 'shared'],
  ] as const)
    world.cluster.put(logicalDatabases, {
      metadata: { name, namespace: systemNamespace },
      spec: { ...demo, serverRef },
    } as never);
  await until(
    () => operator.caches.list(logicalDatabases).length === 3 && operator.caches.get(databases, 'own'),
    'cached',
  );
  assert.equal(await list.names('/databases?shared=true'), ['shared']);
  assert.equal(await list.names('/databases?shared=false'), ['own']);
  assert.equal(await list.pages('/logical-databases?server=shared&limit=1'), [['a'], ['c']]);
  assert.equal(await list.names('/logical-databases?server=own'), ['b']);
  assert.equal(await list.names('/logical-databases?server=none'), []);
});

spec('a continue token of one replica is valid on another', async () => {
  await putApps(served, ['a', 'b', 'c']);
  const other = await served.standBy();
  const { continue: from = '' } = await list.page('/apps?limit=1');
  const there = reading((path) => other.ask(path));
  assert.equal(await there.names(`/apps?continue=${from}`), ['b', 'c']);
  await other.stop();
});

spec.run();
