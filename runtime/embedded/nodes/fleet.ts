import { isDeepStrictEqual } from 'node:util';
import { key, label } from '../../../crds/names.ts';
import { listAt, textAt } from '../api/json.ts';
import type { Place, Store, Stored } from '../store.ts';
import { stamp } from './clock.ts';
import { freeRange, hostAddress } from './podAddresses.ts';
import type { NodeEntry } from './schema.ts';
import { type Node, type Taint, bucket, simulatedLabel } from './shapes.ts';

const entryAnnotation = key('simulated-from');
const reserved = key('reserved');

const nodeInfo = {
  kubeletVersion: 'simulated',
  osImage: 'simulated',
  operatingSystem: 'linux',
  architecture: 'amd64',
};

const placeOfNode = (name: string): Place => ({ bucket: bucket.nodes, namespace: '', name });

/** The simulated Nodes there are. */
export const simulatedNodes = (store: Store): readonly Node[] =>
  (store.list(bucket.nodes) as readonly Node[]).filter(({ metadata }) => metadata.labels?.[simulatedLabel] === 'true');

/** Makes the simulated Nodes those of the list. A Node of somebody else under such a name is left alone. */
export async function syncNodes(store: Store, entries: readonly NodeEntry[], now: number): Promise<void> {
  for (const node of simulatedNodes(store))
    if (!entries.some(({ name }) => name === node.metadata.name) && node.metadata.deletionTimestamp === undefined)
      await store.remove(placeOfNode(node.metadata.name), { uid: node.metadata.uid });
  for (const entry of entries) await syncNode(store, entry, now);
}

async function syncNode(store: Store, entry: NodeEntry, now: number) {
  const place = placeOfNode(entry.name);
  const found = store.get(place) as Node | undefined;
  if (!found) {
    await store.create(place, newNode(entry, now, freeRange(simulatedNodes(store))));
    return;
  }
  if (found.metadata.labels?.[simulatedLabel] !== 'true') return;
  if (found.spec?.podCIDR === undefined) {
    const range = freeRange(simulatedNodes(store));
    await store.update(place, (old) => ({ ...old, ...withRange(old as Node, range) }));
  }
  const isWhole = Object.keys(machine('kubernetes.io')).every((name) => found.metadata.labels?.[name] !== undefined);
  if (!isWhole || !isDeepStrictEqual(lastEntry(found), entry))
    await store.update(place, (old) => changed(old as Node, entry));
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

const newNode = (entry: NodeEntry, now: number, range: string | undefined) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: entry.name, labels: labelsOf(entry), annotations: { [entryAnnotation]: JSON.stringify(entry) } },
  ...withRange(
    {
      spec: { taints: taintsOf(entry) },
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
        nodeInfo,
      },
    },
    range,
  ),
});

/** Takes away what the last entry gave and gives what this one does; what others put on the Node stays. */
function changed(old: Node, entry: NodeEntry): Stored {
  const last = lastEntry(old);
  const { metadata, spec, status } = old;
  const given = last ? labelsOf(last) : {};
  const foreignLabels = Object.entries(metadata.labels ?? {}).filter(([name]) => !(name in given));
  const foreignTaints = (spec?.taints ?? []).filter(
    (taint) => !(last ? taintsOf(last) : []).some((ours) => isDeepStrictEqual(ours, taint)),
  );
  return {
    ...old,
    metadata: {
      ...metadata,
      labels: { ...Object.fromEntries(foreignLabels), ...labelsOf(entry) },
      annotations: { ...metadata.annotations, [entryAnnotation]: JSON.stringify(entry) },
    },
    spec: { ...spec, taints: [...foreignTaints, ...taintsOf(entry)] },
    status: { ...status, capacity: amountsOf(entry), allocatable: amountsOf(entry) },
  };
}

function lastEntry({ metadata }: Node): NodeEntry | null {
  try {
    return JSON.parse(metadata.annotations?.[entryAnnotation] ?? 'null') as NodeEntry | null;
  } catch {
    return null;
  }
}

/** The labels that a kubelet gives its node by what it runs on. */
const machine = (prefix: string) => ({
  [`${prefix}/arch`]: nodeInfo.architecture,
  [`${prefix}/os`]: nodeInfo.operatingSystem,
});

function labelsOf({ name, region, tags, reserved }: NodeEntry): Readonly<Record<string, string>> {
  const all = reserved === undefined ? tags : [...tags, reserved];
  return {
    ...machine('kubernetes.io'),
    ...machine('beta.kubernetes.io'),
    'kubernetes.io/hostname': name,
    ...(region !== undefined && { [label.region]: region }),
    ...Object.fromEntries(all.map((tag) => [key(`tag-${tag}`), 'true'])),
    [simulatedLabel]: 'true',
  };
}

const taintsOf = (entry: NodeEntry): readonly Taint[] =>
  entry.reserved === undefined ? [] : [{ key: reserved, value: entry.reserved, effect: 'NoSchedule' }];

const amountsOf = ({ cpu, memory, pods }: NodeEntry) => ({
  cpu: String(cpu),
  memory: String(memory),
  pods: String(pods),
});
