import * as assert from 'uvu/assert';
import type { ContainerStatus, Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import { suite } from '../../../support/suite.ts';
import { firstStatus, simulated, stateOf } from './simulated.ts';

const sources = suite('pods with Secrets and ConfigMaps');
type World = Awaited<ReturnType<typeof simulated>>;

const waiting = (status: ContainerStatus | undefined) =>
  status && 'waiting' in status.state ? status.state.waiting : undefined;
const told = (world: World, reason: string) =>
  world
    .events(reason)
    .map((event) => String(event['message']))
    .toSorted((a, b) => (a < b ? -1 : 1));
const put = (world: World, bucket: 'secrets' | 'configmaps', name: string, keys: readonly string[]) =>
  world.store.create(
    { bucket: `/${bucket}`, namespace: 'core-system', name },
    { apiVersion: 'v1', kind: 'Object', data: Object.fromEntries(keys.map((key) => [key, 'eA=='])) },
  );
const web = (env: object) => ({ containers: [{ name: 'web', image: 'web:1', ...env }] });
const fromSecret = (more: object = {}) => ({
  env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'token', ...more } } }],
});
const runs = (pod: Pod | undefined) => stateOf(pod) === 'running' && pod?.status?.phase === 'Running';

sources('a container waits with the message of a kubelet until its Secret exists', async () => {
  const world = await simulated();
  await world.pod('web', web(fromSecret()));
  await world.clock.turn(60);
  assert.equal(waiting(firstStatus(world.getPod('web'))), {
    reason: 'CreateContainerConfigError',
    message: 'secret "s" not found',
  });
  assert.is(world.getPod('web')?.status?.phase, 'Pending');
  assert.equal(told(world, 'Failed'), ['Error: secret "s" not found']);
  await put(world, 'secrets', 's', ['other']);
  await world.clock.turn(1);
  const message = "couldn't find key token in Secret core-system/s";
  assert.is(waiting(firstStatus(world.getPod('web')))?.message, message);
  await world.store.update({ bucket: '/secrets', namespace: 'core-system', name: 's' }, (old) => ({
    ...old,
    data: { token: 'eA==' },
  }));
  await world.clock.turn(1);
  assert.ok(runs(world.getPod('web')));
  await world.stop();
});

sources(
  'a container waits for a ConfigMap, also as its whole environment, unless the ConfigMap is optional',
  async () => {
    const world = await simulated();
    const configMapKeyRef = { name: 'c', key: 'k' };
    await world.pod('key', web({ env: [{ name: 'A', valueFrom: { configMapKeyRef } }] }));
    await world.pod('all', web({ envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 's' } }] }));
    await world.pod('optional', web(fromSecret({ optional: true })));
    await world.pod('any', web({ envFrom: [{ secretRef: { name: 's', optional: true } }] }));
    await world.clock.turn(5);
    for (const name of ['key', 'all'])
      assert.is(waiting(firstStatus(world.getPod(name)))?.message, 'configmap "c" not found', name);
    for (const name of ['optional', 'any']) assert.ok(runs(world.getPod(name)), name);
    await put(world, 'configmaps', 'c', ['k']);
    await world.clock.turn(1);
    assert.ok(runs(world.getPod('key')));
    assert.is(waiting(firstStatus(world.getPod('all')))?.message, 'secret "s" not found');
    await put(world, 'secrets', 's', []);
    await world.clock.turn(1);
    assert.ok(runs(world.getPod('all')));
    await world.stop();
  },
);

sources('a pod whose volume cannot be mounted starts no container, and an Event says so', async () => {
  const world = await simulated();
  const mounts = (name: string, volume: object) => world.pod(name, { ...web({}), volumes: [{ name: 'v', ...volume }] });
  const items = [{ key: 'k', path: 'p' }];
  await mounts('secret', { secret: { secretName: 's' } });
  await mounts('projected', { projected: { sources: [{ configMap: { name: 'c', items } }] } });
  await mounts('optional', { secret: { secretName: 's', items, optional: true } });
  await mounts('empty', { emptyDir: {} });
  await world.clock.turn(5);
  for (const name of ['secret', 'projected'])
    assert.equal(waiting(firstStatus(world.getPod(name))), { reason: 'ContainerCreating' }, name);
  for (const name of ['optional', 'empty']) assert.ok(runs(world.getPod(name)), name);
  const failed = (why: string) => `MountVolume.SetUp failed for volume "v" : ${why}`;
  assert.equal(told(world, 'FailedMount'), [failed('configmap "c" not found'), failed('secret "s" not found')]);
  await put(world, 'configmaps', 'c', ['other']);
  await put(world, 'secrets', 's', []);
  await world.clock.turn(1);
  assert.ok(runs(world.getPod('secret')));
  assert.ok(told(world, 'FailedMount').includes(failed('references non-existent config key: k')));
  await world.remove('/configmaps', 'c');
  await put(world, 'configmaps', 'c', ['k']);
  await world.clock.turn(1);
  assert.ok(runs(world.getPod('projected')));
  await world.stop();
});

sources('a later container waits for its Secret, and a started one continues without its Secret', async () => {
  const world = await simulated();
  await put(world, 'secrets', 's', ['token']);
  const git = { name: 'git', image: 'git:1', ...fromSecret() };
  const initContainers = [git];
  const builder = { name: 'builder', image: 'builder:1', env: [] };
  await world.job('build', {}, { initContainers, containers: [{ ...builder, ...fromSecret({ name: 'other' }) }] });
  await world.clock.turn(0.5);
  await world.remove('/secrets', 's');
  await world.clock.turn(5);
  const [pod] = world.pods();
  assert.ok('terminated' in (pod?.status?.initContainerStatuses?.[0]?.state ?? {}), 'git ran to its end');
  assert.is(waiting(firstStatus(pod))?.reason, 'CreateContainerConfigError');
  await put(world, 'secrets', 'other', ['token']);
  await world.clock.turn(5);
  assert.is(world.pods()[0]?.status?.phase, 'Succeeded');
  await world.stop();
});

sources.run();
