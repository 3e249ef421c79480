import * as assert from 'uvu/assert';
import { cpuText, memoryText, needOf, nothing, capacityFor, type ClusterNode } from '../../rules/capacity.ts';
import { type PlacedPod, takenBy } from '../../rules/usedCapacity.ts';
import { suite } from '../support/suite.ts';

const spec = suite('capacity of nodes');

interface NodeInput {
  readonly region?: string;
  readonly tags?: readonly string[];
  readonly reserved?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly ready?: string;
  readonly unschedulable?: boolean;
}

const node = (
  name: string,
  { region = '', tags = [], reserved, cpu = '2', memory = '4Gi', pods = '110', ...rest }: NodeInput = {},
): ClusterNode => ({
  metadata: {
    name,
    labels: {
      'core.platform/region': region,
      ...Object.fromEntries(tags.map((tag) => [`core.platform/tag-${tag}`, 'true'])),
    },
  },
  spec: {
    ...(rest.unschedulable === undefined ? {} : { unschedulable: rest.unschedulable }),
    taints: reserved === undefined ? [] : [{ key: 'core.platform/reserved', value: reserved, effect: 'NoSchedule' }],
  },
  status: { allocatable: { cpu, memory, pods }, conditions: [{ type: 'Ready', status: rest.ready ?? 'True' }] },
});

const pod = (nodeName: string, cpu: string, memory: string, phase = 'Running'): PlacedPod => ({
  metadata: { name: `${nodeName}-${cpu}` },
  spec: { nodeName, containers: [{ resources: { requests: { cpu, memory } } }] },
  status: { phase },
});

const anywhere = { region: '', tags: [] };
const need = needOf({ requests: { cpu: '500m', memory: '1Gi' } });
const fits = (
  nodes: readonly ClusterNode[],
  pods: readonly PlacedPod[] = [],
  placement: { region: string; tags: readonly string[] } = anywhere,
  copies = 3,
) => capacityFor({ need, copies, placement }, { nodes, taken: takenBy(pods) });

spec('DB-144 a running pod takes capacity of its node, and an ended one does not', () => {
  assert.is(fits([node('a')]).copies, 3);
  assert.is(fits([node('a')], [pod('a', '1', '1Gi')]).copies, 2);
  assert.is(fits([node('a')], [pod('a', '1', '1Gi', 'Succeeded'), pod('b', '1', '1Gi')]).copies, 3);
  assert.is(fits([node('a')], [pod('a', '0', '3500Mi')]).copies, 0);
  assert.is(fits([node('a', { cpu: '1' }), node('b', { cpu: '1' })]).copies, 3);
  assert.is(fits([node('a', { cpu: '500m' })], []).copies, 1);
  assert.is(fits([node('a', { cpu: '499m' })], []).copies, 0);
});

spec('DB-144 an init container counts when it requests more than the other containers', () => {
  const greedy: PlacedPod = {
    metadata: { name: 'g' },
    spec: {
      nodeName: 'a',
      containers: [{ resources: { requests: { cpu: '100m' } } }, { resources: { limits: { cpu: '100m' } } }],
      initContainers: [{ resources: { requests: { cpu: '1600m' } } }],
    },
  };
  assert.is(fits([node('a')], [greedy]).copies, 0);
});

spec('DB-201 no node fits when none is ready with the region and the tags', () => {
  const eu = { region: 'eu', tags: ['ssd'] };
  assert.is(fits([], [], eu).nodes, 'none');
  assert.is(fits([node('a', { region: 'eu' })], [], eu).nodes, 'none');
  assert.is(fits([node('a', { region: 'us', tags: ['ssd'] })], [], eu).nodes, 'none');
  for (const away of [{ ready: 'False' }, { ready: 'Unknown' }, { unschedulable: true }])
    assert.is(fits([node('a', { region: 'eu', tags: ['ssd'], ...away })], [], eu).nodes, 'none');
  assert.is(fits([node('a', { region: 'eu', tags: ['ssd', 'x'] })], [], eu).nodes, 'fit');
});

spec('DB-201 a node reserved for other work takes no workload, and one reserved for a tag of the object does', () => {
  const tagged = { region: '', tags: ['certified'] };
  assert.is(fits([node('a', { reserved: 'gpu', tags: ['gpu'] })]).nodes, 'reserved');
  assert.is(fits([node('a', { reserved: 'gpu', tags: ['gpu', 'certified'] })], [], tagged).nodes, 'reserved');
  assert.is(fits([node('a', { reserved: 'certified', tags: ['certified'] })], [], tagged).nodes, 'fit');
});

spec('DB-200 the largest available capacity of a node is reported', () => {
  const [free = nothing] = fits([node('a', { cpu: '1', memory: '2Gi' }), node('b')], [pod('b', '250m', '512Mi')]).free;
  assert.is(cpuText(free.cpu), '1750m');
  assert.is(memoryText(free.memory), '3584Mi');
  const [overdrawn = nothing] = fits([node('a', { cpu: '1' })], [pod('a', '2', '9Gi')]).free;
  assert.equal([cpuText(overdrawn.cpu), memoryText(overdrawn.memory)], ['0', '0']);
  assert.equal(
    ['2', '0.5', '100m'].map((cpu) => cpuText(needOf({ requests: { cpu } }).cpu)),
    ['2', '500m', '100m'],
  );
  assert.equal(
    ['1Gi', '1536Mi', '1000000', '5'].map((memory) => memoryText(needOf({ requests: { memory } }).memory)),
    ['1Gi', '1536Mi', '976Ki', '0Ki'],
  );
});

const slots = (name: string, pods: string, cpu = '2') => node(name, { cpu, pods });
const idle = (nodeName: string, phase = 'Running') => pod(nodeName, '0', '0', phase);

spec('SVC-040a DB-200a a node takes as many pods as its kubelet allows, not counting ended ones', () => {
  assert.equal([fits([slots('a', '3')]).nodes, fits([slots('a', '3')]).copies], ['fit', 3]);
  const running = [idle('a'), idle('a', 'Pending'), idle('a', 'Unknown'), idle('a', 'Succeeded'), idle('a', 'Failed')];
  assert.equal([fits([slots('a', '5')], running).nodes, fits([slots('a', '5')], running).copies], ['full', 2]);
  assert.is(fits([slots('a', '6')], running).nodes, 'fit');
  const unbound: PlacedPod = { metadata: { name: 'waits' }, spec: {}, status: { phase: 'Pending' } };
  assert.is(fits([slots('a', '3')], [unbound]).nodes, 'fit', 'a pod without a node is on none');
  assert.equal(fits([slots('a', '1'), slots('b', '1')]).nodes, 'full');
  assert.equal(fits([slots('a', '1'), slots('b', '2')]).nodes, 'fit');
  assert.is(fits([slots('a', '0')], [idle('a')]).copies, 0);
});

spec('SVC-040a DB-200a missing CPU or memory is reported first when several resources are missing', () => {
  assert.is(fits([slots('a', '0', '400m')]).nodes, 'fit');
  assert.is(fits([slots('a', '0'), slots('b', '9', '400m')]).nodes, 'full', 'no node has both');
  const apart = { need, copies: 2, apart: true, placement: anywhere };
  assert.is(capacityFor(apart, { nodes: [slots('a', '9'), slots('b', '0')], taken: takenBy([]) }).nodes, 'full');
  assert.is(capacityFor(apart, { nodes: [slots('a', '9'), slots('b', '9', '400m')], taken: takenBy([]) }).nodes, 'fit');
});

spec.run();
