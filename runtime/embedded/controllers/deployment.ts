import { isDeepStrictEqual } from 'node:util';
import type { Change, Stored } from '../store.ts';
import { selects } from '../nodes/expression.ts';
import { type Pod, bucket, controllerOf, isOver, keyOf, placeAt, placeOf } from '../nodes/shapes.ts';
import { claim } from './adopt.ts';
import { type Controller, type World, ownerKey, podsIn, stays } from './controller.ts';
import { beyondHistory, newSet, revised, revisionOf, sizeMarks, sortedSets } from './deploymentSets.ts';
import {
  type Resize,
  availableOf,
  isRolling,
  mark,
  newSize,
  proportional,
  shrunkOld,
  wantedOf,
  wantedOfAll,
} from './deploymentSize.ts';
import {
  counted,
  deadlineSeconds,
  givenUpAt,
  isComplete,
  progressOf,
  withCondition,
  withProgress,
} from './deploymentStatus.ts';
import { type Deployment, type ReplicaSet, shelves } from './shapes.ts';
import { writeStatus } from './status.ts';

const component = 'deployment-controller';
const where = shelves.deployments;

/** Rolls out the template of each Deployment through its ReplicaSets. */
export function createDeploymentController({ store, clock, events }: World): Controller {
  async function reconcile(key: string): Promise<number | null> {
    const found = store.get(placeAt(where, key)) as Deployment | undefined;
    if (!found) return null;
    const candidates = store.list(shelves.replicaSets, found.metadata.namespace) as readonly ReplicaSet[];
    const owner = { object: found, selector: found.spec?.selector };
    const sets = await claim(store, owner, shelves.replicaSets, candidates);
    if (found.metadata.deletionTimestamp !== undefined) return settle(found, sets, false);
    const deployment = await recordPaused(found);
    const active = sets.filter((set) => wantedOf(set) > 0);
    const paused = deployment.spec?.paused === true;
    if (paused || active.some((set) => isRescaled(set, deployment))) return rescale(deployment, sets, paused);
    return isRolling(deployment) ? roll(deployment, sets) : recreate(deployment, sets);
  }

  /** Says that a rollout is paused, or goes on: its deadline does not run meanwhile. */
  async function recordPaused(deployment: Deployment): Promise<Deployment> {
    if (deadlineSeconds(deployment) === null) return deployment;
    const reason = progressOf(deployment)?.reason;
    if (reason === 'ProgressDeadlineExceeded') return deployment;
    const paused = deployment.spec?.paused === true;
    if (paused === (reason === 'DeploymentPaused')) return deployment;
    const says = paused
      ? { reason: 'DeploymentPaused', message: 'Deployment is paused' }
      : { reason: 'DeploymentResumed', message: 'Deployment is resumed' };
    return recordProgress(deployment, { status: 'Unknown', ...says });
  }

  async function recordProgress(
    deployment: Deployment,
    says: { readonly status: 'True' | 'Unknown'; readonly reason: string; readonly message: string },
  ): Promise<Deployment> {
    const conditions = withCondition(
      deployment.status?.conditions ?? [],
      { type: 'Progressing', ...says },
      clock.now(),
    );
    return writeStatus(store, where, deployment, { ...deployment.status, conditions });
  }

  async function rescale(found: Deployment, sets: readonly ReplicaSet[], paused: boolean): Promise<number | null> {
    const { deployment, newest, old } = await withNewest(found, sets, false);
    const all = newest ? [...old, newest] : old;
    const active = all.filter((set) => wantedOf(set) > 0);
    const latest = newest ?? [...old].sort((a, b) => revisionOf(b) - revisionOf(a))[0];
    const [only] = active.length > 1 ? [] : active.length === 1 ? active : [latest];
    const changed = only
      ? [{ set: only, size: wantedOf(deployment) }]
      : newest && isSaturated(deployment, newest)
        ? old.map((set) => ({ set, size: 0 }))
        : isRolling(deployment)
          ? proportional(deployment, active)
          : [];
    const after = await resize(deployment, all, changed);
    if (paused) await cleanUp(deployment, old);
    return settle(deployment, after, false);
  }

  async function roll(found: Deployment, sets: readonly ReplicaSet[]): Promise<number | null> {
    const { deployment, newest, old } = await withNewest(found, sets, true);
    const all = newest ? [...old, newest] : old;
    if (newest) {
      const size = newSize(deployment, all, wantedOf(newest));
      if (size !== wantedOf(newest))
        return settle(deployment, await resize(deployment, all, [{ set: newest, size }]), true);
    }
    const shrunk = shrunkOld(deployment, newest, old);
    if (shrunk.length > 0) return settle(deployment, await resize(deployment, all, shrunk), true);
    if (isComplete(deployment, deployment.status)) await cleanUp(deployment, old);
    return settle(deployment, all, true);
  }

  async function recreate(found: Deployment, sets: readonly ReplicaSet[]): Promise<number | null> {
    const before = await withNewest(found, sets, false);
    const { old } = before;
    const present = before.newest ? [...old, before.newest] : old;
    const active = old.filter((set) => wantedOf(set) > 0);
    if (active.length > 0) {
      const stopped = active.map((set) => ({ set, size: 0 }));
      return settle(before.deployment, await resize(before.deployment, present, stopped), true);
    }
    if (old.some(hasPods)) return settle(before.deployment, present, true);
    const { deployment, newest } = await withNewest(before.deployment, present, true);
    const all = newest ? [...old, newest] : old;
    const after = await resize(deployment, all, newest ? [{ set: newest, size: wantedOf(deployment) }] : []);
    if (isComplete(deployment, deployment.status)) await cleanUp(deployment, old);
    return settle(deployment, after, true);
  }

  const hasPods = ({ metadata }: ReplicaSet) =>
    podsIn(store, metadata.namespace ?? '').some((pod) => controllerOf(pod)?.uid === metadata.uid && !isOver(pod));

  /** The ReplicaSets sorted, that of the template made when it is wanted, with revisions recorded. */
  async function withNewest(deployment: Deployment, sets: readonly ReplicaSet[], create: boolean) {
    const { newest, old } = sortedSets(deployment, sets);
    const revision = Math.max(0, ...old.map(revisionOf)) + 1;
    if (newest) {
      const kept = await update(newest, (set) => revised(set, deployment, revision));
      const marked = await withRevision(deployment, kept);
      const seen = { status: 'True', reason: 'FoundNewReplicaSet' } as const;
      const known =
        deadlineSeconds(marked) === null || progressOf(marked)
          ? marked
          : await recordProgress(marked, { ...seen, message: `Found new replica set "${kept.metadata.name}"` });
      return { deployment: known, newest: kept, old };
    }
    return create ? createNewest(deployment, old, revision) : { deployment, newest: null, old };
  }

  async function createNewest(deployment: Deployment, old: readonly ReplicaSet[], revision: number) {
    const size = newSize(deployment, old, 0);
    const { name, ...wanted } = newSet(deployment, size, revision);
    const place = { bucket: shelves.replicaSets, namespace: deployment.metadata.namespace ?? '', name };
    if (store.get(place)) {
      const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
      await writeStatus(store, where, deployment, { ...deployment.status, collisionCount });
      throw new Error(`the name ${name} belongs to another ReplicaSet`);
    }
    if (!stays(store, where, deployment)) return { deployment, newest: null, old };
    const newest = (await store.create(place, wanted)) as ReplicaSet;
    if (size > 0) recordScaled(deployment, newest, 0, size);
    const marked = await withRevision(deployment, newest);
    const says = { status: 'True', reason: 'NewReplicaSetCreated' } as const;
    const progressed =
      deadlineSeconds(marked) === null
        ? marked
        : await recordProgress(marked, { ...says, message: `Created new replica set "${name}"` });
    return { deployment: progressed, newest, old };
  }

  async function withRevision(deployment: Deployment, newest: ReplicaSet): Promise<Deployment> {
    const revision = newest.metadata.annotations?.[mark.revision] ?? '1';
    if (deployment.metadata.annotations?.[mark.revision] === revision) return deployment;
    return (await store.update(placeOf(where, deployment), (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [mark.revision]: revision } },
    }))) as Deployment;
  }

  /** Gives the sets their sizes, and writes to all of them the size of the whole. */
  async function resize(deployment: Deployment, all: readonly ReplicaSet[], changes: readonly Resize[]) {
    const after: ReplicaSet[] = [];
    for (const set of all) {
      const change = changes.find((one) => one.set.metadata.uid === set.metadata.uid);
      if (!change) after.push(set);
      else after.push(await resizeOne(deployment, set, change.size));
    }
    return after;
  }

  async function resizeOne(deployment: Deployment, set: ReplicaSet, size: number): Promise<ReplicaSet> {
    const next = await update(set, (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, ...sizeMarks(deployment) } },
      spec: { ...old.spec, replicas: size },
    }));
    if (size !== wantedOf(set)) recordScaled(deployment, set, wantedOf(set), size);
    return next;
  }

  function recordScaled(deployment: Deployment, { metadata }: ReplicaSet, from: number, to: number) {
    const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${metadata.name} from ${from} to ${to}`;
    events.record(component, deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message });
  }

  const update = async (set: ReplicaSet, change: (old: ReplicaSet) => ReplicaSet): Promise<ReplicaSet> =>
    (await store.update(placeOf(shelves.replicaSets, set), (old) => {
      const next = change(old as ReplicaSet);
      return old.metadata.uid === set.metadata.uid && !isDeepStrictEqual(next, old) ? next : old;
    })) as ReplicaSet;

  async function cleanUp(deployment: Deployment, old: readonly ReplicaSet[]) {
    for (const set of beyondHistory(deployment, old))
      await store.remove(placeOf(shelves.replicaSets, set), { uid: set.metadata.uid });
  }

  /** Writes the counts, and requeues for the progress deadline of a rollout. */
  async function settle(deployment: Deployment, sets: readonly ReplicaSet[], rolling: boolean): Promise<number | null> {
    const { newest } = sortedSets(deployment, sets);
    const status = counted(deployment, sets, newest, clock.now());
    const next = rolling ? withProgress(deployment, status, { all: sets, newest }, clock.now()) : status;
    const { status: written } = await writeStatus(store, where, deployment, next);
    if (!rolling || isComplete(deployment, written)) return null;
    const at = givenUpAt(deployment, written?.conditions ?? []);
    return Number.isFinite(at) ? at : null;
  }

  function concerns({ bucket: changed, type, object }: Change): readonly string[] {
    if (changed === where) return [keyOf(object)];
    if (changed === shelves.replicaSets) {
      const owners = ownerKey(object, 'Deployment');
      return owners.length > 0 || controllerOf(object) ? owners : selecting(object);
    }
    // The pods of a Deployment that is recreated: the last one gone lets the next ones come.
    return changed === bucket.pods && type === 'DELETED' ? ofPod(object as Pod) : [];
  }

  const selecting = (set: Stored) =>
    (store.list(where, set.metadata.namespace) as readonly Deployment[])
      .filter(({ spec }) => selects(spec?.selector, set.metadata.labels))
      .map(keyOf);

  const ofPod = (pod: Pod) =>
    ownerKey(pod, 'ReplicaSet').flatMap((key) => {
      const set = store.get(placeAt(shelves.replicaSets, key));
      return set ? ownerKey(set, 'Deployment') : [];
    });

  return { name: component, concerns, reconcile };
}

/** Whether a set was sized for another number of pods than the Deployment asks for. */
const isRescaled = ({ metadata }: ReplicaSet, deployment: Deployment) => {
  const desired = metadata.annotations?.[mark.desired];
  return desired !== undefined && Number(desired) !== wantedOf(deployment);
};

const isSaturated = (deployment: Deployment, newest: ReplicaSet) =>
  wantedOf(newest) === wantedOf(deployment) &&
  Number(newest.metadata.annotations?.[mark.desired]) === wantedOf(deployment) &&
  availableOf(newest) === wantedOf(deployment) &&
  wantedOfAll([newest]) > 0;
