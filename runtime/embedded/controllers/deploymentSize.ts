import type { Deployment, ReplicaSet } from './shapes.ts';

/** The annotations that record on the ReplicaSets of a Deployment, and on itself, where a rollout is. */
export const mark = {
  revision: 'deployment.kubernetes.io/revision',
  history: 'deployment.kubernetes.io/revision-history',
  desired: 'deployment.kubernetes.io/desired-replicas',
  max: 'deployment.kubernetes.io/max-replicas',
} as const;

export const wantedOf = ({ spec }: { readonly spec?: { readonly replicas?: number } }): number => spec?.replicas ?? 1;
export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
export const wantedOfAll = (sets: readonly ReplicaSet[]): number => sum(sets.map(wantedOf));
export const availableOf = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;
export const isRolling = ({ spec }: Deployment): boolean => (spec?.strategy?.type ?? 'RollingUpdate') !== 'Recreate';

type Round = (value: number) => number;

function amountOf(value: number | string, total: number, round: Round): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  return percent === undefined ? 0 : round((total * Number(percent)) / 100);
}

/** How many pods a rollout may have too many and too few; one of them is never nought. */
export function fence(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  if (!isRolling(deployment)) return { surge: 0, unavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const total = wantedOf(deployment);
  const surge = amountOf(maxSurge, total, Math.ceil);
  const unavailable = amountOf(maxUnavailable, total, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, Math.max(total, 1)) };
}

/** The pods a rollout may leave unavailable, which is none for a Deployment without pods. */
export const mayMiss = (deployment: Deployment): number =>
  isRolling(deployment) && wantedOf(deployment) > 0 ? Math.min(fence(deployment).unavailable, wantedOf(deployment)) : 0;

/** The size that the newest ReplicaSet may have by now. */
export function newSize(deployment: Deployment, all: readonly ReplicaSet[], current: number): number {
  const wanted = wantedOf(deployment);
  if (!isRolling(deployment) || current >= wanted) return wanted;
  const room = wanted + fence(deployment).surge - wantedOfAll(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}

const bornFirst = (a: ReplicaSet, b: ReplicaSet) =>
  Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp) ||
  (a.metadata.name < b.metadata.name ? -1 : 1);

export const byBirth = (sets: readonly ReplicaSet[]): readonly ReplicaSet[] => [...sets].sort(bornFirst);

/** A ReplicaSet and the size it gets. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly size: number;
}

/** Takes from the sets, oldest first, no more than `limit` in all and from each no more than it may spare. */
function takeFrom(sets: readonly ReplicaSet[], limit: number, spare: (set: ReplicaSet) => number): readonly Resize[] {
  let left = limit;
  return byBirth(sets).flatMap((set) => {
    const taken = Math.max(0, Math.min(left, spare(set)));
    left -= taken;
    return taken === 0 ? [] : [{ set, size: wantedOf(set) - taken }];
  });
}

/** How the old ReplicaSets of a rolling update shrink: first what does not work, then what the minimum allows. */
export function shrunkOld(
  deployment: Deployment,
  newest: ReplicaSet | null,
  old: readonly ReplicaSet[],
): readonly Resize[] {
  if (wantedOfAll(old) === 0) return [];
  const all = newest ? [...old, newest] : old;
  const minimum = wantedOf(deployment) - mayMiss(deployment);
  const notYet = newest ? wantedOf(newest) - availableOf(newest) : 0;
  const limit = wantedOfAll(all) - minimum - notYet;
  if (limit <= 0) return [];
  const broken = takeFrom(old, limit, (set) => wantedOf(set) - availableOf(set));
  const after = old.map((set) => resized(set, broken.find((one) => one.set === set)?.size ?? wantedOf(set)));
  const surplus = sum(all.map(availableOf)) - minimum;
  const healthy = takeFrom(after, surplus, wantedOf);
  const sizeOf = (set: ReplicaSet) => {
    const { uid } = set.metadata;
    return [...healthy, ...broken].find((one) => one.set.metadata.uid === uid)?.size;
  };
  return old.flatMap((set) => {
    const size = sizeOf(set);
    return size === undefined ? [] : [{ set, size }];
  });
}

const resized = (set: ReplicaSet, replicas: number): ReplicaSet => ({ ...set, spec: { ...set.spec, replicas } });

/** How a change of scale in the midst of a rollout is shared out among the ReplicaSets that have pods. */
export function proportional(deployment: Deployment, active: readonly ReplicaSet[]): readonly Resize[] {
  const wanted = wantedOf(deployment);
  const allowed = wanted > 0 ? wanted + fence(deployment).surge : 0;
  const toAdd = allowed - wantedOfAll(active);
  const newerFirst = [...active].sort(
    (a, b) => wantedOf(b) - wantedOf(a) || (toAdd > 0 ? bornFirst(b, a) : bornFirst(a, b)),
  );
  let added = 0;
  const sizes = newerFirst.map((set) => {
    const share = toAdd === 0 ? 0 : shareOf(deployment, set, toAdd - added);
    added += share;
    return { set, size: wantedOf(set) + share };
  });
  return sizes.map((one, index) => (index === 0 ? { ...one, size: Math.max(0, one.size + toAdd - added) } : one));
}

function shareOf(deployment: Deployment, set: ReplicaSet, left: number): number {
  const size = wantedOf(set);
  if (size === 0 || left === 0) return 0;
  const wanted = wantedOf(deployment);
  const recorded = Number(set.metadata.annotations?.[mark.max] ?? 0);
  const before = recorded > 0 ? recorded : (deployment.status?.replicas ?? 0);
  const share =
    wanted === 0 ? -size : before === 0 ? 0 : Math.round((size * (wanted + fence(deployment).surge)) / before) - size;
  return left > 0 ? Math.min(share, left) : Math.max(share, left);
}
