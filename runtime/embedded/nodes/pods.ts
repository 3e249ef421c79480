import type { Place, Store, Stored } from '../store.ts';
import type { Marks } from '../surroundings.ts';
import { type Clock, stamp } from './clock.ts';
import type { ContainerRuns } from './containerRuns.ts';
import type { Events } from './events.ts';
import { simulatedNodes } from './fleet.ts';
import type { Ledger } from './ledger.ts';
import type { Owned } from './owned.ts';
import { type Plan, planKept, planOf, withAdded, withPlan } from './plan.ts';
import { tellKilling, tellProgress, tellUnmounted } from './podEvents.ts';
import { advanced, killedPod } from './podStatus.ts';
import { progressAt } from './progress.ts';
import { type PodAddresses, hostAddress } from './podAddresses.ts';
import { claimShelf, claimsFor } from './podClaims.ts';
import { type Placed, choose, unfit } from './scheduler.ts';
import { type Node, type Pod, bucket, controllerOf, isOver, placeAt, placeOf, withCondition } from './shapes.ts';
import type { Simulation } from './simulation.ts';
import { lacksSources, withSources } from './sources.ts';

interface World {
  readonly store: Store;
  readonly marks: Marks;
  readonly clock: Clock;
  readonly events: Events;
  readonly owned: Owned;
  readonly ledger: Ledger;
  readonly addresses: PodAddresses;
  readonly runs: ContainerRuns;
  /** The keys of the pods that no node takes. */
  readonly waiting: Set<string>;
  /** The keys of the pods that wait for a Secret or a ConfigMap. */
  readonly lacking: Set<string>;
  readonly simulation: () => Simulation;
}

/** One look of scheduler and kubelet at a pod: places it, runs it by its plan, stops it. */
export function createPodRunner(world: World) {
  const { store, marks, clock, events, owned, ledger, waiting, lacking, addresses, runs, simulation } = world;
  return async function look(key: string): Promise<number | null> {
    const place = placeAt(bucket.pods, key);
    const pod = store.get(place) as Pod | undefined;
    waiting.delete(key);
    lacking.delete(key);
    if (!pod) return null;
    if (pod.metadata.deletionTimestamp !== undefined) return stop(place, pod);
    if (isOver(pod)) return null;
    const node = pod.spec?.nodeName;
    if (node === undefined) return schedule(key, place, pod);
    if (!runsOn(node)) return loseNode(place, pod, node);
    return planKept(pod) ? advance(key, place, pod) : plan(place, pod);
  };

  async function schedule(key: string, place: Place, pod: Pod): Promise<number | null> {
    const nodes = simulatedNodes(store, marks);
    const claims = claimsFor(store, pod);
    const choice: Placed =
      claims.is === 'refused' ? { is: 'none', message: unfit(claims.why, nodes.length) } : choose(pod, nodes, ledger);
    if (choice.is === 'none') {
      waiting.add(key);
      await tellUnschedulable(place, pod, choice.message);
      return null;
    }
    const unbound = claims.is === 'ready' ? claims.waiting : [];
    if (unbound.length > 0) {
      waiting.add(key);
      for (const claim of unbound) await chooseFor(claim, choice.name);
      return null;
    }
    const bound = (old: Pod): Pod => ({ ...old, spec: { ...old.spec, nodeName: choice.name } });
    // Held at once: the next pod is placed while this write is under way.
    ledger.put(bound(pod));
    const write = store.update(
      place,
      same(pod, (old) => planFor(bound(old))),
    );
    const planned = await write.catch((why: unknown) => {
      ledger.drop(pod.metadata.uid);
      throw why;
    });
    const message = `Successfully assigned ${key} to ${choice.name}`;
    events.tell('default-scheduler', planned, { type: 'Normal', reason: 'Scheduled', message });
    return clock.now();
  }

  /** Tells a claim that waited for it on which node its volume is wanted; the pod is placed once it is bound. */
  function chooseFor(claim: Stored, node: string) {
    return store.update(placeOf(claimShelf, claim), (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [selectedNode]: node } },
    }));
  }

  async function plan(place: Place, pod: Pod): Promise<number> {
    await store.update(place, same(pod, planFor));
    return clock.now();
  }

  /** The pod with its plan and the verdict that it is placed, in one write: it is never placed twice. */
  function planFor(pod: Pod): Pod {
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

  async function tellUnschedulable(place: Place, pod: Pod, message: string) {
    const told = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (told?.message === message) return;
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
    const conditions = withCondition(pod.status?.conditions, condition, stamp(clock.now()));
    await store.update(
      place,
      same(pod, (old) => ({ ...old, status: { phase: 'Pending', ...old.status, conditions } })),
    );
    events.tell('default-scheduler', pod, { type: 'Warning', reason: 'FailedScheduling', message });
  }

  async function advance(key: string, place: Place, pod: Pod): Promise<number | null> {
    const now = clock.now();
    const planned = planKept(pod);
    if (planned && planNow(pod, planned, now) !== planned) return planAnew(place, pod, now);
    if (planned && lacksSources(planned)) lacking.add(key);
    if (planned?.lacks !== undefined) tellUnmounted(events, pod, planned.lacks);
    if (advanced(pod, now) !== pod) {
      const after = await store.update(
        place,
        same(pod, (old) => advanced(old, now)),
      );
      tellProgress(events, pod, after as Pod);
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

  async function planAnew(place: Place, pod: Pod, now: number): Promise<number> {
    const anew = (old: Pod): Pod => {
      const kept = planKept(old);
      return kept ? withPlan(old, planNow(old, kept, now)) : old;
    };
    await store.update(place, same(pod, anew));
    return now;
  }

  async function stop(place: Place, pod: Pod): Promise<number | null> {
    const end = stopsAt(pod);
    if (!isOver(pod) && clock.now() < end) return end;
    if (!isOver(pod)) {
      tellKilling(events, pod);
      await store.update(
        place,
        same(pod, (old) => killedPod(old, clock.now())),
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
  async function loseNode(place: Place, pod: Pod, node: string): Promise<null> {
    const { nodes } = simulation();
    const comesBack = nodes === null || nodes.some(({ name }) => name === node);
    if (planKept(pod) && !comesBack) await store.remove(place, { uid: pod.metadata.uid });
    return null;
  }
}

const selectedNode = 'volume.kubernetes.io/selected-node';
const stopMs = 1_000;

/** When a pod that was asked to end has done so: its grace, or a second where that is less. */
function stopsAt({ metadata }: Pod): number {
  const { deletionTimestamp = '', deletionGracePeriodSeconds: grace } = metadata;
  if (grace === undefined) return 0;
  return Date.parse(deletionTimestamp) - grace * 1000 + Math.min(stopMs, grace * 1000);
}

/** A change for this very pod, as long as it runs; another one of its name is left alone. */
const same =
  (pod: Pod, change: (old: Pod) => Pod) =>
  (old: Stored): Stored =>
    old.metadata.uid === pod.metadata.uid && !isOver(old as Pod) ? change(old as Pod) : old;
