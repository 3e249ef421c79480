import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { maxBehind } from '../../http/events/channel.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { workloadPods } from '../../runtime/controllers/capacity.ts';
import { builds, consoleSessions, deployments, projects } from '../../runtime/services/cluster/kinds.ts';
import type { Tombstone } from '../../runtime/services/journal.ts';
import { suite } from '../support/suite.ts';
import { userBuild, until } from '../support/environment.ts';
import { type Heard, listenTo } from './listener.ts';
import { serve, type Served } from './served.ts';

const events = suite('events');
let served: Served;
let open: Awaited<ReturnType<typeof listenTo>>[] = [];
events.before.each(async () => {
  served = await serve();
});
events.after.each(async () => {
  for (const one of open) one.close();
  open = [];
  await served.stop();
});

const listen = async (lastEventId?: string, cookie = served.cookieOf()) => {
  const stream = await listenTo(`${served.url}/api/v1/events`, {
    cookie,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  });
  open.push(stream);
  return stream;
};
const idOf = (at: number, uid = 'uid-0', seq = 1) => `${at}.${uid}.${seq}`;
const moved = (seq: number, at: number, event = 'jobProgressed') => ({
  seq,
  machine: 'build',
  from: 'Failed',
  event,
  to: 'Failed',
  by: 'operator',
  at: new Date(at).toISOString(),
  text: `move ${seq}`,
});
/** A resting build with a history written by the test. */
const put = async (name: string, moves: readonly ReturnType<typeof moved>[]) => {
  served.world.cluster.put(
    builds,
    userBuild(name, {}, { phase: 'Failed', logRef: 'pod-log://x/builder', history: [...moves] }),
  );
  return until(() => served.operator.caches.get(builds, name), `${name} is cached`);
};

events('a stream begins with hello, then sends every move with its instance, in the order of the history', async () => {
  const stream = await listen();
  assert.is(stream.status, 200);
  assert.match(stream.headers['content-type'] ?? '', 'text/event-stream');
  assert.match(stream.headers['cache-control'] ?? '', 'no-store');
  const name = await served.addApp('shop');
  await stream.until(({ data }) => data['to'] === 'Running', 'the move to Running');
  assert.equal([stream.heard[0]?.event, stream.heard[0]?.data['resumed']], ['hello', false]);
  const { metadata, status } = served.world.build(name) ?? { metadata: { name } };
  const moves = stream.of('move').filter(({ data }) => data['kind'] === 'CoreBuild');
  const told = moves.map(({ id, data }) => ({ id, data, instance: data['instance'] as Heard['data'] }));
  assert.equal(
    told.map(({ id, data, instance }) => [
      id,
      data['event'],
      data['text'],
      data['name'],
      data['kind'],
      instance['uid'],
    ]),
    status?.history?.map(({ at, seq, event, text }) => [
      idOf(Date.parse(at), metadata.uid, seq),
      event,
      text,
      name,
      'CoreBuild',
      metadata.uid,
    ]),
  );
  await stream.until(
    ({ event, data }) => event === 'instance' && typeof data['nextLook'] === 'string',
    'the next check is announced',
  );
});

events('a change without a move is sent as an instance, and a deletion as deleted', async () => {
  const build = await put('b1', [moved(1, served.now() - 1_000)]);
  const stream = await listen();
  served.world.cluster.put(builds, {
    ...build,
    metadata: { ...build.metadata, annotations: { [annotation.paused]: 'true' } },
  });
  await stream.until(({ event, data }) => event === 'instance' && data['paused'] === true, 'the pause');
  served.world.cluster.drop(builds, 'b1');
  const gone = await stream.until(({ event }) => event === 'deleted', 'the deletion');
  assert.equal(gone.data, {
    id: 'corebuilds:b1',
    name: 'b1',
    uid: build.metadata.uid,
    kind: 'CoreBuild',
    machine: 'build',
  });
  assert.is(stream.of('move').length, 0);
});

events('a stream reports every object that is written or deleted', async () => {
  const stream = await listen();
  const metadata = { namespace: systemNamespace };
  const put = (name: string) =>
    served.world.cluster.put(deployments, {
      metadata: { ...metadata, name },
      spec: { app: 'web', project: 'shop', environment: 'production', image: 'web:1' },
    });
  const written = put('web-aaaaa');
  const told = await stream.until(
    ({ event, data }) => event === 'change' && data['name'] === 'web-aaaaa',
    'the record',
  );
  const of = { kind: 'CoreDeployment', name: 'web-aaaaa', project: 'shop', environment: 'production' };
  assert.equal(told.data, { ...of, version: written.metadata.resourceVersion, deleted: false });
  assert.is(told.id, undefined, 'a resume begins at a move');
  served.world.cluster.drop(deployments, 'web-aaaaa');
  await stream.until(({ event, data }) => event === 'change' && data['deleted'] === true, 'the deletion');
  served.world.cluster.put(projects, {
    metadata: { ...metadata, name: 'shop' },
    spec: { clusterRef: { name: 'local' }, environments: ['production'] },
  });
  const { data } = await stream.until((one) => one.data['kind'] === 'CoreProject', 'the project');
  assert.is(data['project'], 'shop');
  put('web-bbbbb');
  await stream.until((one) => one.data['name'] === 'web-bbbbb', 'another record');
  const resumed = await listen(idOf(served.now()));
  await resumed.until(({ data }) => data['name'] === 'web-bbbbb', 'the resume sends the changes in between');
  assert.equal(
    resumed.of('change').map(({ data }) => [data['name'], data['deleted']]),
    [
      ['web-aaaaa', true],
      ['shop', false],
      ['web-bbbbb', false],
    ],
    'of each object the last change',
  );
});

events('AUT-036 a stream reports changed pods of a service, also when the last one is deleted', async () => {
  const { token } = await served.makeToken({ name: 'v', role: 'viewer' });
  const viewer = await listenTo(`${served.url}/api/v1/events`, { authorization: `Bearer ${token}` });
  open.push(viewer);
  const stream = await listen();
  await until(() => viewer.heard.length > 0, 'the greeting');
  const labels = { 'core.platform/managed-by': 'core', 'core.platform/kind': 'CoreApp', 'core.platform/name': 'web' };
  const placed = { 'core.platform/project': 'shop', 'core.platform/environment': 'production' };
  const metadata = { name: 'web-7f-a', namespace: 'shop-production', labels: { ...labels, ...placed } };
  served.world.cluster.put(workloadPods, { metadata, spec: {} });
  const told = await stream.until(({ event, data }) => event === 'change' && data['kind'] === 'Pod', 'the pod');
  const { version, ...of } = told.data;
  assert.type(version, 'string');
  assert.equal(of, { kind: 'Pod', name: 'web', project: 'shop', environment: 'production', deleted: false });
  served.world.cluster.drop(workloadPods, 'web-7f-a', 'shop-production');
  await until(() => stream.of('change').filter(({ data }) => data['kind'] === 'Pod').length > 1, 'its end');
  served.world.cluster.put(projects, {
    metadata: { namespace: systemNamespace, name: 'shop' },
    spec: { clusterRef: { name: 'local' }, environments: ['production'] },
  });
  await viewer.until(({ data }) => data['kind'] === 'CoreProject', 'a later change');
  assert.not.ok(
    viewer.of('change').some(({ data }) => data['kind'] === 'Pod'),
    'a viewer reads no pods',
  );
});

events('AUT-034 a stream reports changes only of kinds that the role may list', async () => {
  const { token } = await served.makeToken({ name: 'v', role: 'viewer' });
  const stream = await listenTo(`${served.url}/api/v1/events`, { authorization: `Bearer ${token}` });
  open.push(stream);
  await until(() => stream.heard.length > 0, 'the greeting');
  const metadata = { namespace: systemNamespace };
  served.world.cluster.put(consoleSessions, { metadata: { ...metadata, name: 'hush' }, spec: {} } as never);
  served.world.cluster.put(projects, {
    metadata: { ...metadata, name: 'shop' },
    spec: { clusterRef: { name: 'local' }, environments: ['production'] },
  });
  await stream.until(({ data }) => data['kind'] === 'CoreProject', 'the project');
  assert.equal([...new Set(stream.of('change').map(({ data }) => data['kind']))], ['CoreProject']);
});

events('a hundred streams get the same events and release their memory when they end', async () => {
  const streams = await Promise.all(Array.from({ length: 100 }, () => listen()));
  await put('b1', [moved(1, served.now())]);
  await Promise.all(streams.map((stream) => stream.until(({ event }) => event === 'move', 'the move')));
  for (const stream of streams) stream.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await put('b2', [moved(1, served.now())]);
  const left = await listen();
  assert.is(left.of('move').length, 0);
});

events('a caller has at most a hundred streams of events and logs', async () => {
  const streams = await Promise.all(Array.from({ length: 100 }, () => listen()));
  assert.is((await listen()).status, 429);
  const asked = await served.ask('/api/v1/events');
  assert.equal([asked.status, asked.json()], [429, { error: 'too many open streams' }]);
  const name = await served.addApp('shop');
  await until(() => served.operator.caches.get(builds, name)?.status?.phase === 'Running', 'a build that runs');
  assert.is((await served.ask(`/api/v1/builds/${name}/log?follow=true`)).status, 429);
  assert.is((await served.ask('/api/v1/builds')).status, 200);
  const { token } = await served.makeToken();
  const another = await listenTo(`${served.url}/api/v1/events`, { authorization: `Bearer ${token}` });
  open.push(another);
  assert.is(another.status, 200);
  streams[0]?.close();
  await until(async () => (await listen()).status === 200, 'a stream in the place of the one that closed');
});

events('a resumed stream sends all events since a minute before its id, in order of time', async () => {
  const now = served.now();
  await put('b1', [moved(1, now - 100_000), moved(2, now - 50_000), moved(3, now - 10_000)]);
  await put('b2', [moved(1, now - 70_000), moved(2, now - 20_000)]);
  const told = async (at: number) => {
    const stream = await listen(idOf(at));
    await until(() => stream.heard.length > 0, 'the greeting');
    assert.equal([stream.heard[0]?.event, stream.heard[0]?.data['resumed']], ['hello', true]);
    await put('last', [moved(1, now)]);
    await stream.until(({ data }) => data['name'] === 'last', 'the later event arrives');
    served.world.cluster.drop(builds, 'last');
    return stream
      .of('move')
      .map(({ data }) => `${String(data['name'])}.${String(data['seq'])}`)
      .filter((one) => !one.startsWith('last'));
  };
  assert.equal(await told(now - 5_000), ['b1.2', 'b2.2', 'b1.3']);
  assert.equal(await told(now - 15_000), ['b2.1', 'b1.2', 'b2.2', 'b1.3']);
  const byQuery = await listenTo(`${served.url}/api/events?lastEventId=${idOf(now - 5_000)}`, {
    cookie: served.cookieOf(),
  });
  open.push(byQuery);
  await byQuery.until(({ data }) => data['seq'] === 3, 'the newest move');
  assert.is(byQuery.heard[0]?.data['resumed'], true);
});

events('a resumed client receives each event that it missed once', async () => {
  const first = await listen();
  const name = await served.addApp('shop');
  const last = await first.until(({ data }) => data['to'] === 'Running', 'the move to Running');
  const paused = await put('idle', [moved(1, served.now() - 600_000)]);
  first.close();
  const { metadata } = paused;
  served.world.cluster.put(builds, {
    ...paused,
    metadata: { ...metadata, annotations: { [annotation.paused]: 'true' } },
  });
  await served.ask('/api/apps/shop/build/cancel', { method: 'POST' });
  const second = await listen(last.id);
  await second.until(({ data }) => data['to'] === 'Cancelled', 'the cancel');
  await second.until(
    ({ event, data }) => event === 'instance' && data['paused'] === true,
    'the change without a move arrives',
  );
  const ids = new Set(
    [...first.of('move'), ...second.of('move')].filter(({ data }) => data['name'] === name).map(({ id }) => id),
  );
  assert.is(ids.size, served.world.build(name)?.status?.history?.length);
});

events('a resumed stream sends a missed deletion from memory at once', async () => {
  const build = await put('b1', [moved(1, served.now() - 1_000)]);
  served.world.cluster.drop(builds, 'b1');
  await until(() => !served.operator.caches.get(builds, 'b1'), 'the deletion');
  const stream = await listen(idOf(served.now()));
  const gone = await stream.until(({ event }) => event === 'deleted', 'the deletion');
  assert.is(gone.data['uid'], build.metadata.uid);
  // The journal may also have its tombstone.
  assert.is(stream.of('move')[0]?.data['seq'], 1);
});

events('a resume answers reset when its id is foreign, in the future or older than the history', async () => {
  const now = served.now();
  const many = Array.from({ length: 20 }, (_, index) => moved(index + 11, now - 300_000 + index));
  const reset = async (id: string) => {
    const stream = await listen(id);
    const told = await stream.until(({ event }) => event === 'reset', `a reset of ${id}`);
    assert.type(told.data['reason'], 'string');
    assert.is(stream.heard[0]?.data['resumed'], false);
  };
  await reset('nonsense');
  await reset('12.3');
  await reset(idOf(now + 3_600_000));
  await reset(idOf(now - 31 * 86_400_000));
  await put('busy', many);
  await reset(idOf(now - 400_000));
  const kept = await listen(idOf(now - 299_000));
  await until(() => kept.heard.length > 0, 'the greeting');
  assert.is(kept.heard[0]?.data['resumed'], true, 'all after the id is still kept');
});

events('AUT-014 AUT-101 a stream ends when its user signs out and is refused without a session', async () => {
  await served.setUser('other', { role: 'admin', password: 'x', epoch: 0 });
  const [mine, theirs] = [await listen(), await listen(undefined, served.cookieOf({ username: 'other' }))];
  await served.ask('/api/logout', { method: 'POST' });
  await until(mine.hasEnded, 'the stream ends');
  assert.not.ok(theirs.hasEnded());
  assert.is((await listen()).status, 401);
});

events('a stream is closed when its client does not read', async () => {
  const [slow, quick] = [await listen(), await listen()];
  slow.pause();
  const text = 'x'.repeat(200_000);
  let told = 0;
  const most = (maxBehind * 8) / text.length;
  // A stream is logged when it ends.
  const isDropped = () => served.answered.some(({ route }) => route === '/api/v1/events');
  while (!isDropped() && told < most) {
    await put('b1', [{ ...moved(told + 1, served.now()), text }]);
    told++;
    await quick.until(({ data }) => data['seq'] === told, `move ${told}`);
  }
  assert.ok(isDropped(), `${told} moves of ${text.length} bytes were kept for it`);
  assert.not.ok(quick.hasEnded());
  assert.is(quick.of('move').length, told);
});

events('the server stops while streams are open', async () => {
  const stream = await listen();
  const other = await serve();
  const theirs = await listenTo(`${other.url}/api/v1/events`, { cookie: other.cookieOf() });
  await other.stop();
  await until(theirs.hasEnded, 'the stream ends');
  assert.not.ok(stream.hasEnded());
});

events('the history of a deleted object is read from the journal', async () => {
  const now = served.now();
  const asked: number[] = [];
  const tombstone: Tombstone = {
    kind: 'CoreBuild',
    name: 'old',
    uid: 'uid-old',
    deletedAt: new Date(now - 20_000).toISOString(),
    history: [moved(7, now - 30_000)],
  };
  const { Journal } = await import('../../runtime/services/journal.ts');
  const other = await serve({}, {}, (services) =>
    Context.add(services, Journal, {
      archive: () => Effect.void,
      since: (ms) => Effect.sync(() => (asked.push(ms), [tombstone])),
    }),
  );
  const stream = await listenTo(`${other.url}/api/v1/events`, {
    cookie: other.cookieOf(),
    'last-event-id': idOf(now - 25_000),
  });
  const gone = await stream.until(({ event }) => event === 'deleted', 'the deletion');
  assert.equal(asked, [now - 85_000]);
  assert.is(gone.data['name'], 'old');
  assert.equal(
    stream.of('move').map(({ data }) => (data['instance'] as { state: string }).state),
    ['Failed'],
  );
  stream.close();
  await other.stop();
});
events.run();
