import type { KubeObject } from '../crds/kind.ts';
import {
  type Capacity,
  type Container,
  minus,
  needOfContainer,
  nothing,
  plus,
  type CpuAndMemory,
  type TakenOn,
} from './capacity.ts';

/** The parts of a pod that determine the capacity it takes on its node. */
export interface PlacedPod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  readonly status?: { readonly phase?: string };
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** The larger of the sum of a pod's containers and its largest init container. */
function requestsOf({ spec }: PlacedPod): CpuAndMemory {
  const main = (spec?.containers ?? []).map(needOfContainer).reduce(plus, nothing);
  return (spec?.initContainers ?? [])
    .map(needOfContainer)
    .reduce((most, one) => ({ cpu: larger(most.cpu, one.cpu), memory: larger(most.memory, one.memory) }), main);
}

/** Whether a pod has ended and takes no capacity. */
export const isOver = ({ status }: PlacedPod) => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** The node on which a pod takes capacity; empty when it has ended or is not scheduled. */
const nodeOf = (pod: PlacedPod): string => (isOver(pod) ? '' : (pod.spec?.nodeName ?? ''));

/** Adds or removes what a pod takes on its node, as its kubelet counts it. */
export function enterPod(taken: Map<string, Capacity>, pod: PlacedPod, as: 'added' | 'removed'): void {
  const node = nodeOf(pod);
  if (node === '') return;
  const before = taken.get(node) ?? { ...nothing, pods: 0 };
  const own = requestsOf(pod);
  const after =
    as === 'added' ? { ...plus(before, own), pods: before.pods + 1 } : { ...minus(before, own), pods: before.pods - 1 };
  if (after.pods === 0) taken.delete(node);
  else taken.set(node, after);
}

/** The capacity that these pods take. */
export function takenBy(pods: readonly PlacedPod[]): TakenOn {
  const taken = new Map<string, Capacity>();
  for (const pod of pods) enterPod(taken, pod, 'added');
  return taken;
}

/** The same without some of the pods. */
export function takenWithout(taken: TakenOn, pods: readonly PlacedPod[]): TakenOn {
  if (pods.length === 0) return taken;
  const rest = new Map(taken);
  for (const pod of pods) enterPod(rest, pod, 'removed');
  return rest;
}
