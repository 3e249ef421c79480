import { isDeepStrictEqual } from 'node:util';
import { listAt, textAt } from '../api/json.ts';
import type { Place, Store, Stored } from '../store.ts';
import type { Marks } from '../surroundings.ts';
import { stamp } from './clock.ts';
import { freeRange, hostAddress } from './podAddresses.ts';
import { nodeInfoOf, platform } from './nodeInfo.ts';
import type { NodeEntry } from './schema.ts';
import { type Node, type Taint, bucket } from './shapes.ts';

/** Where the simulated Nodes are, and what marks them. */
interface Fleet {
  readonly store: Store;
  readonly marks: Marks;
}

const placeOfNode = (name: string): Place => ({ bucket: bucket.nodes, namespace: '', name });

/** The simulated Nodes there are. */
export const simulatedNodes = (store: Store, marks: Marks): readonly Node[] =>
  (store.list(bucket.nodes) as readonly Node[]).filter((node) => isSimulated(node, marks));

const isSimulated = ({ metadata }: Node, { simulated }: Marks) => metadata.labels?.[simulated] === 'true';

/** Makes the simulated Nodes those of the list. A Node of somebody else under such a name is left alone. */
export async function syncNodes(fleet: Fleet, entries: readonly NodeEntry[], now: number): Promise<void> {
  const { store, marks } = fleet;
  for (const node of simulatedNodes(store, marks))
    if (!entries.some(({ name }) => name === node.metadata.name) && node.metadata.deletionTimestamp === undefined)
      await store.remove(placeOfNode(node.metadata.name), { uid: node.metadata.uid });
  for (const entry of entries) await syncNode(fleet, entry, now);
}

async function syncNode({ store, marks }: Fleet, entry: NodeEntry, now: number) {
  const place = placeOfNode(entry.name);
  const found = store.get(place) as Node | undefined;
  if (!found) {
    await store.create(place, newNode(entry, marks, { now, range: freeRange(simulatedNodes(store, marks)) }));
    return;
  }
  if (!isSimulated(found, marks)) return;
  if (found.spec?.podCIDR === undefined) {
    const range = freeRange(simulatedNodes(store, marks));
    await store.update(place, (old) => ({ ...old, ...withRange(old as Node, range) }));
  }
  if (!isWhole(found) || !isDeepStrictEqual(lastEntry(found, marks), entry))
    await store.update(place, (old) => changed(old as Node, entry, marks));
}

/** The spec and the status of a Node with the range of its pods, and its own address that goes with it. */
function withRange({ spec, status }: Pick<Node, 'spec' | 'status'>, range: string | undefined) {
  if (range === undefined) return { spec, status };
  const others = listAt(status, 'addresses').filter((one) => textAt(one, 'type') !== 'InternalIP');
  return {
    spec: { ...spec, podCIDR: range, podCIDRs: [range] },
    status: { ...status, addresses: [{ type: 'InternalIP', address: hostAddress(range) }, ...others] },
  };
}

/** Whether a Node has all that one has which is made today. */
const isWhole = ({ metadata, status }: Node) =>
  Object.keys(machine('kubernetes.io')).every((name) => metadata.labels?.[name] !== undefined) &&
  Object.keys(nodeInfoOf(metadata.name)).every((name) => textAt(status, 'nodeInfo', name) !== '');

interface Beginning {
  readonly now: number;
  readonly range: string | undefined;
}

const newNode = (entry: NodeEntry, marks: Marks, { now, range }: Beginning) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: entry.name,
    labels: labelsOf(entry, marks),
    annotations: { [marks.entry]: JSON.stringify(entry) },
  },
  ...withRange(
    {
      spec: { taints: taintsOf(entry, marks) },
      status: {
        capacity: amountsOf(entry),
        allocatable: amountsOf(entry),
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'KubeletReady',
            message: 'this node is simulated',
            lastHeartbeatTime: stamp(now),
            lastTransitionTime: stamp(now),
          },
        ],
        addresses: [{ type: 'Hostname', address: entry.name }],
        nodeInfo: nodeInfoOf(entry.name),
      },
    },
    range,
  ),
});

/** Takes away what the last entry gave and gives what this one does; what others put on the Node stays. */
function changed(old: Node, entry: NodeEntry, marks: Marks): Stored {
  const last = lastEntry(old, marks);
  const { metadata, spec, status } = old;
  const given = last ? labelsOf(last, marks) : {};
  const foreignLabels = Object.entries(metadata.labels ?? {}).filter(([name]) => !(name in given));
  const foreignTaints = (spec?.taints ?? []).filter(
    (taint) => !(last ? taintsOf(last, marks) : []).some((ours) => isDeepStrictEqual(ours, taint)),
  );
  return {
    ...old,
    metadata: {
      ...metadata,
      labels: { ...Object.fromEntries(foreignLabels), ...labelsOf(entry, marks) },
      annotations: { ...metadata.annotations, [marks.entry]: JSON.stringify(entry) },
    },
    spec: { ...spec, taints: [...foreignTaints, ...taintsOf(entry, marks)] },
    status: {
      ...status,
      capacity: amountsOf(entry),
      allocatable: amountsOf(entry),
      nodeInfo: nodeInfoOf(metadata.name),
    },
  };
}

function lastEntry({ metadata }: Node, marks: Marks): NodeEntry | null {
  try {
    return JSON.parse(metadata.annotations?.[marks.entry] ?? 'null') as NodeEntry | null;
  } catch {
    return null;
  }
}

/** The labels that a kubelet gives its node by what it runs on. */
const machine = (prefix: string) => ({
  [`${prefix}/arch`]: platform.architecture,
  [`${prefix}/os`]: platform.operatingSystem,
});

function labelsOf({ name, region, tags, reserved }: NodeEntry, marks: Marks): Readonly<Record<string, string>> {
  const all = reserved === undefined ? tags : [...tags, reserved];
  return {
    ...machine('kubernetes.io'),
    ...machine('beta.kubernetes.io'),
    'kubernetes.io/hostname': name,
    ...(region !== undefined && { [marks.region]: region }),
    ...Object.fromEntries(all.map((tag) => [marks.tag(tag), 'true'])),
    [marks.simulated]: 'true',
  };
}

const taintsOf = (entry: NodeEntry, marks: Marks): readonly Taint[] =>
  entry.reserved === undefined ? [] : [{ key: marks.reserved, value: entry.reserved, effect: 'NoSchedule' }];

const amountsOf = ({ cpu, memory, pods }: NodeEntry) => ({
  cpu: String(cpu),
  memory: String(memory),
  pods: String(pods),
});
