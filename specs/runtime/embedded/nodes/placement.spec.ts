import * as assert from 'uvu/assert';
import { jsonAt } from '../../../../runtime/embedded/api/json.ts';
import type { Node } from '../../../../runtime/embedded/nodes/shapes.ts';
import { milli } from '../../../../runtime/embedded/nodes/quantity.ts';
import { suite } from '../../../support/suite.ts';
import { condition, simulated } from './simulated.ts';

const placement = suite('nodes and the placement of pods');
const nodes = (...entries: readonly string[]) => ({ nodes: entries.map((entry) => `- ${entry}\n`).join('') });
const nodeAt = (name: string) => ({ bucket: '/nodes', namespace: '', name });
const requests = (cpu: string) => ({
  containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu, memory: '1Gi' } } }],
});

placement('a configured node becomes a Node marked as simulated', async () => {
  const world = await simulated(nodes('{ name: a, region: north, tags: [gpu], reserved: pci, cpu: 4, memory: 8Gi }'));
  const node = world.store.get(nodeAt('a'));
  assert.equal(node?.metadata.labels, {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/hostname': 'a',
    'core.platform/region': 'north',
    'core.platform/tag-gpu': 'true',
    'core.platform/tag-pci': 'true',
    'core.platform/simulated': 'true',
  });
  assert.equal(node?.spec, {
    taints: [{ key: 'core.platform/reserved', value: 'pci', effect: 'NoSchedule' }],
    podCIDR: '10.128.0.0/20',
    podCIDRs: ['10.128.0.0/20'],
  });
  assert.is(condition(node, 'Ready')?.status, 'True');
  assert.equal((node as Node | undefined)?.status?.allocatable, { cpu: '4', memory: '8Gi', pods: '110' });
  await world.stop();
});

placement(
  'a Node reports everything about its machine that clients ask for, also one that an older version created',
  async () => {
    const world = await simulated(nodes('{ name: a }', '{ name: b }'));
    const told = (name: string) => jsonAt(world.store.get(nodeAt(name)), 'status', 'nodeInfo');
    const whole = told('a');
    const names = ['machineID', 'systemUUID', 'bootID', 'kernelVersion', 'osImage', 'containerRuntimeVersion'];
    const all = [...names, 'kubeletVersion', 'kubeProxyVersion', 'operatingSystem', 'architecture'];
    assert.equal(Object.keys(whole).toSorted(), all.toSorted());
    assert.ok(Object.values(whole).every((value) => typeof value === 'string' && value !== ''));
    for (const id of ['machineID', 'systemUUID', 'bootID']) assert.is.not(whole[id], told('b')[id], id);
    const older = { kubeletVersion: 'simulated', operatingSystem: 'linux', architecture: 'amd64', bootID: '' };
    await world.stop();
    await world.store.update(nodeAt('a'), (old) => ({ ...old, status: { ...jsonAt(old, 'status'), nodeInfo: older } }));
    world.start();
    await world.clock.turn(1);
    assert.equal(told('a'), whole);
    await world.stop();
  },
);

placement('Nodes follow the configuration and keep labels of other managers', async () => {
  const world = await simulated(nodes('{ name: a, region: north, tags: [gpu] }', '{ name: b }'));
  await world.store.update(nodeAt('a'), (old) => ({
    ...old,
    metadata: { ...old.metadata, labels: { ...old.metadata.labels, team: 'blue' } },
  }));
  await world.configure(nodes('{ name: a, region: south }', '{ name: c }'));
  await world.clock.turn(1);
  assert.equal(
    world.store.list('/nodes').map(({ metadata }) => metadata.name),
    ['a', 'c'],
  );
  const labels = world.store.get(nodeAt('a'))?.metadata.labels;
  assert.is(labels?.['core.platform/region'], 'south');
  assert.is(labels?.['core.platform/tag-gpu'], undefined);
  assert.is(labels?.['team'], 'blue');
  const { writes } = world.store;
  await world.configure({ backoffSeconds: '1', ...nodes('{ name: a, region: south }', '{ name: c } # still') });
  await world.clock.turn(1);
  assert.is(world.store.writes, writes + 1, 'nothing but the ConfigMap is written');
  await world.store.remove(nodeAt('a'));
  await world.clock.turn(1);
  assert.ok(world.store.get(nodeAt('a')), 'a Node that is still in the list comes back');
  await world.stop();
});

placement('nodeSelector, tolerations and affinity decide the node', async () => {
  const world = await simulated(
    nodes('{ name: a, region: north }', '{ name: b, region: south, reserved: pci }', '{ name: c, region: south }'),
  );
  const toleration = { key: 'core.platform/reserved', operator: 'Equal', value: 'pci', effect: 'NoSchedule' };
  const affinity = (key: string, operator: string, values: readonly string[] = []) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
        },
      },
    },
  });
  const region = 'core.platform/region';
  await world.pod('selected', { nodeSelector: { [region]: 'south' } });
  await world.pod('tolerant', { nodeSelector: { 'core.platform/tag-pci': 'true' }, tolerations: [toleration] });
  await world.pod('in', affinity(region, 'In', ['north']));
  await world.pod('not-in', affinity(region, 'NotIn', ['north']));
  await world.pod('exists', { tolerations: [{ operator: 'Exists' }], ...affinity('core.platform/tag-pci', 'Exists') });
  await world.pod('nowhere', affinity('core.platform/tag-pci', 'Exists'));
  await world.clock.turn(0);
  const node = (name: string) => world.getPod(name)?.spec?.nodeName;
  assert.equal(['selected', 'tolerant', 'in', 'not-in', 'exists', 'nowhere'].map(node), [
    'c',
    'b',
    'a',
    'c',
    'b',
    undefined,
  ]);
  await world.stop();
});

placement('an unschedulable pod reports the reason once and is placed when a node is added', async () => {
  const world = await simulated(nodes('{ name: a }', '{ name: b, reserved: pci }'));
  await world.pod('lonely', { nodeSelector: { 'core.platform/region': 'north' } });
  await world.clock.turn(5);
  const told = condition(world.getPod('lonely'), 'PodScheduled');
  assert.is(told?.reason, 'Unschedulable');
  assert.is(
    told?.message,
    "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, " +
      '1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  );
  assert.is(world.getPod('lonely')?.status?.phase, 'Pending');
  assert.is(world.events('FailedScheduling')[0]?.['count'], 1);
  await world.configure(nodes('{ name: a, region: north }', '{ name: b, reserved: pci }'));
  await world.clock.turn(1);
  assert.is(condition(world.getPod('lonely'), 'PodScheduled')?.status, 'True');
  assert.is(world.getPod('lonely')?.status?.phase, 'Running');
  await world.stop();
});

placement('requests of pods are limited by their node and released with the pod', async () => {
  const world = await simulated(nodes('{ name: a, cpu: 2, memory: 64Gi }'));
  for (const name of ['one', 'two', 'three']) await world.pod(name, requests('900m'));
  await world.clock.turn(1);
  const placed = () => world.pods().filter(({ spec }) => spec?.nodeName !== undefined);
  assert.is(placed().length, 2);
  const left = world.pods().find(({ spec }) => spec?.nodeName === undefined);
  assert.is(
    condition(left, 'PodScheduled')?.message,
    '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
  );
  await world.remove('/pods', placed()[0]?.metadata.name ?? '');
  await world.clock.turn(1);
  assert.is(placed().length, 2);
  assert.is(world.pods().length, 2);
  await world.stop();
});

placement('a node takes no more pods than configured, and says so in the words of Kubernetes', async () => {
  const world = await simulated(nodes('{ name: a, pods: 2 }'));
  for (const name of ['one', 'two', 'three']) await world.pod(name);
  await world.clock.turn(1);
  const waiting = () => world.pods().filter(({ spec }) => spec?.nodeName === undefined);
  assert.equal(
    waiting().map((pod) => condition(pod, 'PodScheduled')?.message),
    [
      '0/1 nodes are available: 1 Too many pods. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    ],
  );
  await world.configure(nodes('{ name: a, pods: 3 }'));
  await world.clock.turn(1);
  assert.equal(waiting(), []);
  await world.stop();
});

placement('simultaneous pods do not share capacity that fits one of them', async () => {
  const world = await simulated(nodes('{ name: a, cpu: 1, memory: 64Gi }'));
  await Promise.all(['one', 'two', 'three'].map((name) => world.pod(name, requests('600m'))));
  await world.clock.turn(1);
  assert.is(world.pods().filter(({ spec }) => spec?.nodeName !== undefined).length, 1);
  await world.stop();
});

placement('a pod waits when there are no nodes', async () => {
  const world = await simulated({ nodes: '[]' });
  await world.pod('lonely');
  await world.clock.turn(1);
  assert.is(condition(world.getPod('lonely'), 'PodScheduled')?.message, 'no nodes available to schedule pods');
  await world.stop();
});

placement('pods of a removed node are deleted, and a Job creates another', async () => {
  const world = await simulated({ ...nodes('{ name: a }'), pods: '[{ match: {}, afterSeconds: 5 }]' });
  await world.job('build');
  await world.clock.turn(1);
  await world.configure(nodes('{ name: b }'));
  await world.clock.turn(2);
  assert.equal(
    world.pods().map(({ spec }) => spec?.nodeName),
    ['b'],
  );
  await world.stop();
});

placement('CPU and memory are read in thousandths', () => {
  const read = ['1', '250m', '0.1', '1.5', '2k', '1Ki', '1e3', 4, 'nonsense'].map(milli);
  assert.equal(read, [1000, 250, 100, 1500, 2_000_000, 1_024_000, 1_000_000, 4000, 0]);
});

placement.run();
