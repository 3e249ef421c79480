import { textAt } from '../api/json.ts';
import { planKept } from './plan.ts';
import { type Node, type Pod, isOver } from './shapes.ts';

/** The addresses of pods, each from the range of its node and each given to one pod at a time. */
export interface PodAddresses {
  /** The address of a pod on a node: the one it has in its range, or a free one that it has from now on. */
  readonly of: (uid: string, node: Node | undefined) => string | undefined;
  readonly put: (pod: Pod) => void;
  /** Gives a pod the very address that it has had. */
  readonly take: (uid: string, address: string) => void;
  readonly drop: (uid: string) => void;
}

/** The ranges of all nodes lie in this one, each with room for some four thousand pods. */
export const nodesRange = '10.128.0.0/9';
const first = 10 * 2 ** 24 + 128 * 2 ** 16;
const bits = 12;
const size = 2 ** bits;
const mostRanges = 2 ** (23 - bits);

const addressText = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

const rangeText = (index: number) => `${addressText(first + index * size)}/${32 - bits}`;

/** A range of a node in equal parts, each with the first `length` bits of an address of its own. */
export function partsOf(range: string, length: number): readonly string[] {
  const [base = '', whole] = range.split('/');
  const count = 2 ** (length - Number(whole));
  return Array.from(
    { length: count },
    (_, index) => `${addressText(numberOf(base) + index * 2 ** (32 - length))}/${length}`,
  );
}

/** A range that none of the nodes has. */
export function freeRange(nodes: readonly Node[]): string | undefined {
  const taken = new Set(nodes.map(({ spec }) => spec?.podCIDR));
  const all = Array.from({ length: mostRanges }, (_, index) => rangeText(index));
  return all.find((range) => !taken.has(range));
}

/** A range that shares no address with any of the subnets. */
export function rangeBeside(subnets: readonly string[]): string | undefined {
  return Array.from({ length: mostRanges }, (_, index) => rangeText(index)).find((range) => isBeside(range, subnets));
}

/** Whether a range shares no address with any of the subnets. */
export function isBeside(range: string, subnets: readonly string[]): boolean {
  const own = boundsOf(range);
  return subnets.map(boundsOf).every(({ from, to }) => to < own.from || from > own.to);
}

/** The first and the last address of a subnet. */
function boundsOf(subnet: string) {
  const [address = '', length = '32'] = subnet.split('/');
  const count = 2 ** (32 - Number(length));
  const from = Math.floor(numberOf(address) / count) * count;
  return { from, to: from + count - 1 };
}

/** The address of a node itself goes with the range of its pods. */
export const hostAddress = (range: string): string => addressText(172 * 2 ** 24 + 18 * 2 ** 16 + 2 + indexOf(range));

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const indexOf = (range: string) => (numberOf(range.split('/', 1)[0] ?? '') - first) / size;

export function createPodAddresses(): PodAddresses {
  const byPod = new Map<string, string>();
  const taken = new Set<string>();
  // Addresses are given in turn: one that has just become free is not given at once.
  const turns = new Map<string, number>();

  function give(range: string): string | undefined {
    const [base = '', length] = range.split('/');
    const start = numberOf(base);
    const turn = turns.get(range) ?? 0;
    const room = 2 ** (32 - Number(length)) - 3;
    for (let step = 0; step < room; step += 1) {
      const offset = 2 + ((turn + step) % room);
      const address = addressText(start + offset);
      if (taken.has(address)) continue;
      turns.set(range, offset - 1);
      return address;
    }
    return undefined;
  }

  function drop(uid: string) {
    taken.delete(byPod.get(uid) ?? '');
    byPod.delete(uid);
  }

  function hold(uid: string, address: string) {
    drop(uid);
    byPod.set(uid, address);
    taken.add(address);
  }

  /** The address that a pod has, where it is one of the range. */
  function keptIn(range: string | undefined, uid: string): string | undefined {
    const kept = byPod.get(uid);
    return kept !== undefined && range !== undefined && isBeside(range, [kept]) ? undefined : kept;
  }

  return {
    of(uid, node) {
      const range = node?.spec?.podCIDR;
      const address = keptIn(range, uid) ?? (range === undefined ? undefined : give(range));
      if (address !== undefined) hold(uid, address);
      return address;
    },
    put(pod) {
      const address = planKept(pod)?.ip ?? (textAt(pod, 'status', 'podIP') || undefined);
      if (isOver(pod)) drop(pod.metadata.uid);
      else if (address !== undefined && pod.spec?.hostNetwork !== true) hold(pod.metadata.uid, address);
    },
    take: hold,
    drop,
  };
}
