import { isDeepStrictEqual } from 'node:util';
import type { Change, Stored } from '../store.ts';
import { stamp } from '../nodes/clock.ts';
import { type LabelSelector, selects } from '../nodes/expression.ts';
import { isActive, isReady } from '../nodes/readiness.ts';
import { type Condition, type Pod, bucket, controllerOf, keyOf, placeAt, placeOf } from '../nodes/shapes.ts';
import { type Controller, type World, podsIn } from './controller.ts';
import { type Deployment, type ReplicaSet, shelves } from './shapes.ts';

interface Budget extends Stored {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
  };
  readonly status?: {
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
}

const where = shelves.budgets;
/** An eviction that was allowed and never came is forgotten after this. */
const forgetMs = 120_000;

/** Counts for each PodDisruptionBudget how many of its pods may go. */
export function createDisruptionController({ store, clock }: World): Controller {
  async function reconcile(key: string): Promise<number | null> {
    const budget = store.get(placeAt(where, key)) as Budget | undefined;
    if (!budget) return null;
    const pods = podsIn(store, budget.metadata.namespace ?? '').filter((pod) =>
      selects(budget.spec?.selector, pod.metadata.labels),
    );
    const disrupted = stillDisrupted(budget, pods, clock.now());
    const healthy = pods.filter((pod) => isActive(pod) && isReady(pod) && !(pod.metadata.name in disrupted)).length;
    const { expected, desired } = wanted(budget, pods);
    const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    const status = {
      observedGeneration: budget.metadata.generation ?? 0,
      ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      conditions: [conditionOf(budget, allowed, clock.now())],
    };
    if (!isDeepStrictEqual(budget.status, status))
      await store.update(placeOf(where, budget), (old) =>
        old.metadata.resourceVersion === budget.metadata.resourceVersion ? { ...old, status } : old,
      );
    const times = Object.values(disrupted).map((time) => Date.parse(time) + forgetMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** How many pods there should be, and how many of them must stay healthy. */
  function wanted({ spec }: Budget, pods: readonly Pod[]) {
    const { minAvailable, maxUnavailable } = spec ?? {};
    if (maxUnavailable !== undefined) {
      const expected = expectedOf(pods);
      return { expected, desired: Math.max(0, expected - amount(maxUnavailable, expected)) };
    }
    if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable };
    const expected = expectedOf(pods);
    return { expected, desired: amount(minAvailable ?? 1, expected) };
  }

  /** What the controllers of the pods ask for together. */
  function expectedOf(pods: readonly Pod[]): number {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      const set = ownerOf(pod, 'ReplicaSet', shelves.replicaSets);
      const deployment = set && ownerOf(set, 'Deployment', shelves.deployments);
      const owner = deployment ?? set ?? ownerOf(pod, 'StatefulSet', shelves.statefulSets);
      if (owner) scales.set(owner.metadata.uid, (owner as Deployment | ReplicaSet).spec?.replicas ?? 1);
    }
    return [...scales.values()].reduce((sum, one) => sum + one, 0);
  }

  function ownerOf(object: Stored, kind: string, shelf: string): Stored | undefined {
    const owner = controllerOf(object);
    if (owner?.kind !== kind) return undefined;
    const found = store.get({ bucket: shelf, namespace: object.metadata.namespace ?? '', name: owner.name });
    return found?.metadata.uid === owner.uid ? found : undefined;
  }

  function concerns({ bucket: changed, object }: Change): readonly string[] {
    if (changed === where) return [keyOf(object)];
    if (changed !== bucket.pods) return [];
    return (store.list(where, object.metadata.namespace) as readonly Budget[])
      .filter(({ spec }) => selects(spec?.selector, object.metadata.labels))
      .map(keyOf);
  }

  return { name: 'disruption-controller', concerns, reconcile };
}

const amount = (value: number | string, total: number): number =>
  typeof value === 'number' ? value : Math.ceil((total * Number.parseInt(value, 10)) / 100) || 0;

/** The evictions that were allowed and whose pods are not ending yet. */
function stillDisrupted({ status }: Budget, pods: readonly Pod[], now: number): Readonly<Record<string, string>> {
  const waited = Object.entries(status?.disruptedPods ?? {}).filter(([name, time]) => {
    const pod = pods.find(({ metadata }) => metadata.name === name);
    return pod?.metadata.deletionTimestamp === undefined && pod !== undefined && Date.parse(time) + forgetMs > now;
  });
  return Object.fromEntries(waited);
}

function conditionOf({ status, metadata }: Budget, allowed: number, now: number) {
  const type = 'DisruptionAllowed';
  const verdict = allowed > 0 ? 'True' : 'False';
  const old = status?.conditions?.find((one) => one.type === type);
  const since = old?.status === verdict ? old.lastTransitionTime : undefined;
  return {
    type,
    status: verdict,
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: since ?? stamp(now),
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
}
