import * as assert from 'uvu/assert';
import { marksOf } from '../../../../runtime/embedded/surroundings.ts';
import { clusterOptions } from '../../../../runtime/local/clusterOptions.ts';
import { suite } from '../../../support/suite.ts';
import { condition, simulated } from './simulated.ts';

const restart = suite('a restart after any write');
const rules = { pods: '[{ match: { container: builder }, afterSeconds: 2, fails: 1 }]' };
const git = { initContainers: [{ name: 'git', image: 'git:1' }] };

const byText = (a: string | undefined, b: string | undefined) => String(a).localeCompare(String(b));

/** Lets `count` writes through, refuses every later one, and starts anew. Returns whether anything was refused. */
async function crashAfter(count: number) {
  const world = await simulated(rules);
  const from = world.store.writes;
  await world.job('build', {}, git);
  let refused = false;
  world.store.gate = () => {
    if (world.store.writes - from - 1 < count) return;
    refused = true;
    throw new Error('the disk is gone');
  };
  await world.clock.turn(count % 2 === 0 ? 20 : 1.5);
  world.store.gate = () => {};
  await world.stop();
  world.clock.jump(count % 3);
  world.start();
  await world.clock.turn(60);
  const job = world.getJob('build');
  const phases = world.pods().map(({ status }) => status?.phase);
  await world.stop();
  return { refused, job, phases: phases.toSorted(byText) };
}

restart('Jobs end the same after a stop between any two writes, and no pod runs twice', async () => {
  let refusals = 0;
  for (let count = 0; count < 30; count += 1) {
    const { refused, job, phases } = await crashAfter(count);
    if (refused) refusals += 1;
    assert.equal(phases, ['Failed', 'Succeeded'], `after ${count} writes`);
    assert.is(job?.status?.failed, 1, `after ${count} writes`);
    assert.is(job?.status?.succeeded, 1, `after ${count} writes`);
    assert.is(job?.status?.active, undefined, `after ${count} writes`);
    assert.is(condition(job, 'Complete')?.status, 'True', `after ${count} writes`);
  }
  assert.ok(refusals > 15, `only ${refusals} runs were cut short`);
});

restart('a store that refuses writes for a while is retried without a restart', async () => {
  const world = await simulated(rules);
  await world.job('build');
  world.store.gate = () => {
    throw new Error('the disk is full');
  };
  await world.clock.turn(3);
  world.store.gate = () => {};
  await world.clock.turn(60);
  assert.is(condition(world.getJob('build'), 'Complete')?.status, 'True');
  await world.stop();
});

restart('the Node of podman and its pods are removed when pods are simulated', async () => {
  const world = await simulated();
  await world.stop();
  const annotations = { [marksOf(clusterOptions.names).machine]: 'podman' };
  await world.store.create({ bucket: '/nodes', namespace: '', name: 'host' }, { metadata: { annotations } });
  await world.pod('left', { nodeName: 'host' });
  world.start();
  await world.clock.turn(5);
  assert.is(world.getPod('left'), undefined);
  assert.not(world.store.list('/nodes').some(({ metadata }) => metadata.name === 'host'));
  await world.stop();
});

restart('a container that runs at a stop ends at the time it would have ended', async () => {
  const world = await simulated({ pods: '[{ match: {}, afterSeconds: 100 }]' });
  await world.job('build');
  await world.clock.turn(10);
  const [before] = world.pods();
  await world.stop();
  world.clock.jump(40);
  world.start();
  await world.clock.turn(49);
  assert.is(world.pods()[0]?.status?.phase, 'Running');
  await world.clock.turn(2);
  assert.is(world.pods()[0]?.status?.phase, 'Succeeded');
  assert.is(world.pods()[0]?.metadata.uid, before?.metadata.uid);
  await world.stop();
});

restart('a clock that is set back does not change the status of pods', async () => {
  const world = await simulated({ pods: '[{ match: {}, afterSeconds: 100 }]' });
  await world.job('build', {}, git);
  await world.clock.turn(10);
  const before = world.pods()[0]?.status;
  await world.stop();
  world.clock.jump(-3600);
  world.start();
  await world.clock.turn(5);
  assert.equal(world.pods()[0]?.status, before);
  await world.stop();
});

restart('objects that have converged are not written again', async () => {
  const world = await simulated(rules);
  await world.job('build');
  await world.pod('web');
  await world.clock.turn(30);
  const { writes } = world.store;
  await world.clock.turn(600);
  await world.stop();
  world.start();
  await world.clock.turn(600);
  assert.is(world.store.writes, writes);
  await world.stop();
});

restart.run();
