import * as assert from 'uvu/assert';
import { clusterOptions } from '../../../../runtime/local/clusterOptions.ts';
import { defaultNodes } from '../../../../runtime/embedded/nodes/defaults.ts';
import type { Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import { readSimulation, unread } from '../../../../runtime/embedded/nodes/simulation.ts';
import type { Stored } from '../../../../runtime/embedded/store.ts';
import { suite } from '../../../support/suite.ts';
import { condition, firstStatus, simulated, stateOf } from './simulated.ts';

const pods = suite('pods and their rules');
const git = { initContainers: [{ name: 'git', image: 'git:1' }] };
const initState = (pod: Pod | undefined) => Object.keys(pod?.status?.initContainerStatuses?.[0]?.state ?? {})[0];
const waiting = (pod: Pod | undefined) => {
  const state = firstStatus(pod)?.state;
  return state && 'waiting' in state ? state.waiting.reason : '';
};
const ended = (pod: Pod | undefined) => {
  const state = firstStatus(pod)?.state;
  return state && 'terminated' in state ? state.terminated : undefined;
};

pods('init containers run before the main one', async () => {
  const world = await simulated();
  await world.job('build', {}, git);
  await world.clock.turn(0.5);
  const [pod] = world.pods();
  assert.is(pod?.status?.phase, 'Pending');
  assert.is(initState(pod), 'running');
  assert.is(waiting(pod), 'PodInitializing');
  assert.is(condition(pod, 'Initialized')?.status, 'False');
  await world.clock.turn(1);
  const [later] = world.pods();
  assert.is(later?.status?.phase, 'Running');
  assert.is(initState(later), 'terminated');
  assert.is(stateOf(later), 'running');
  assert.is(condition(later, 'Ready')?.status, 'True');
  assert.match(String(later?.status?.['podIP']), /^10\.\d+\.\d+\.\d+$/);
  await world.clock.turn(1);
  const [last] = world.pods();
  assert.is(last?.status?.phase, 'Succeeded');
  assert.is(condition(last, 'Ready')?.reason, 'PodCompleted');
  assert.is(ended(last)?.reason, 'Completed');
  assert.is(ended(last)?.startedAt, '2030-01-01T00:00:01Z');
  assert.is(ended(last)?.finishedAt, '2030-01-01T00:00:02Z');
  await world.stop();
});

pods('an init container that fails keeps the main one from running', async () => {
  const world = await simulated({ pods: '[{ match: { container: git }, exitCode: 128, terminationMessage: no }]' });
  await world.job('build', { backoffLimit: 0 }, git);
  await world.clock.turn(3);
  const [pod] = world.pods();
  assert.is(pod?.status?.phase, 'Failed');
  assert.is(stateOf(pod), 'waiting');
  assert.is(condition(world.getJob('build'), 'Failed')?.reason, 'BackoffLimitExceeded');
  await world.stop();
});

pods('a deleted pod ends a second after its preStop hook, within its grace period', async () => {
  const world = await simulated();
  const preStop = { sleep: { seconds: 5 } };
  const containers = [
    { name: 'web', image: 'web:1', lifecycle: { preStop } },
    { name: 'side', image: 'side:1' },
  ];
  await world.pod('web', { containers });
  await world.pod('short', { containers });
  await world.pod('plain');
  await world.clock.turn(10);
  for (const [name, seconds] of [
    ['web', 30],
    ['short', 3],
    ['plain', 30],
  ] as const)
    await world.askToEnd(name, seconds);
  const left = () => world.pods().map(({ metadata }) => metadata.name);
  const lefts: string[] = [];
  for (let second = 1; second <= 7; second++) {
    await world.clock.turn(1);
    lefts.push(left().join(' '));
  }
  assert.equal(lefts, ['short web', 'short web', 'web', 'web', 'web', '', '']);
  await world.stop();
});

pods('a pod without a Job runs forever and is ready', async () => {
  const world = await simulated();
  await world.pod('web');
  await world.clock.turn(100_000);
  assert.is(stateOf(world.getPod('web')), 'running');
  assert.is(condition(world.getPod('web'), 'Ready')?.status, 'True');
  await world.stop();
});

pods('an init container that succeeded is not run again, whatever the restart policy', async () => {
  const world = await simulated();
  await world.pod('web', git);
  await world.clock.turn(30);
  assert.is(initState(world.getPod('web')), 'terminated');
  assert.is(world.getPod('web')?.status?.initContainerStatuses?.[0]?.restartCount, 0);
  assert.is(stateOf(world.getPod('web')), 'running');
  await world.stop();
});

pods('a service that fails is restarted with a growing back-off', async () => {
  const world = await simulated({ pods: '[{ match: { name: "we?" }, exitCode: 1 }]' });
  await world.pod('web');
  await world.clock.turn(1.5);
  assert.is(waiting(world.getPod('web')), 'CrashLoopBackOff');
  assert.is(world.getPod('web')?.status?.phase, 'Running');
  await world.clock.turn(600);
  const restarts = firstStatus(world.getPod('web'))?.restartCount ?? 0;
  assert.ok(restarts > 8 && restarts < 20, `${restarts} restarts`);
  await world.stop();
});

pods('the first matching rule applies, by labels, name, image or container', async () => {
  const world = await simulated({
    pods: `
- match: { labels: { app: other } }
  exitCode: 9
- match: { labels: { app: hello }, container: builder, image: 'kan*:1', name: 'slow-*' }
  afterSeconds: 60
  terminationMessage: '{{image}} by {{pod}}'
- match: { container: builder }
  exitCode: 4
`,
  });
  await world.job('slow');
  await world.job('quick', { backoffLimit: 0 });
  await world.clock.turn(30);
  const podOf = (job: string) => world.pods().find(({ metadata }) => metadata.labels?.['job-name'] === job);
  assert.is(stateOf(podOf('slow')), 'running');
  assert.is(ended(podOf('quick'))?.exitCode, 4);
  await world.clock.turn(31);
  assert.is(ended(podOf('slow'))?.message, `registry.local/hello:v1 by ${podOf('slow')?.metadata.name}`);
  await world.stop();
});

pods('a rule that names neither container nor image does not match init containers', async () => {
  const world = await simulated({ pods: '[{ match: { labels: { app: hello } }, hang: true }]' });
  await world.job('build', {}, git);
  await world.clock.turn(10);
  assert.is(initState(world.pods()[0]), 'terminated');
  assert.is(stateOf(world.pods()[0]), 'running');
  await world.stop();
});

pods('two builds push different digests', async () => {
  const world = await simulated();
  await world.job('one');
  await world.job('two');
  await world.clock.turn(3);
  const digests = world.pods().map((pod) => ended(pod)?.message ?? '');
  assert.is(new Set(digests).size, 2);
  digests.forEach((digest) => assert.match(digest, /^sha256:[0-9a-f]{64}$/));
  await world.stop();
});

pods('a changed rule applies only to later pods', async () => {
  const world = await simulated({ pods: '[{ match: {}, afterSeconds: 10 }]' });
  await world.job('build');
  await world.clock.turn(1);
  await world.configure({ pods: '[{ match: {}, exitCode: 7 }]' });
  await world.clock.turn(10);
  assert.is(ended(world.pods()[0])?.exitCode, 0);
  await world.stop();
});

pods('the default ConfigMap and its commented example are valid', () => {
  const uncommented = defaultNodes(clusterOptions.names).pods.replace(
    /^# (?=- match|  afterSeconds:|  fails: 1)/gm,
    '',
  );
  for (const [data, rules] of [
    [defaultNodes(clusterOptions.names), 0],
    [{ ...defaultNodes(clusterOptions.names), pods: uncommented }, 1],
  ] as const) {
    const { simulation, faults } = readSimulation({ data } as unknown as Stored, unread);
    assert.equal(faults, []);
    assert.is(simulation.nodes?.length, 3);
    assert.is(simulation.rules.length, rules);
  }
});

pods('an unreadable pod disturbs neither the store nor other pods', async () => {
  const world = await simulated();
  await world.pod('odd', { containers: 'none' });
  await world.pod('odder', { nodeName: 'local-1', containers: [null] });
  await world.pod('web');
  await world.clock.turn(1);
  assert.is(stateOf(world.getPod('web')), 'running');
  await world.stop();
});

for (const [what, data, says] of [
  ['broken YAML', { pods: '- match: {\n' }, /^pods, line 2, column 1: /],
  [
    'an unknown field',
    { pods: '- match: {}\n  exitcode: 1\n' },
    /^pods, line 2, column 3: pods\[0\]\.exitcode is not a/,
  ],
  ['a wrong value', { pods: '- match: {}\n  exitCode: 256\n' }, /^pods, line 2, column 3: pods\[0\]\.exitCode must be/],
  [
    'a rule without a match',
    { pods: '- hang: true\n' },
    /^pods, line 1, column 3: pods\[0\] must have required property/,
  ],
  ['a node twice', { nodes: '[{ name: a }, { name: a }]' }, /^nodes: the name a stands there twice$/],
  ['a back-off that is no number', { backoffSeconds: 'soon' }, /^backoffSeconds, line 1, column 1: /],
] as const) {
  pods(`${what} is reported in an Event on the ConfigMap, and the last good rules stay`, async () => {
    const world = await simulated({ nodes: '[{ name: good }]', pods: '[{ match: {}, exitCode: 5 }]' });
    await world.configure(data);
    await world.clock.turn(1);
    const [event, ...others] = world.events('InvalidRules');
    assert.is(others.length, 0);
    assert.match(String(event?.['message']), says);
    assert.is(event?.['type'], 'Warning');
    await world.job('build', { backoffLimit: 0 });
    await world.clock.turn(3);
    assert.is(ended(world.pods()[0])?.exitCode, 5);
    assert.is(world.pods()[0]?.spec?.nodeName, 'good');
    await world.stop();
  });
}

pods('a pod with a finalizer stops when it is deleted and is gone when the finalizer is removed', async () => {
  const world = await simulated();
  await world.pod('web', {}, { finalizers: ['example.com/hold'] });
  await world.clock.turn(1);
  await world.remove('/pods', 'web');
  await world.clock.turn(1);
  assert.is(world.getPod('web')?.status?.phase, 'Failed');
  assert.is(ended(world.getPod('web'))?.exitCode, 137);
  const place = { bucket: '/pods', namespace: 'core-system', name: 'web' };
  await world.store.update(place, (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
  await world.clock.turn(1);
  assert.is(world.getPod('web'), undefined);
  await world.stop();
});

pods('the manual mode changes no pods or Jobs, and still removes finished Jobs', async () => {
  const world = await simulated({}, 'manual');
  await world.job('build', { ttlSecondsAfterFinished: 60 });
  await world.pod('web');
  await world.clock.turn(10);
  assert.is(world.pods().length, 1);
  assert.is(world.getPod('web')?.spec?.nodeName, undefined);
  assert.is(world.getPod('web')?.status, undefined);
  assert.is(world.getJob('build')?.status, undefined);
  const lastTransitionTime = new Date(world.clock.now()).toISOString();
  await world.setJobStatus('build', { conditions: [{ type: 'Failed', status: 'True', lastTransitionTime }] });
  await world.clock.turn(59);
  assert.ok(world.getJob('build'));
  await world.clock.turn(2);
  assert.is(world.getJob('build'), undefined);
  await world.annotate('web', { 'core.platform/log': 'one\ntwo\n' });
  const pod = world.getPod('web');
  assert.is(pod && (await world.podLogs.read(pod, 'web', {})), 'one\ntwo\n');
  await world.stop();
});

pods.run();
