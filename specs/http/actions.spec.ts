import * as assert from 'uvu/assert';
import type { BuildStatus, CoreBuild } from '../../crds/coreBuild.ts';
import { systemNamespace } from '../../crds/names.ts';
import { newestMove } from '../../runtime/step/history.ts';
import { apps, builds, projects } from '../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { sendRaw, statusesIn } from './raw.ts';
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
  'BLD-120 BLD-121 BLD-123 a rebuild resets the current build, recorded with its caller, and creates none',
  async () => {
    const name = await served.addApp(
      'shop',
      {},
      {
        phase: 'Succeeded',
        startedAt: '2026-01-01T00:00:00.000Z',
        imageDigest: 'sha256:1',
        sourceRevision: 'abc',
        ciState: 'success',
        ciChecks: ['test'],
        logRef: 'pod-log://x/builder',
      },
    );
    const last = { name: `${name}-builder`, namespace: systemNamespace, uid: 'of-the-last-run' };
    served.world.cluster.put(jobs, { metadata: last, spec: {} });
    const versions: BuildStatus[] = [];
    served.world.cluster.onChange((changed) => {
      if (changed.kind === 'CoreBuild') versions.push((changed as CoreBuild).status ?? {});
    });
    const { status, text } = await post('/api/apps/shop/build');
    assert.is(status, 200);
    assert.is(text, `{"name":"${name}","state":"Pending"}`);
    const asked = served.world.build(name)?.status?.history?.find(({ event }) => event === 'rebuildAsked');
    assert.equal([asked?.by, asked?.from, asked?.to], ['admin', 'Succeeded', 'Pending']);
    const { phase: put, history: _, causes = [], ...left } = versions[0] ?? {};
    assert.equal(
      [put, left, causes.map(({ reason }) => reason)],
      ['Pending', { observedGeneration: 1 }, ['BuildRunning']],
    );
    const isOld = () => served.world.cluster.all(jobs).some(({ metadata }) => metadata.uid === last.uid);
    await until(() => !isOld(), 'the Job of the last run is deleted');
    assert.is(served.world.cluster.created.filter(({ plural }) => plural === 'corebuilds').length, 1);
  },
);

actions('SEC-004 a command is not carried out when its body is refused', async () => {
  const name = await served.addApp('shop');
  await until(() => phase(name) === 'Running', 'the build runs');
  const head = ['POST /api/v1/apps/shop/build/cancel HTTP/1.1', `Host: ${new URL(served.url).host}`];
  const signedIn = [`Cookie: ${served.cookieOf()}`, `Origin: ${served.url}`, 'Connection: close'];
  const send = (framing: string, body: string) =>
    sendRaw(served.url, [...head, ...signedIn, framing, '', body].join('\r\n'));
  const refused = [
    await send('Transfer-Encoding: chunked', '\r\n'),
    await send('Transfer-Encoding: chunked', 'zz\r\n'),
    await send('Content-Length: 70000', 'x'.repeat(70_000)),
  ];
  assert.equal(refused.flatMap(statusesIn), [400, 400, 413]);
  assert.is(served.world.build(name)?.status?.cancelRequested, undefined);
  assert.equal(statusesIn(await send('Content-Length: 2', '{}')), [200]);
  assert.is(served.world.build(name)?.status?.cancelRequested, true);
});

actions('BLD-124 BLD-125 BLD-142 BLD-143 a cancel succeeds while the build runs', async () => {
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

actions('BLD-141 a build command is refused when the service or its build does not exist', async () => {
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

actions('BLD-101 the current build is the one the service names, not the newest', async () => {
  await served.addApp('shop', {}, { phase: 'Cancelled' });
  const old = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const made = served.world.build(old);
  if (made) served.world.cluster.put(builds, { ...made, metadata: { ...made.metadata, name: 'shop-build-9' } });
  await until(() => served.operator.caches.get(builds, 'shop-build-9'), 'the newer build');
  assert.match((await post('/api/apps/shop/build')).text, `"name":"${old}"`);
});

actions(
  'BLD-128 BLD-129 DEP-074 an admin builds, cancels and rolls back, a project token only its own service',
  async () => {
    const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
    const otherName = await served.addApp('other', {}, { phase: 'Cancelled' });
    served.world.cluster.put(projects, {
      metadata: { name: 'demo', namespace: systemNamespace },
      spec: { clusterRef: { name: 'local' }, environments: ['production', 'staging'] },
    });
    await until(() => served.operator.caches.get(projects, 'demo'), 'the project');
    const movesOf = (of: string) => served.world.build(of)?.status?.history ?? [];
    const inProject = (environment: string) => ({ name: environment, role: undefined, project: 'demo', environment });
    const tokens = {
      viewer: await served.makeToken({ name: 'v', role: 'viewer' }),
      observer: await served.makeToken({ name: 'o', role: 'observer' }),
      elsewhere: await served.makeToken(inProject('staging')),
      own: await served.makeToken(inProject('production')),
      admin: await served.makeToken({ name: 'a', role: 'admin' }),
    };
    const headers = { 'content-type': 'application/json' };
    const asked = async (who: keyof typeof tokens, path: string) =>
      (await served.askAs(tokens[who].token, `/api/apps/${path}`, { method: 'POST', headers, body: '{}' })).status;
    for (const action of ['build', 'build/cancel', 'rollback']) {
      assert.is((await served.askPlain(`/api/apps/shop/${action}`, { method: 'POST' })).status, 401);
      for (const who of ['viewer', 'observer'] as const) assert.is(await asked(who, `shop/${action}`), 403, who);
      assert.is(await asked('elsewhere', `shop/${action}`), 404);
    }
    assert.equal([movesOf(name), movesOf(otherName)], [[], []]);
    for (const who of ['own', 'admin'] as const) {
      assert.is(await asked(who, 'shop/build'), 200, who);
      assert.is(await asked(who, 'shop/rollback'), 400, `${who} names no record`);
    }
    assert.is(movesOf(name).filter(({ event }) => event === 'rebuildAsked').length, 2);
  },
);

actions('a requested pass records no move', async () => {
  const name = await served.addApp('shop', { registry: '' });
  await until(() => phase(name) === 'Failed', 'the build fails');
  const before = newestMove(served.world.build(name) ?? { metadata: { name } }, 'build');
  const { status } = await post(`/api/v1/builds/${name}/reconcile`);
  assert.is(status, 200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(newestMove(served.world.build(name) ?? { metadata: { name } }, 'build'), before);
  assert.is((await post('/api/v1/builds/ghost/reconcile')).status, 404);
});
actions.run();
