import { Context, Effect, Stream } from 'effect';
import * as assert from 'uvu/assert';
import { annotation, systemNamespace } from '../../crds/names.ts';
import type { BuildStatus } from '../../crds/coreBuild.ts';
import { builds, objectStores } from '../../runtime/services/cluster/kinds.ts';
import { pods, secrets } from '../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';
import { until, type TestEnvironment } from '../support/environment.ts';
import { listenTo } from './listener.ts';
import { serve, type Served } from './served.ts';

const log = suite('log');
let served: Served;
const run = '2026-01-01T00:00:00.000Z';

/** The world, except that its containers can be followed. */
const following = (services: TestEnvironment['services']) =>
  Context.add(services, Cluster, {
    ...Context.get(services, Cluster),
    logLines: () => Stream.make('one', 'two', 'three "quoted"'),
  });
log.before.each(async () => {
  served = await serve({}, {}, following);
});
log.after.each(() => served.stop());

const path = '/api/v1/builds/shop-build-1/log';
const error = async (query = '') => {
  const { status, text } = await served.ask(`${path}${query}`);
  return [status, (JSON.parse(text) as { error: string }).error] as const;
};
const put = (status: BuildStatus, spec = {}) => served.addApp('shop', { registry: '', ...spec }, status);
const addPod = (name: string, text: string) => {
  served.world.cluster.put(pods, {
    metadata: {
      name,
      namespace: systemNamespace,
      labels: { 'batch.kubernetes.io/job-name': 'shop-build-1-builder' },
      annotations: { [annotation.run]: run },
    },
    status: { phase: 'Succeeded' },
  });
  served.world.cluster.logs.set(name, text);
};
const ended = (phase: 'Failed' | 'Cancelled', at: number): BuildStatus => ({
  phase,
  startedAt: run,
  logRef: 'pod-log://shop-build-1-builder/builder',
  history: [
    {
      seq: 1,
      machine: 'build',
      from: 'Running',
      event: 'x',
      to: phase,
      by: 'operator',
      at: new Date(at).toISOString(),
      text: '',
    },
  ],
});

log('the log of the newest pod of the run is returned as text', async () => {
  await put({ phase: 'Succeeded', startedAt: run, logRef: 'pod-log://shop-build-1-builder/builder' });
  addPod('second', 'older\n');
  addPod('first', 'cloned\nbuilt\n');
  const { status, text, headers } = await served.ask(path);
  assert.is(status, 200);
  assert.is(text, 'cloned\nbuilt\n');
  assert.match(headers['content-type'] ?? '', 'text/plain');
  assert.is(headers['cache-control'], 'no-store');
  assert.is((await served.ask(`${path}?container=git`)).status, 200);
  for (const query of ['?container=other', '?tail=0', '?tail=-1', '?follow=perhaps'])
    assert.is((await error(query))[0], 400, query);
  assert.is((await served.ask('/api/v1/builds/ghost/log')).status, 404);
});

log('the log of a build answers that it has not started when it has no pod', async () => {
  const told = async (name: string, spec: object, phase: string) => {
    const build = await served.addApp(name, spec);
    await until(() => served.operator.caches.get(builds, build)?.status?.phase === phase, `${name} is ${phase}`);
    const { status, text } = await served.ask(`/api/v1/builds/${build}/log`);
    return [status, text];
  };
  const waiting = { connectionRef: { name: 'none' }, branch: 'main', revision: '' };
  assert.equal(await told('waits', waiting, 'WaitingForCI'), [404, '{"error":"The build has not started yet"}']);
  assert.equal(await told('runs', {}, 'Running'), [404, '{"error":"The builder has not started yet"}']);
  const failed = '{"error":"The build failed before its Job was created: there is no log"}';
  assert.equal(await told('fails', { registry: '' }, 'Failed'), [404, failed]);
});

log('the log answers 404 with the time of its deletion an hour after the end of its run', async () => {
  const at = served.now() - 10_000;
  await put(ended('Failed', at));
  assert.equal(await error(), [404, 'The log is gone: no pod of this run is left']);
  served.clock.ahead = 3_600_000;
  const since = new Date(at + 3_600_000).toISOString();
  assert.equal(await error(), [404, `The log is gone since ${since}`]);
  assert.equal(await error('?follow=true'), [404, `The log is gone since ${since}`]);
});

log('a cancelled build has no log', async () => {
  const at = served.now() - 10_000;
  await put(ended('Cancelled', at));
  assert.equal(await error(), [404, `The log is gone since ${new Date(at).toISOString()}`]);
});

log('an archived log is read from the object store', async () => {
  const text = (value: string) => Buffer.from(value).toString('base64');
  served.world.cluster.put(secrets, {
    metadata: { name: 'keys', namespace: systemNamespace },
    data: { ACCESS_KEY_ID: text('a'), ACCESS_SECRET_KEY: text('s') },
  });
  served.world.cluster.put(objectStores, {
    // A store of somebody's own, which nobody brings about.
    metadata: { name: 'logs', namespace: systemNamespace, annotations: { [annotation.paused]: 'true' } },
    spec: {},
    status: {
      endpoint: 'http://store',
      bucket: 'b',
      credentialSecret: 'keys',
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: run }],
    },
  } as never);
  served.world.bucket.set('builds/shop-build-1.log', { text: 'a\nb\nc\n', metadata: {} });
  const logRef = 'object://logs/builds/shop-build-1.log';
  await put({ phase: 'Succeeded', startedAt: run, logRef }, { logStoreRef: { name: 'logs' } });
  await until(() => served.operator.caches.get(objectStores, 'logs'), 'the store');
  assert.is((await served.ask(path)).text, 'a\nb\nc\n');
  assert.is((await served.ask(`${path}?tail=2`)).text, 'b\nc\n');
  const stream = await listenTo(`${served.url}${path}?follow=true`, { cookie: served.cookieOf() });
  await until(stream.hasEnded, 'the end');
  assert.equal(
    stream.of('line').map(({ data }) => data['line']),
    ['a', 'b', 'c'],
  );
  served.world.store.failing = true;
  assert.equal(await error(), [502, 'the object store failed: the store is down']);
  served.world.store.failing = false;
  served.world.bucket.clear();
  assert.is((await error())[0], 404);
});

log('a running build is followed line by line to the end of its container', async () => {
  await put({ phase: 'Failed', startedAt: run, logRef: 'x' });
  addPod('only', 'unused');
  const stream = await listenTo(`${served.url}${path}?follow=true&container=git`, { cookie: served.cookieOf() });
  await until(stream.hasEnded, 'the end');
  assert.equal(
    stream.of('line').map(({ data }) => data['line']),
    ['one', 'two', 'three "quoted"'],
  );
  assert.equal(stream.heard.at(-1)?.event, 'end');
  assert.equal(stream.heard.at(-1)?.data, { reason: 'the container ended' });
});

log('a followed log waits for the pod of its run', async () => {
  const name = await served.addApp('late');
  await until(() => served.operator.caches.get(builds, name)?.status?.phase === 'Running', 'the build runs');
  const stream = await listenTo(`${served.url}/api/v1/builds/${name}/log?follow=true`, { cookie: served.cookieOf() });
  assert.is(stream.status, 200);
  served.world.endJob(name, 'Complete');
  await until(stream.hasEnded, 'the end');
  assert.is(stream.of('line').length, 3);
});

log('a followed log ends when its reader disconnects', async () => {
  const gone = { ended: false };
  const other = await serve({}, {}, (services) =>
    Context.add(services, Cluster, {
      ...Context.get(services, Cluster),
      logLines: () =>
        Stream.concat(Stream.make('one'), Stream.never).pipe(
          Stream.ensuring(Effect.sync(() => void (gone.ended = true))),
        ),
    }),
  );
  const name = await other.addApp('shop', { registry: '' }, { phase: 'Failed', startedAt: run, logRef: 'x' });
  other.world.cluster.put(pods, {
    metadata: {
      name: 'p',
      labels: { 'batch.kubernetes.io/job-name': `${name}-builder` },
      annotations: { [annotation.run]: run },
    },
  });
  const stream = await listenTo(`${other.url}/api/v1/builds/${name}/log?follow=true`, { cookie: other.cookieOf() });
  await stream.until(({ event }) => event === 'line', 'a line');
  stream.close();
  await until(() => gone.ended, 'the following ends');
  await other.stop();
});
log.run();
