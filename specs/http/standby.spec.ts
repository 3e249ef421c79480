import * as assert from 'uvu/assert';
import type { Explanation, Instance, Instances, Traces } from '../../http/api.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { builds, connections } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { listenTo } from './listener.ts';
import { serve, type Served } from './served.ts';

const spec = suite('a standby');
let served: Served;
let other: Awaited<ReturnType<Served['standBy']>>;
spec.before.each(async () => {
  served = await serve();
  other = await served.standBy();
});
spec.after.each(async () => {
  await other.stop();
  await served.stop();
});

const readyTime = '2027-01-01T00:00:00Z';

/** A build that waits for its checks, and asks the Git host for them in every pass. */
async function waitingBuild(): Promise<string> {
  const { cluster, git } = served.world;
  git.checks = { is: 'found', value: [] };
  cluster.put(secrets, { metadata: { name: 'github', namespace: systemNamespace }, data: { token: 'dA==' } });
  cluster.put(connections, {
    metadata: { name: 'github', namespace: systemNamespace },
    spec: { secretRef: { name: 'github' } },
    status: {
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: readyTime }],
    },
  } as never);
  await until(() => served.operator.caches.get(connections, 'github'), 'the connection is seen');
  const name = await served.addApp('shop', { connectionRef: { name: 'github' }, waitForCI: true });
  for (const { caches } of [served.operator, other.operator])
    await until(() => caches.get(builds, name)?.status?.phase === 'WaitingForCI', 'the build waits');
  return name;
}
const asks = () => served.world.git.asked.filter((asked) => asked.startsWith('checks')).length;
const read = async <A>(from: Pick<Served, 'ask'>, path: string) => (await from.ask(path)).json() as A;
const waits = async (from: Pick<Served, 'ask'>, name: string): Promise<Instance | undefined> =>
  (await read<Instances>(from, '/api/v1/machines/build/instances')).items.find((one) => one.name === name);

spec('a reconcile requested on any replica is done by the leader', async () => {
  const name = await waitingBuild();
  for (const [replica, note] of [
    [served, 'It is being checked now.'],
    [other, 'The leader checks it now.'],
  ] as const) {
    const before = asks();
    const answered = await replica.ask(`/api/v1/builds/${name}/reconcile`, { method: 'POST' });
    assert.is(answered.status, 200);
    assert.equal(answered.json(), { name, state: 'WaitingForCI', note });
    await until(() => asks() > before, 'the Git host is asked a second time');
  }
  assert.is(served.world.build(name)?.status?.phase, 'WaitingForCI');
  assert.is((await other.ask('/api/v1/builds/ghost/reconcile', { method: 'POST' })).status, 404);
});

spec('a requested pass is stored on the object and records no move', async () => {
  const name = await waitingBuild();
  const moves = served.world.build(name)?.status?.history;
  const version = served.world.build(name)?.metadata.generation;
  await other.ask(`/api/v1/builds/${name}/reconcile`, { method: 'POST' });
  const build = served.world.build(name);
  assert.match(build?.metadata.annotations?.[annotation.lookAt] ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal([build?.status?.history, build?.metadata.generation], [moves, version]);
});

spec('only the leader returns the next check and the failures of passes', async () => {
  const name = await waitingBuild();
  await until(
    async () => typeof (await waits(served, name))?.nextLook === 'string',
    'the leader returns the next check',
  );
  assert.is((await waits(served, name))?.failures, 0);
  const onOther = await waits(other, name);
  assert.equal([onOther?.nextLook, onOther?.failures], [null, null]);
  const { items } = await read<Traces>(other, '/api/v1/machines/build/transitions');
  assert.is(items.find((trace) => trace.name === name)?.nextLook, null);
});

spec('a standby explains without facts that only the leader has', async () => {
  const name = await waitingBuild();
  const explain = (from: Pick<Served, 'ask'>) => read<Explanation>(from, `/api/v1/builds/${name}/explain`);
  await until(async () => typeof (await explain(served)).nextLook === 'string', 'the leader returns the next check');
  const [led, told] = [await explain(served), await explain(other)];
  assert.ok(led.observedAt);
  assert.is(led.failure, undefined);
  assert.equal([told.nextLook, told.failure, told.observedAt], [null, null, null]);
  assert.equal(told.decision, { is: 'asks', fact: 'checks' });
  assert.is(told.text, 'what moves it next hangs on a fact that only the leader asks for: checks');
  assert.equal(told.facts['checks'], { is: 'unasked' });
  assert.equal([told.state, told.since, told.next], [led.state, led.since, led.next]);
});

spec('clients of a replica get a reset when it becomes leader and when it stops leading', async () => {
  const name = await waitingBuild();
  const stream = await listenTo(`${other.url}/api/v1/events`, { cookie: served.cookieOf() });
  await until(() => stream.of('hello').length === 1, 'the stream is open');
  other.isHeldBy('');
  await until(() => stream.of('reset').length === 1, 'the replica is leader');
  await until(
    async () => typeof (await waits(other, name))?.nextLook === 'string',
    'the replica returns the next check',
  );
  other.isHeldBy('the leader');
  await until(() => stream.of('reset').length === 2, 'the replica stops leading');
  assert.is((await waits(other, name))?.nextLook, null);
  assert.equal(
    stream.of('reset').map(({ data }) => data['reason']),
    ['this replica leads from now on', 'this replica leads no more'],
  );
  stream.close();
});

spec.run();
