import type { KubeObject } from '../crds/kind.ts';
import { key, label } from '../crds/names.ts';
import { quantityOf } from './owned/quantity.ts';
import { type Placement, tagIn, tagLabel } from './placement.ts';

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** The parts of a cluster node that scheduling depends on. */
export interface ClusterNode extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly allocatable?: Amounts;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

type Amounts = Readonly<Record<string, string | number>>;
export interface Container {
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
}

/** The capacity that a pod requests, or that a node has left, in billionths. */
export interface CpuAndMemory {
  readonly cpu: bigint;
  readonly memory: bigint;
}

/** CPU, memory and a number of pods: taken on a node, or left on it. */
export interface Capacity extends CpuAndMemory {
  readonly pods: number;
}

/** The capacity taken on each node, by name. */
export type TakenOn = ReadonlyMap<string, Capacity>;

/**
 * `none`: no ready node has the region and the tags; `reserved`: every such node is reserved for other work; `full`:
 * CPU and memory suffice, but the kubelets' pod limits do not.
 */
type NodesVerdict = 'fit' | 'none' | 'reserved' | 'full';

/** The capacity on the nodes of a placement for copies of a pod. */
export interface CapacitySeen {
  readonly nodes: NodesVerdict;
  /** How many copies fit, at most the requested number. */
  readonly copies: number;
  /** The free capacity of each node, the largest first. */
  readonly free: readonly CpuAndMemory[];
}

/** The capacity for the copies of a workload. */
export interface AvailableCapacity {
  readonly nodes: NodesVerdict;
  /** The requests that fit on no node, as text; null when they fit. */
  readonly crowded: { readonly cpu: string; readonly memory: string; readonly free: string } | null;
}

/** Copies of a pod: what each needs, how many there are, whether each needs its own node, and their placement. */
export interface CopiesAsked {
  readonly need: CpuAndMemory;
  readonly copies: number;
  readonly apart?: boolean;
  readonly placement: Placement;
}

export const nothing: CpuAndMemory = { cpu: 0n, memory: 0n };

/** What Kubernetes reserves for a container: its request, otherwise its limit. */
export const needOfContainer = ({ resources }: Container): CpuAndMemory => {
  const of = (name: 'cpu' | 'memory') =>
    quantityOf(resources?.requests?.[name] ?? resources?.limits?.[name] ?? 0) ?? 0n;
  return { cpu: of('cpu'), memory: of('memory') };
};

export const needOf = (resources: Container['resources']): CpuAndMemory =>
  needOfContainer(resources ? { resources } : {});

export const plus = (a: CpuAndMemory, b: CpuAndMemory): CpuAndMemory => ({
  cpu: a.cpu + b.cpu,
  memory: a.memory + b.memory,
});
export const minus = (a: CpuAndMemory, b: CpuAndMemory): CpuAndMemory => ({
  cpu: a.cpu - b.cpu,
  memory: a.memory - b.memory,
});
const atLeast = (a: CpuAndMemory, b: CpuAndMemory) => a.cpu >= b.cpu && a.memory >= b.memory;

const unused: Capacity = { ...nothing, pods: 0 };

/** The free capacity of a node; without a reported pod limit there is none. */
function freeOn({ metadata, status }: ClusterNode, taken: TakenOn): Capacity {
  const { allocatable = {} } = status ?? {};
  const used = taken.get(metadata.name) ?? unused;
  const most = quantityOf(allocatable['pods']);
  return {
    ...minus(needOf({ requests: allocatable }), used),
    pods: most === null ? Number.POSITIVE_INFINITY : Number(most / unit) - used.pods,
  };
}

/** Whether the kubelet of a node reports it ready, schedulable or not. */
export const isUp = ({ status }: ClusterNode): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

const isReadyNode = (node: ClusterNode) => node.spec?.unschedulable !== true && isUp(node);

/** Whether a node is in a region; the empty one means any. */
export const isInRegion = ({ metadata: { labels = {} } }: ClusterNode, region: string): boolean =>
  region === '' || labels[label.region] === region;

export const carriesTag = ({ metadata: { labels = {} } }: ClusterNode, tag: string): boolean =>
  labels[tagLabel(tag)] === 'true';

/** The region of a node; empty when it names none. */
export const regionOfNode = ({ metadata: { labels = {} } }: ClusterNode): string => labels[label.region] ?? '';

/** The tags that a node carries, by name. */
export const tagsOfNode = ({ metadata: { labels = {} } }: ClusterNode): readonly string[] =>
  Object.keys(labels)
    .flatMap((name) => tagIn(name) ?? [])
    .filter((tag) => labels[tagLabel(tag)] === 'true')
    .toSorted();

const isReservation = (taint: Taint): boolean => taint.key === key('reserved') && taint.effect === 'NoSchedule';

/** The tag that a node is reserved for; empty for none. */
export const reservedFor = ({ spec }: ClusterNode): string => (spec?.taints ?? []).find(isReservation)?.value ?? '';

const carries = (node: ClusterNode, { region, tags }: Placement) =>
  isInRegion(node, region) && tags.every((tag) => carriesTag(node, tag));

/** Whether a pod of this placement tolerates the reservation of a node and every other taint. */
const admits = ({ spec }: ClusterNode, { tags }: Placement) =>
  (spec?.taints ?? []).every(
    (taint) => taint.effect === 'PreferNoSchedule' || (isReservation(taint) && tags.includes(taint.value ?? '')),
  );

/** Whether copies of a pod fit, given the capacity of the nodes and what is taken on them. */
export function capacityFor(
  { need, copies, apart = false, placement }: CopiesAsked,
  { nodes, taken }: { readonly nodes: readonly ClusterNode[]; readonly taken: TakenOn },
): CapacitySeen {
  const carrying = nodes.filter((node) => isReadyNode(node) && carries(node, placement));
  const open = carrying.filter((node) => admits(node, placement));
  if (open.length === 0) return { nodes: carrying.length === 0 ? 'none' : 'reserved', copies: 0, free: [] };
  const left = open.map((node) => freeOn(node, taken));
  const most = apart ? 1 : copies;
  const byAmounts = left.map((capacity) => copiesIn(capacity, need, most));
  const fitting = total(byAmounts.map((count, index) => Math.max(0, Math.min(count, left[index]?.pods ?? 0))));
  const free = left.toSorted((a, b) => (atLeast(a, b) ? -1 : atLeast(b, a) ? 1 : Number(b.memory - a.memory)));
  const isFull = fitting < copies && total(byAmounts) >= copies;
  return { nodes: isFull ? 'full' : 'fit', copies: Math.min(fitting, copies), free };
}

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function copiesIn(capacity: CpuAndMemory, need: CpuAndMemory, most: number): number {
  let [count, left] = [0, minus(capacity, need)];
  while (count < most && atLeast(left, nothing)) [count, left] = [count + 1, minus(left, need)];
  return count;
}

const unit = 1_000_000_000n;
const binary = [
  ['Gi', 2n ** 30n],
  ['Mi', 2n ** 20n],
  ['Ki', 2n ** 10n],
] as const;

/** An amount of CPU as text: `2`, `250m`; a negative amount counts as zero. */
export function cpuText(nanos: bigint): string {
  if (nanos <= 0n) return '0';
  return nanos % unit === 0n ? String(nanos / unit) : `${nanos / (unit / 1000n)}m`;
}

/** An amount of memory as text, rounded down: `2Gi`, `1536Mi`. */
export function memoryText(nanos: bigint): string {
  if (nanos <= 0n) return '0';
  const bytes = nanos / unit;
  const exact = binary.find(([, size]) => bytes % size === 0n);
  const [name, size] = exact ?? (bytes >= 2n ** 20n ? binary[1] : binary[2]);
  return `${bytes / size}${name}`;
}
