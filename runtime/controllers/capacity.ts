import type { DatabaseSpec } from '../../crds/coreDatabase.ts';
import {
  type Capacity,
  type ClusterNode,
  type CopiesAsked,
  cpuText,
  memoryText,
  needOf,
  nothing,
  type AvailableCapacity,
  capacityFor,
  type CapacitySeen,
  type TakenOn,
} from '../../rules/capacity.ts';
import { enterPod, type PlacedPod, takenWithout } from '../../rules/usedCapacity.ts';
import { jobNameLabel, label, managedBy } from '../../crds/names.ts';
import type { Placement } from '../../rules/placement.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Tally } from '../cache/tally.ts';
import { ownedKind } from '../owned/owned.ts';
import { pods } from '../services/cluster/resources.ts';
import { byLabel, type Resource } from '../services/cluster/cluster.ts';

/** All nodes of the cluster, including those that Core did not create. */
export const clusterNodes: Resource<ClusterNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  cached: {},
};

/** The pods of Core's workloads, in every namespace, by their project and their Job too. */
export const workloadPods = ownedKind<PlacedPod>({ group: '', kind: 'Pod', plural: 'pods' }, [
  byLabel(label.project),
  byLabel(jobNameLabel),
]);

/** Other pods on the nodes: of the system, of DaemonSets and of Jobs without workload labels. */
export const unmanagedPods: Resource<PlacedPod> = {
  ...pods,
  cached: {
    labelSelector: `${label.managedBy}!=${managedBy}`,
    fieldSelector: 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed',
    everywhere: true,
  },
};

export const everywhere: AvailableCapacity = { nodes: 'fit', crowded: null };

/** The capacity that all pods take on each node. */
export const takenCapacity: Tally<TakenOn> = ({ of }) => {
  const taken = new Map<string, Capacity>();
  let shown: TakenOn | null = null;
  for (const cache of [of(workloadPods), of(unmanagedPods)]) {
    for (const pod of cache.list()) enterPod(taken, pod, 'added');
    cache.onChange(({ type, object, previous }) => {
      if (previous) enterPod(taken, previous, 'removed');
      if (type !== 'deleted') enterPod(taken, object, 'added');
      shown = null;
    });
  }
  return () => (shown ??= new Map(taken));
};

/** The capacity for copies of a pod beside all others; that of `own` pods counts as free. */
export const capacityAmong = (
  { own, ...asked }: CopiesAsked & { readonly own: readonly PlacedPod[] },
  reader: CacheReader,
): CapacitySeen =>
  capacityFor(asked, { nodes: reader.list(clusterNodes), taken: takenWithout(reader.tally(takenCapacity), own) });

/** A workload to place: the requests and number of its copies, their placement, and its existing pods. */
export interface CapacityRequest {
  readonly resources: DatabaseSpec['resources'];
  readonly copies: number;
  readonly placement: Placement;
  /** Its own pods, whose capacity counts as free. */
  readonly own: readonly PlacedPod[];
}

/** Computes the capacity from the nodes and their pods. */
export function availableCapacity(
  { resources, copies, placement, own }: CapacityRequest,
  reader: CacheReader,
): AvailableCapacity {
  if (copies === 0) return everywhere;
  const need = needOf(resources);
  const capacity = capacityAmong({ need, copies, placement, own }, reader);
  if (capacity.nodes !== 'fit' || capacity.copies === copies) return { nodes: capacity.nodes, crowded: null };
  const [most = nothing] = capacity.free;
  const free = `${cpuText(most.cpu)} CPU and ${memoryText(most.memory)} memory`;
  return { nodes: 'fit', crowded: { cpu: cpuText(need.cpu), memory: memoryText(need.memory), free } };
}

/** The same, computed once and only when read. */
export function lazyCapacity(ask: () => AvailableCapacity): AvailableCapacity {
  let found: AvailableCapacity | undefined;
  const offered = () => (found ??= ask());
  return {
    get nodes() {
      return offered().nodes;
    },
    get crowded() {
      return offered().crowded;
    },
  };
}
