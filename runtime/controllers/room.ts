import type { DatabaseSpec } from '../../crds/coreDatabase.ts';
import {
  type ClusterNode,
  cpuText,
  memoryText,
  needOf,
  type NodesVerdict,
  nothing,
  type PlacedPod,
  roomFor,
} from '../../rules/room.ts';
import { label, managedBy } from '../../crds/names.ts';
import type { Placement } from '../../rules/placement.ts';
import type { CacheReader } from '../cache/reader.ts';
import { ownedKind } from '../owned/owned.ts';
import { pods } from '../resources.ts';
import type { Resource } from '../services/cluster.ts';

/** All nodes of the cluster, including those that Core did not create. */
export const clusterNodes: Resource<ClusterNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  cached: {},
};

/** The pods of Core's workloads, in every namespace. */
export const workloadPods = ownedKind<PlacedPod>({ group: '', kind: 'Pod', plural: 'pods' });

/** What others run on the nodes: of the system, of DaemonSets and of Jobs that Core does not label as its workloads. */
export const unmanagedPods: Resource<PlacedPod> = {
  ...pods,
  cached: {
    labelSelector: `${label.managedBy}!=${managedBy}`,
    fieldSelector: 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed',
    everywhere: true,
  },
};

/** What the cluster offers the copies of a workload. */
export interface Offered {
  readonly nodes: NodesVerdict;
  readonly crowded: { readonly cpu: string; readonly memory: string; readonly free: string } | null;
}

const everywhere: Offered = { nodes: 'fit', crowded: null };

/** A workload in question: what every copy requests, how many there are, where they may run, and whose pods it has. */
export interface Asked {
  readonly resources: DatabaseSpec['resources'];
  readonly copies: number;
  readonly placement: Placement;
  /** The labels of its own pods, whose room counts as free; null where it does not. */
  readonly own: Readonly<Record<string, string>> | null;
}

/** Judges by the nodes and by what runs on them. */
export function offeredTo({ resources, copies, placement, own }: Asked, reader: CacheReader): Offered {
  if (copies === 0) return everywhere;
  const need = needOf(resources);
  const labels = Object.entries(own ?? {});
  const isOwn = ({ metadata }: PlacedPod) =>
    own !== null && labels.every(([key, value]) => metadata.labels?.[key] === value);
  const running = [...reader.list(workloadPods).filter((pod) => !isOwn(pod)), ...reader.list(unmanagedPods)];
  const room = roomFor({ need, copies, placement }, { nodes: reader.list(clusterNodes), pods: running });
  if (room.nodes !== 'fit' || room.copies === copies) return { nodes: room.nodes, crowded: null };
  const [most = nothing] = room.free;
  const free = `${cpuText(most.cpu)} CPU and ${memoryText(most.memory)} memory`;
  return { nodes: 'fit', crowded: { cpu: cpuText(need.cpu), memory: memoryText(need.memory), free } };
}
