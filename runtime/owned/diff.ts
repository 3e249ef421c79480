import type { Resource } from '../services/cluster/cluster.ts';
import { compare, type Comparison, type UnmanagedReason } from './compare.ts';
import { isSameRef, type Ref } from './displayName.ts';
import type { OwnedState, ResourceState } from './state.ts';

/** An object that Core does not change, although its name is desired or it carries our labels. */
export interface Unmanaged {
  readonly ref: Ref;
  readonly reason: UnmanagedReason;
}

/** An object that another manager changes after each apply. */
export interface Overwritten {
  readonly ref: Ref;
  readonly by: string;
}

/** The difference between the desired and the live objects of an owner. */
export interface Diff {
  readonly absent: readonly Ref[];
  readonly stale: readonly Ref[];
  readonly terminating: readonly Ref[];
  /** Objects of the owner that are no longer desired. */
  readonly toPrune: readonly Ref[];
  /** Objects whose last write is not in the cache yet. */
  readonly pendingInCache: readonly Ref[];
  readonly unmanaged: readonly Unmanaged[];
  readonly overwritten: readonly Overwritten[];
}

/** The diff of an owner whose objects are not managed. */
export const emptyDiff: Diff = {
  absent: [],
  stale: [],
  terminating: [],
  toPrune: [],
  pendingInCache: [],
  unmanaged: [],
  overwritten: [],
};

/** Whether every desired object is applied and no other exists. */
export const isInSync = ({ absent, stale, toPrune, terminating, unmanaged }: Diff): boolean =>
  [absent, stale, toPrune, terminating, unmanaged].every((list) => list.length === 0);

/** Whether the cache lacks the last write of an object of this kind. */
export const isPendingInCache = ({ pendingInCache }: Diff, { group, plural }: Resource): boolean =>
  pendingInCache.some(({ resource }) => resource.group === group && resource.plural === plural);

const has = (refs: readonly Ref[], ref: Ref): boolean => refs.some((one) => isSameRef(one, ref));

/**
 * The objects to reconcile now, without those of `except`. An overwritten object is not due: it is reapplied on its own
 * schedule.
 */
export function dueOf(diff: Diff, except: readonly Ref[] = []): readonly Ref[] {
  const overwritten = diff.overwritten.map(({ ref }) => ref);
  return [
    ...[...diff.absent, ...diff.stale].filter((ref) => !has(overwritten, ref)),
    ...diff.terminating,
    ...diff.toPrune,
    ...diff.unmanaged.map(({ ref }) => ref),
  ].filter((ref) => !has(except, ref));
}

/** Compares the desired objects of an owner with the live ones. */
export function diffOf({ owner, desired, others }: OwnedState): Diff {
  const compared = desired.map((state) => ({
    ref: state.ref,
    comparison: compare(state.desired, state.live, { record: state.record, owner }),
  }));
  const of = (is: Comparison['is']) => compared.filter(({ comparison }) => comparison.is === is).map(({ ref }) => ref);
  const own = others.filter(({ unmanaged }) => unmanaged === null);
  return {
    absent: of('absent'),
    stale: of('stale'),
    terminating: [...of('terminating'), ...own.filter(({ isTerminating }) => isTerminating).map(({ ref }) => ref)],
    toPrune: own.filter(({ isTerminating }) => !isTerminating).map(({ ref }) => ref),
    pendingInCache: desired.filter(isPending).map(({ ref }) => ref),
    unmanaged: [
      ...compared.flatMap(({ ref, comparison }) =>
        comparison.is === 'unmanaged' ? [{ ref, reason: comparison.reason }] : [],
      ),
      ...others.flatMap(({ ref, unmanaged }) => (unmanaged === null ? [] : [{ ref, reason: unmanaged }])),
    ],
    overwritten: desired.flatMap(({ ref, record }) =>
      record?.overwritten ? [{ ref, by: record.overwritten.by }] : [],
    ),
  };
}

const isPending = ({ cached, live }: ResourceState): boolean => live !== cached;
