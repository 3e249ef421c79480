import * as assert from 'uvu/assert';
import { knows } from '../../../../runtime/embedded/nodes/shell/knows.ts';
import { suite } from '../../../support/suite.ts';
import { until } from '../../../support/until.ts';
import { firstStatus, simulated } from './simulated.ts';

const runs = suite('commands in the simulated shell');
const says = (...command: readonly string[]) => ({
  restartPolicy: 'Never',
  containers: [{ name: 'main', image: 'busybox:1', command }],
});
type World = Awaited<ReturnType<typeof simulated>>;

async function overOf(world: World, name: string) {
  await until(async () => {
    await world.clock.turn(0);
    return ['Succeeded', 'Failed'].includes(world.getPod(name)?.status?.phase ?? '');
  }, `${name} is over`);
  return world.getPod(name);
}

async function logOf(world: World, name: string, previous = false): Promise<string> {
  const pod = world.getPod(name);
  return pod ? world.podLogs.read(pod, 'main', { previous }) : '';
}

runs('the log of a container is the output of its command, and its exit code that of the command', async () => {
  const world = await simulated();
  await world.pod('talks', says('sh', '-c', 'echo one; echo two >&2; exit 3'));
  const pod = await overOf(world, 'talks');
  assert.is(pod?.status?.phase, 'Failed');
  const state = firstStatus(pod)?.state;
  assert.is(state && 'terminated' in state && state.terminated.exitCode, 3);
  assert.is(await logOf(world, 'talks'), 'one\ntwo\n');
  await world.stop();
});

runs('arguments are the command of an image without one, and the log outlives a restart', async () => {
  const world = await simulated();
  await world.pod('argued', {
    restartPolicy: 'Never',
    containers: [
      { name: 'main', image: 'busybox:1', args: ['echo', '$(GREETING) all'], env: [{ name: 'GREETING', value: 'hi' }] },
    ],
  });
  await overOf(world, 'argued');
  await world.stop();
  world.start();
  await world.clock.turn(0);
  assert.is(await logOf(world, 'argued'), 'hi all\n');
  await world.stop();
});

runs('a rule of the ConfigMap replaces the command', async () => {
  const world = await simulated({ pods: '[{ match: { name: ruled }, afterSeconds: 1, log: by the rule }]' });
  await world.pod('ruled', says('sh', '-c', 'exit 1'));
  await world.clock.turn(2);
  assert.is(world.getPod('ruled')?.status?.phase, 'Succeeded');
  assert.is(await logOf(world, 'ruled'), 'by the rule\n');
  await world.stop();
});

runs('a failed command is restarted, and its previous output can be read', async () => {
  const world = await simulated();
  await world.pod('again', { ...says('sh', '-c', 'echo try; false'), restartPolicy: 'Always' });
  await until(async () => {
    await world.clock.turn(1);
    return (firstStatus(world.getPod('again'))?.restartCount ?? 0) > 0;
  }, 'a second run');
  assert.is(await logOf(world, 'again', true), 'try\n');
  await world.stop();
});

runs('commands run only when the simulated shell knows all of them', () => {
  for (const command of [['true'], ['sh', '-c', 'A=1; echo $(date) | wc -l'], ['sleep', '5'], ['sh']])
    assert.ok(knows(command), command.join(' '));
  for (const command of [
    ['git', 'clone'],
    ['sh', '-c', 'npm start'],
    ['sh', '-c', 'while true; do date; done'],
    ['exit', '1'],
    ['sh', '-c', 'echo $(nosuch)'],
    ['sh', '/run.sh'],
  ])
    assert.not.ok(knows(command), command.join(' '));
});

runs.run();
