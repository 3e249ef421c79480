import * as assert from 'uvu/assert';
import { newestMove } from '../../runtime/history.ts';
import { apps, builds } from '../../runtime/kinds.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/world.ts';
import { app, serve, type Served } from './served.ts';

const actions = suite('actions');
let served: Served;
actions.before.each(async () => {
  served = await serve();
});
actions.after.each(() => served.stop());

const post = (path: string) => served.ask(path, { method: 'POST' });
const notBuilt = '{"error":"the app has not been built yet"}';
const finished = '{"error":"the build has already finished, so there is nothing to cancel"}';
const phase = (name: string) => served.world.build(name)?.status?.phase;

actions(
  'BLD-120 BLD-121 BLD-123 a rebuild puts the current build back to the start, by whoever asked, and makes none',
  async () => {
    const name = await served.addApp(
      'shop',
      {},
      { phase: 'Succeeded', imageDigest: 'sha256:1', logRef: 'pod-log://x/builder' },
    );
    const { status, text } = await post('/api/apps/shop/build');
    assert.is(status, 200);
    assert.is(text, `{"name":"${name}","state":"Pending"}`);
    const asked = served.world.build(name)?.status?.history?.find(({ event }) => event === 'rebuildAsked');
    assert.equal([asked?.by, asked?.from, asked?.to], ['admin', 'Succeeded', 'Pending']);
    assert.is(served.world.build(name)?.status?.imageDigest, undefined);
    assert.is(served.world.cluster.created.filter(({ plural }) => plural === 'corebuilds').length, 1);
  },
);

actions('BLD-124 BLD-125 BLD-142 BLD-143 a cancel acts while there is something to cancel', async () => {
  const name = await served.addApp('shop');
  await until(() => phase(name) === 'Running', 'the build runs');
  const { status, text } = await post('/api/v1/apps/shop/build/cancel');
  assert.is(status, 200);
  assert.is(text, `{"name":"${name}","state":"Cancelled"}`);
  assert.is(served.world.build(name)?.status?.cancelRequested, true);
  const again = await post('/api/apps/shop/build/cancel');
  assert.is(again.status, 409);
  assert.is(again.text, finished);
  for (const status of [
    { phase: 'Succeeded' as const, logRef: 'x' },
    { phase: 'Failed' as const, logRef: 'x' },
    { phase: 'Failed' as const },
  ]) {
    const other = await served.addApp(
      `app-${Object.keys(status).length}${status.phase.toLowerCase()}`,
      { registry: '' },
      status,
    );
    const refused = await post(`/api/apps/${other.replace('-build-1', '')}/build/cancel`);
    assert.is(refused.status, 409);
    assert.is(refused.text, finished);
    assert.is(phase(other), status.phase);
  }
});

actions('BLD-141 a service without a build, one that is unknown, and a build that has just gone', async () => {
  served.world.cluster.put(apps, app('bare', { deploy: { enabled: false } }));
  await until(() => served.operator.caches.get(apps, 'bare'), 'the app');
  for (const action of ['build', 'build/cancel']) {
    const none = await post(`/api/apps/bare/${action}`);
    assert.is(none.status, 409);
    assert.is(none.text, notBuilt);
    const unknown = await post(`/api/apps/ghost/${action}`);
    assert.is(unknown.status, 404);
    assert.is(unknown.text, '{"error":"service \\"ghost\\" was not found"}');
  }
  const name = await served.addApp('shop');
  await until(() => phase(name) === 'Running', 'the build runs');
  served.world.cluster.lag(builds, true);
  served.world.cluster.drop(builds, name);
  const gone = await post('/api/apps/shop/build');
  assert.is(gone.status, 409);
  assert.is(gone.text, notBuilt);
  served.world.cluster.lag(builds, false);
});

actions('BLD-122 the current build is the one the service names, not the newest', async () => {
  await served.addApp('shop', {}, { phase: 'Cancelled' });
  const old = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const made = served.world.build(old);
  if (made) served.world.cluster.put(builds, { ...made, metadata: { ...made.metadata, name: 'shop-build-9' } });
  await until(() => served.operator.caches.get(builds, 'shop-build-9'), 'the newer build');
  assert.match((await post('/api/apps/shop/build')).text, `"name":"${old}"`);
});

actions('a look is a look and no move', async () => {
  const name = await served.addApp('shop', { registry: '' });
  await until(() => phase(name) === 'Failed', 'the build fails');
  const before = newestMove(served.world.build(name) ?? { metadata: { name } }, 'build');
  const { status } = await post(`/api/v1/builds/${name}/look`);
  assert.is(status, 200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(newestMove(served.world.build(name) ?? { metadata: { name } }, 'build'), before);
  assert.is((await post('/api/v1/builds/ghost/look')).status, 404);
});
actions.run();
