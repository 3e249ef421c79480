import type { Place, Store, Stored } from '../store.ts';
import { type Clock, stamp } from './clock.ts';
import type { Events } from './events.ts';
import type { Kubelet } from './kubelet.ts';
import type { Ledger } from './ledger.ts';
import { claimShelf, claimsFor } from './podClaims.ts';
import { samePod } from './samePod.ts';
import { type Placed, choose, unfit } from './scheduler.ts';
import { type Pod, bucket, isOver, placeAt, placeOf, withCondition } from './shapes.ts';

interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: Events;
  readonly ledger: Ledger;
  readonly kubelet: Kubelet;
  /** The keys of the pods that no node takes. */
  readonly waiting: Set<string>;
  /** The keys of the pods that wait for a Secret or a ConfigMap. */
  readonly lacking: Set<string>;
}

/** Reconciles a pod: schedules it, or leaves it to the kubelet. */
export function createPodRunner({ store, clock, events, ledger, kubelet, waiting, lacking }: World) {
  return async function reconcile(key: string): Promise<number | null> {
    const place = placeAt(bucket.pods, key);
    const pod = store.get(place) as Pod | undefined;
    waiting.delete(key);
    lacking.delete(key);
    if (!pod) return null;
    if (pod.metadata.deletionTimestamp !== undefined) return kubelet.end(pod);
    if (isOver(pod)) return null;
    return pod.spec?.nodeName === undefined ? schedule(key, place, pod) : kubelet.sync(key, pod);
  };

  async function schedule(key: string, place: Place, pod: Pod): Promise<number | null> {
    const nodes = kubelet.nodes();
    const claims = claimsFor(store, pod);
    const choice: Placed =
      claims.is === 'refused' ? { is: 'none', message: unfit(claims.why, nodes.length) } : choose(pod, nodes, ledger);
    if (choice.is === 'none') {
      waiting.add(key);
      await recordUnschedulable(place, pod, choice.message);
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
      samePod(pod, (old) => kubelet.placed(bound(old))),
    );
    const placed = await write.catch((why: unknown) => {
      ledger.drop(pod.metadata.uid);
      throw why;
    });
    const message = `Successfully assigned ${key} to ${choice.name}`;
    events.record('default-scheduler', placed, { type: 'Normal', reason: 'Scheduled', message });
    return clock.now();
  }

  /** Sets the selected node of a claim that waited for a consumer; the pod is placed once it is bound. */
  function chooseFor(claim: Stored, node: string) {
    return store.update(placeOf(claimShelf, claim), (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [selectedNode]: node } },
    }));
  }

  async function recordUnschedulable(place: Place, pod: Pod, message: string) {
    const current = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (current?.message === message) return;
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
    const conditions = withCondition(pod.status?.conditions, condition, stamp(clock.now()));
    await store.update(
      place,
      samePod(pod, (old) => ({ ...old, status: { phase: 'Pending', ...old.status, conditions } })),
    );
    events.record('default-scheduler', pod, { type: 'Warning', reason: 'FailedScheduling', message });
  }
}

const selectedNode = 'volume.kubernetes.io/selected-node';
