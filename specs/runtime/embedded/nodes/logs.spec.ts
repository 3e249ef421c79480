import * as assert from 'uvu/assert';
import type { Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import { suite } from '../../../support/suite.ts';
import { simulated } from './simulated.ts';

const logs = suite('the logs of pods');
const threeLines = { pods: '[{ match: {}, afterSeconds: 4, log: "one {{time}}\\ntwo {{pod}}\\nthree é\\n" }]' };
const only = (pods: readonly Pod[]): Pod => {
  const [pod] = pods;
  if (!pod) throw new Error('there is no pod');
  return pod;
};

logs('log lines appear evenly while the container runs', async () => {
  const world = await simulated(threeLines);
  await world.job('build');
  await world.clock.turn(0.5);
  const read = () => world.podLogs.read(only(world.pods()), 'builder', {});
  assert.is(await read(), '');
  await world.clock.turn(1);
  assert.is(await read(), 'one 2030-01-01T00:00:01Z\n');
  await world.clock.turn(10);
  const { name } = only(world.pods()).metadata;
  assert.is(await read(), `one 2030-01-01T00:00:01Z\ntwo ${name}\nthree é\n`);
  await world.stop();
});

logs('a log is limited to its last lines or first bytes', async () => {
  const world = await simulated(threeLines);
  await world.job('build');
  await world.clock.turn(10);
  const read = (options: object) => world.podLogs.read(only(world.pods()), 'builder', options);
  assert.is(await read({ tailLines: 1 }), 'three é\n');
  assert.is(await read({ tailLines: 0 }), '');
  assert.is(await read({ tailLines: 99 }), await read({}));
  assert.is(await read({ tailLines: 1, limitBytes: 5 }), 'three');
  assert.is(await read({ tailLines: 1, limitBytes: 7 }), 'three ', 'half a character is left out');
  assert.is(await world.podLogs.read(only(world.pods()), 'nobody', {}), '');
  await world.stop();
});

logs('a log is followed from its first line to the end of the run', async () => {
  const world = await simulated(threeLines);
  await world.job('build');
  await world.clock.turn(1.5);
  const lines: string[] = [];
  let over = false;
  const following = world.podLogs.follow(only(world.pods()), 'builder', (line) => void lines.push(line));
  void following.ended.then(() => (over = true));
  assert.is(lines.length, 1);
  await world.clock.turn(1);
  assert.is(lines.length, 2);
  await world.clock.turn(1);
  assert.is(lines.length, 3);
  assert.not.ok(over);
  await world.clock.turn(1);
  assert.ok(over);
  assert.is(lines.length, 3);
  await world.stop();
});

logs('following waits for a container that has not started, and ends with the pod or on demand', async () => {
  const world = await simulated({ pods: '[{ match: {}, hang: true, log: "a\\nb" }]' });
  await world.job('build', {}, { initContainers: [{ name: 'git', image: 'git:1' }] });
  await world.clock.turn(0.5);
  const lines: string[] = [];
  const ended: string[] = [];
  const follow = (name: string) => {
    const following = world.podLogs.follow(only(world.pods()), 'builder', (line) => void lines.push(`${name}${line}`));
    void following.ended.then(() => ended.push(name));
    return following;
  };
  follow('x');
  const stopped = follow('y');
  await world.clock.turn(2);
  assert.equal(lines, ['xa', 'ya']);
  stopped.stop();
  await world.clock.turn(5);
  assert.equal(lines, ['xa', 'ya', 'xb']);
  assert.equal(ended, ['y']);
  await world.remove('/pods', only(world.pods()).metadata.name);
  await world.clock.turn(0);
  assert.equal(ended, ['y', 'x']);
  await world.stop();
});

logs('a restarted container is followed no further: two runs are never mixed', async () => {
  const world = await simulated({ pods: '[{ match: {}, exitCode: 1, log: "a\\nb" }]' });
  await world.pod('web');
  await world.clock.turn(0.1);
  const lines: string[] = [];
  const { ended } = world.podLogs.follow(only(world.pods()), 'web', (line) => void lines.push(line));
  world.clock.jump(2.4);
  await world.clock.turn(0.1);
  await ended;
  assert.equal(lines, []);
  assert.is(await world.podLogs.read(only(world.pods()), 'web', {}), 'a\n', 'what is read is the run of now');
  await world.stop();
});

logs('a killed container writes no more lines', async () => {
  const world = await simulated({ pods: '[{ match: {}, hang: true, log: "a\\nb\\nc\\nd" }]' });
  await world.pod('web', {}, { finalizers: ['example.com/hold'] });
  await world.clock.turn(2);
  await world.remove('/pods', 'web');
  await world.clock.turn(60);
  assert.is(await world.podLogs.read(only(world.pods()), 'web', {}), 'a\nb\n');
  await world.stop();
});

logs("a build's log ends with the digest of its termination message", async () => {
  const world = await simulated();
  await world.job('build');
  await world.clock.turn(3);
  const pod = only(world.pods());
  const state = pod.status?.containerStatuses?.[0]?.state;
  const digest = state && 'terminated' in state ? state.terminated.message : '';
  const last = await world.podLogs.read(pod, 'builder', { tailLines: 1 });
  assert.is(last, `Pushed registry.local/hello:v1@${digest}\n`);
  await world.stop();
});

logs('a failed build pushes no image', async () => {
  const world = await simulated({ pods: '[{ match: {}, fails: 1 }]' });
  await world.job('build', { backoffLimit: 0 });
  await world.clock.turn(3);
  const text = await world.podLogs.read(only(world.pods()), 'builder', {});
  assert.match(text, /error: building the image failed\n$/);
  assert.not.match(text, 'Pushed');
  await world.stop();
});

logs('the annotation core.platform/log takes precedence and is followed as it grows', async () => {
  const world = await simulated(threeLines);
  await world.pod('web', {}, { annotations: { 'core.platform/log': 'mine\n' } });
  await world.clock.turn(2);
  const pod = only(world.pods());
  const lines: string[] = [];
  world.podLogs.follow(pod, 'web', (line) => void lines.push(line));
  assert.is(await world.podLogs.read(pod, 'web', {}), 'mine\n');
  await world.annotate('web', { 'core.platform/log': 'mine\nmore\n' });
  assert.equal(lines, ['mine', 'more']);
  await world.stop();
});

logs('logs are the same after a restart and a change of the rules', async () => {
  const world = await simulated(threeLines);
  await world.job('build');
  await world.clock.turn(10);
  const before = await world.podLogs.read(only(world.pods()), 'builder', {});
  await world.stop();
  await world.configure({ pods: '[{ match: {}, log: other }]' });
  world.clock.jump(3600);
  world.start();
  await world.clock.turn(5);
  assert.is(await world.podLogs.read(only(world.pods()), 'builder', {}), before);
  assert.match(before, 'three');
  await world.stop();
});

logs.run();
