import { stamp } from '../nodes/clock.ts';
import { isActive } from '../nodes/readiness.ts';
import { tolerates } from '../nodes/scheduler.ts';
import { type Node, type Pod, type Taint, bucket, keyOf, placeAt, placeOf } from '../nodes/shapes.ts';
import type { Change } from '../store.ts';
import type { Controller, World } from './controller.ts';

const cordoned = 'node.kubernetes.io/unschedulable';

/** Taints the nodes that take no new pods, and evicts from each node those that do not bear its taints. */
export function createTaintController({ store, clock, events }: World): Controller {
  async function reconcile(key: string): Promise<number | null> {
    const node = store.get(placeAt(bucket.nodes, key)) as Node | undefined;
    if (!node) return null;
    await taintCordoned(node);
    const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
    if (taints.length === 0) return null;
    const pods = (store.list(bucket.pods) as readonly Pod[]).filter(
      (pod) => pod.spec?.nodeName === node.metadata.name && isActive(pod),
    );
    const next = await Promise.all(pods.map((pod) => evict(pod, taints)));
    const times = next.filter((time) => time !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  async function taintCordoned(node: Node) {
    const { taints = [], unschedulable = false } = node.spec ?? {};
    if (taints.some(({ key }) => key === cordoned) === unschedulable) return;
    const others = taints.filter(({ key }) => key !== cordoned);
    const mark = { key: cordoned, effect: 'NoSchedule', timeAdded: stamp(clock.now()) };
    const next = unschedulable ? [...others, mark] : others;
    await store.update(placeOf(bucket.nodes, node), (old) => ({
      ...old,
      spec: { ...(old as Node).spec, taints: next.length > 0 ? next : undefined },
    }));
  }

  /** Removes a pod when its patience with the taints is over; says when that will be. */
  async function evict(pod: Pod, taints: readonly Taint[]): Promise<number | null> {
    const ends = Math.min(...taints.map((taint) => bornUntil(pod, taint)));
    if (ends > clock.now()) return Number.isFinite(ends) ? ends : null;
    const message = `Marking for deletion Pod ${keyOf(pod)}`;
    events.record('taint-eviction-controller', pod, { type: 'Normal', reason: 'TaintManagerEviction', message });
    await store.remove(placeOf(bucket.pods, pod), { uid: pod.metadata.uid });
    return null;
  }

  function bornUntil({ spec }: Pod, taint: Taint): number {
    const bearing = (spec?.tolerations ?? []).filter((one) => tolerates(one, taint));
    if (bearing.length === 0) return 0;
    const seconds = bearing.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
    if (seconds.length === 0) return Infinity;
    const since = taint.timeAdded === undefined ? clock.now() : Date.parse(taint.timeAdded);
    return since + Math.max(0, Math.min(...seconds)) * 1000;
  }

  function concerns({ bucket: changed, object, previous }: Change): readonly string[] {
    if (changed === bucket.nodes) return [keyOf(object)];
    if (changed !== bucket.pods) return [];
    const { nodeName } = (object as Pod).spec ?? {};
    const isNew = (previous as Pod | undefined)?.spec?.nodeName !== nodeName;
    return nodeName !== undefined && isNew ? [`/${nodeName}`] : [];
  }

  return { name: 'taint-eviction-controller', concerns, reconcile };
}
