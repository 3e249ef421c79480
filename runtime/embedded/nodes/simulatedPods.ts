import type { Store } from '../store.ts';
import type { Marks } from '../surroundings.ts';
import { type Clock, stamp } from './clock.ts';
import type { ContainerRuns } from './containerRuns.ts';
import type { Events } from './events.ts';
import type { Owned } from './owned.ts';
import { type Plan, planKept, planOf, withAdded, withPlan } from './plan.ts';
import { type PodAddresses, hostAddress } from './podAddresses.ts';
import { recordKilling, recordProgress, recordUnmounted } from './podEvents.ts';
import { advanced, killedPod } from './podStatus.ts';
import { askedToEndAt, longestPreStopMs } from './preStop.ts';
import { progressAt } from './progress.ts';
import { samePod } from './samePod.ts';
import { type Node, type Pod, bucket, controllerOf, isOver, placeOf, withCondition } from './shapes.ts';
import type { Simulation } from './simulation.ts';
import { lacksSources, withSources } from './sources.ts';

interface World {
  readonly store: Store;
  readonly marks: Marks;
  readonly clock: Clock;
  readonly events: Events;
  readonly owned: Owned;
  readonly addresses: PodAddresses;
  readonly runs: ContainerRuns;
  /** The keys of the pods that wait for a Secret or a ConfigMap. */
  readonly lacking: Set<string>;
  readonly simulation: () => Simulation;
}

/** Syncs a pod as a simulated kubelet: runs it by its plan, stops it. */
export function createSimulatedPods(world: World) {
  const { store, marks, clock, events, owned, lacking, addresses, runs, simulation } = world;

  async function sync(key: string, pod: Pod): Promise<number | null> {
    const node = pod.spec?.nodeName ?? '';
    if (!runsOn(node)) return loseNode(pod, node);
    return planKept(pod) ? advance(key, pod) : plan(pod);
  }

  async function plan(pod: Pod): Promise<number> {
    await store.update(placeOf(bucket.pods, pod), samePod(pod, placed));
    return clock.now();
  }

  /** The pod with its plan and the verdict that it is placed, in one write: it is never placed twice. */
  function placed(pod: Pod): Pod {
    const now = clock.now();
    const siblings = owned.of(controllerOf(pod)?.uid ?? '');
    const earlier = siblings.filter((other) => other.metadata.uid !== pod.metadata.uid && planKept(other)).length;
    const conditions = withCondition(pod.status?.conditions, { type: 'PodScheduled', status: 'True' }, stamp(now));
    const status = { ...pod.status, phase: pod.status?.phase ?? 'Pending', conditions };
    const plan = { ...planOf(pod, simulation(), earlier, now), ...placeOn(pod) };
    return { ...withPlan(pod, withSources(store, pod, plan, now), marks.run), status };
  }

  function placeOn({ metadata, spec }: Pod): Pick<Plan, 'ip' | 'hostIp'> {
    const node = store.get({ bucket: bucket.nodes, namespace: '', name: spec?.nodeName ?? '' }) as Node | undefined;
    const range = node?.spec?.podCIDR;
    if (range === undefined) return {};
    const hostIp = hostAddress(range);
    const ip = spec?.hostNetwork === true ? hostIp : addresses.of(metadata.uid, node);
    return { hostIp, ...(ip !== undefined && { ip }) };
  }

  async function advance(key: string, pod: Pod): Promise<number | null> {
    const now = clock.now();
    const planned = planKept(pod);
    if (planned && planNow(pod, planned, now) !== planned) return planAnew(pod, now);
    if (planned && lacksSources(planned)) lacking.add(key);
    if (planned?.lacks !== undefined) recordUnmounted(events, pod, planned.lacks);
    if (advanced(pod, now) !== pod) {
      const after = await store.update(
        placeOf(bucket.pods, pod),
        samePod(pod, (old) => advanced(old, now)),
      );
      recordProgress(events, pod, after as Pod);
      runs.tend(after as Pod);
    } else runs.tend(pod);
    const kept = planKept(pod);
    const next = kept ? progressAt(pod, kept, now).until : Infinity;
    return Number.isFinite(next) ? next : null;
  }

  /** What was added to a pod that runs starts now, and so does what waited for a Secret or a ConfigMap that came. */
  function planNow(pod: Pod, plan: Plan, now: number): Plan {
    return withSources(store, pod, withAdded(pod, plan, simulation().rules, now), now);
  }

  async function planAnew(pod: Pod, now: number): Promise<number> {
    const anew = (old: Pod): Pod => {
      const kept = planKept(old);
      return kept ? withPlan(old, planNow(old, kept, now)) : old;
    };
    await store.update(placeOf(bucket.pods, pod), samePod(pod, anew));
    return now;
  }

  async function end(pod: Pod): Promise<number | null> {
    const place = placeOf(bucket.pods, pod);
    const stopped = stopsAt(pod);
    if (!isOver(pod) && clock.now() < stopped) return stopped;
    if (!isOver(pod)) {
      recordKilling(events, pod);
      await store.update(
        place,
        samePod(pod, (old) => killedPod(old, clock.now())),
      );
    }
    const left = store.get(place);
    if (left?.metadata.uid === pod.metadata.uid && (left.metadata.finalizers ?? []).length === 0)
      await store.remove(place, { uid: pod.metadata.uid });
    return null;
  }

  function runsOn(name: string): boolean {
    const node = store.get({ bucket: bucket.nodes, namespace: '', name });
    return node?.metadata.labels?.[marks.simulated] === 'true';
  }

  /** A pod that ran on a simulated node that is gone for good goes with it; pods of other nodes are not ours. */
  async function loseNode(pod: Pod, node: string): Promise<null> {
    const { nodes } = simulation();
    const comesBack = nodes === null || nodes.some(({ name }) => name === node);
    if (planKept(pod) && !comesBack) await store.remove(placeOf(bucket.pods, pod), { uid: pod.metadata.uid });
    return null;
  }

  return { sync, end, placed };
}

const stopMs = 1_000;

/** When a pod that was asked to end has done so: its preStop and a second later, or its grace where that is less. */
function stopsAt(pod: Pod): number {
  const { deletionGracePeriodSeconds: grace } = pod.metadata;
  const askedAt = askedToEndAt(pod);
  if (grace === undefined || askedAt === null) return 0;
  return askedAt + Math.min(longestPreStopMs(pod) + stopMs, grace * 1_000);
}
