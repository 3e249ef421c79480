import type { Change, Stored } from '../store.ts';
import { stamp } from '../nodes/clock.ts';
import { selects } from '../nodes/expression.ts';
import { isActive, isReady, readySince } from '../nodes/readiness.ts';
import { type Pod, bucket, controllerOf, keyOf, placeAt, placeOf, withCondition } from '../nodes/shapes.ts';
import { claim } from './adopt.ts';
import { type Controller, type World, ownerKey, podsIn, stays } from './controller.ts';
import { deletionOrder } from './podRank.ts';
import { type ReplicaSet, type ReplicaSetStatus, shelves } from './shapes.ts';
import { writeStatus } from './status.ts';
import { podFrom } from './templatePod.ts';

const component = 'replicaset-controller';
const where = shelves.replicaSets;
const retryMs = 10_000;

/** Keeps as many pods as each ReplicaSet asks for. */
export function createReplicaSetController({ store, clock, events }: World): Controller {
  async function reconcile(key: string): Promise<number | null> {
    const set = store.get(placeAt(where, key)) as ReplicaSet | undefined;
    if (!set) return null;
    const candidates = podsIn(store, set.metadata.namespace ?? '').filter(isActive);
    const pods = await claim(store, { object: set, selector: set.spec?.selector }, bucket.pods, candidates);
    const failure = set.metadata.deletionTimestamp === undefined ? await balance(set, pods) : null;
    const left = podsIn(store, set.metadata.namespace ?? '').filter(
      (pod) => isActive(pod) && controllerOf(pod)?.uid === set.metadata.uid,
    );
    // One time for both: a pod that becomes available between two would be neither counted nor looked at again.
    const now = clock.now();
    if (store.get(placeOf(where, set))) await writeStatus(store, where, set, statusOf(set, left, now, failure));
    return failure === null ? nextAvailable(set, left, now) : now + retryMs;
  }

  /** Makes what is missing and removes what is too much; says why that could not be done. */
  async function balance(set: ReplicaSet, pods: readonly Pod[]): Promise<Failure | null> {
    const wanted = set.spec?.replicas ?? 1;
    const reason = pods.length < wanted ? 'FailedCreate' : 'FailedDelete';
    try {
      for (let made = pods.length; made < wanted && stays(store, where, set); made += 1) await create(set);
      for (const pod of deletionOrder(pods).slice(0, Math.max(0, pods.length - wanted))) await remove(set, pod);
      return null;
    } catch (why) {
      const message = why instanceof Error ? why.message : String(why);
      const doing = reason === 'FailedCreate' ? 'creating' : 'deleting';
      events.record(component, set, { type: 'Warning', reason, message: `Error ${doing}: ${message}` });
      return { reason, message };
    }
  }

  async function create(set: ReplicaSet) {
    const { name, pod: wanted } = podFrom(set, set.spec?.template ?? {});
    const place = { bucket: bucket.pods, namespace: set.metadata.namespace ?? '', name };
    const pod = await store.create(place, wanted);
    // What went away in between must not leave a pod behind.
    if (stays(store, where, set)) recordPod(set, 'SuccessfulCreate', `Created pod: ${name}`);
    else await store.remove(place, { uid: pod.metadata.uid });
  }

  async function remove(set: ReplicaSet, pod: Pod) {
    const place = placeOf(bucket.pods, pod);
    if (store.get(place)?.metadata.uid !== pod.metadata.uid) return;
    await store.remove(place, { uid: pod.metadata.uid });
    recordPod(set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  }

  const recordPod = (set: ReplicaSet, reason: string, message: string) =>
    events.record(component, set, { type: 'Normal', reason, message });

  function concerns({ bucket: changed, object, previous }: Change): readonly string[] {
    if (changed === where) return [keyOf(object)];
    if (changed !== bucket.pods) return [];
    const owners = [object, ...(previous ? [previous] : [])].flatMap((pod) => ownerKey(pod, 'ReplicaSet'));
    return controllerOf(object) ? owners : [...owners, ...selecting(object)];
  }

  /** The sets that may adopt a pod without a controller. */
  const selecting = (pod: Stored) =>
    (store.list(where, pod.metadata.namespace) as readonly ReplicaSet[])
      .filter(({ spec }) => selects(spec?.selector, pod.metadata.labels))
      .map(keyOf);

  return { name: component, concerns, reconcile };
}

interface Failure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

const availableAt = ({ spec }: ReplicaSet, pod: Pod) => readySince(pod) + (spec?.minReadySeconds ?? 0) * 1000;

/** When the next pod has been ready for long enough. */
function nextAvailable(set: ReplicaSet, pods: readonly Pod[], now: number): number | null {
  const next = Math.min(...pods.map((pod) => availableAt(set, pod)).filter((at) => at > now));
  return Number.isFinite(next) ? next : null;
}

function statusOf(set: ReplicaSet, pods: readonly Pod[], now: number, failure: Failure | null): ReplicaSetStatus {
  const labels = set.spec?.template?.metadata?.labels ?? {};
  const ready = pods.filter(isReady).length;
  const available = pods.filter((pod) => availableAt(set, pod) <= now).length;
  const labelled = pods.filter((pod) => selects({ matchLabels: labels }, pod.metadata.labels)).length;
  const rest = (set.status?.conditions ?? []).filter(({ type }) => type !== 'ReplicaFailure');
  const conditions =
    failure === null
      ? rest
      : withCondition(set.status?.conditions, { type: 'ReplicaFailure', status: 'True', ...failure }, stamp(now));
  return {
    replicas: pods.length,
    ...(labelled > 0 && { fullyLabeledReplicas: labelled }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length > 0 && { conditions }),
  };
}
