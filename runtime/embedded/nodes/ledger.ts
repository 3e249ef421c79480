import { type Amount, needOf } from './scheduler.ts';
import { type Pod, isOver } from './shapes.ts';

/** What the pods on each node use, and which pods those are. */
export interface Ledger {
  readonly usedOn: (node: string) => Amount;
  readonly podsOn: (node: string) => readonly Pod[];
  /** Counts a pod where it stands, or no longer when it is over. Returns whether that freed something. */
  readonly put: (pod: Pod) => boolean;
  readonly drop: (uid: string) => boolean;
}

const none: Amount = { cpu: 0, memory: 0, pods: 0 };

export function createLedger(): Ledger {
  const pods = new Map<string, { readonly pod: Pod; readonly node: string; readonly need: Amount }>();
  const nodes = new Map<string, { used: Amount; readonly uids: Set<string> }>();

  function change(node: string, uid: string, amount: Amount, sign: 1 | -1) {
    const entry = nodes.get(node) ?? { used: none, uids: new Set() };
    entry.used = {
      cpu: entry.used.cpu + sign * amount.cpu,
      memory: entry.used.memory + sign * amount.memory,
      pods: entry.used.pods + sign * amount.pods,
    };
    if (sign === 1) entry.uids.add(uid);
    else entry.uids.delete(uid);
    nodes.set(node, entry);
  }

  function drop(uid: string): boolean {
    const held = pods.get(uid);
    if (!held) return false;
    pods.delete(uid);
    change(held.node, uid, held.need, -1);
    return true;
  }

  return {
    usedOn: (node) => nodes.get(node)?.used ?? none,
    podsOn: (node) => [...(nodes.get(node)?.uids ?? [])].flatMap((uid) => pods.get(uid)?.pod ?? []),
    put(pod) {
      const node = pod.spec?.nodeName;
      const { uid } = pod.metadata;
      if (isOver(pod)) return drop(uid);
      // A pod whose placing is under way is held before its stored form shows a node.
      if (node === undefined) return false;
      drop(uid);
      const need = needOf(pod);
      pods.set(uid, { pod, node, need });
      change(node, uid, need, 1);
      return false;
    },
    drop,
  };
}
