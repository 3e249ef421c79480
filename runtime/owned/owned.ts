import { Effect } from 'effect';
import { eachOf } from '../contract/eachOf.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation, label } from '../../crds/names.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Controller, Watching } from '../contract/controller.ts';
import { done, type Ensure, type Ensured, holds } from '../contract/ensure.ts';
import { everyChange } from '../contract/reads.ts';
import type { Cluster, Gone, ReadError, WriteError } from '../services/cluster/cluster.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { soonest } from '../services/pause.ts';
import type { OwnedObject } from './compare.ts';
import { type Diff, diffOf } from './diff.ts';
import { refKey, refOf } from './displayName.ts';
import { remainingOf, sweepLeftovers } from './leftovers.ts';
import { emptyRecord, type OwnedMemory, ownedMemory } from './memory.ts';
import { type Outcome, type OwnerKnown, type Owning, staleMs } from './owning.ts';
import { plan, terminatingMs } from './plan.ts';
import { prune } from './prune.ts';
import { reconcileOne } from './reconcile.ts';
import { type OwnedState, ownedState, type ResourceState } from './state.ts';

export type { Outcome, Owning } from './owning.ts';
export type { OwnedObject } from './compare.ts';
export { type Diff, dueOf, emptyDiff, isInSync, isPendingInCache } from './diff.ts';
export { displayName, isSameRef, type Ref } from './displayName.ts';
export { owned, ownedKind } from './kinds.ts';
export { overwrittenMessage, unmanagedMessage } from './messages.ts';

export interface Owned<O extends KubeObject> {
  /** A changed object triggers a pass over its owner. */
  readonly watches: readonly Watching[];
  /** A number that changes whenever a record of the owner's objects changes. */
  readonly changes: (object: O) => number;
  /** The difference between desired and live, without calls; used as a fact. */
  readonly diff: (object: O, reader: CacheReader, desired?: readonly OwnedObject[]) => Diff;
  /**
   * Applies what differs and deletes what is not desired. Level-based: does nothing when nothing differs. `desired`
   * overrides `owning.desired`.
   */
  readonly reconcile: (
    object: O,
    reader: CacheReader,
    desired?: readonly OwnedObject[],
    owner?: OwnerKnown,
  ) => Effect.Effect<Outcome, WriteError, Cluster>;
  /** Lists the existing objects of an owner by direct reads. */
  readonly remaining: (object: O) => Effect.Effect<readonly string[], ReadError | Gone, Cluster>;
  /** Deletes late leftovers of an object that was deleted during this process. */
  readonly sweep: NonNullable<Controller<O>['onMissing']>;
  /** Expires the result of a write that never reached the cache, because the object was deleted at once. */
  readonly settled: Ensure<O>;
  /** Reconciles the desired objects. */
  readonly ensure: Ensure<O>;
  /** Deletes all cached objects; `confirmDeleted` adds the direct read. */
  readonly deleteAll: Ensure<O>;
  /** Holds only when a direct read confirms that all objects are deleted. */
  readonly confirmDeleted: Ensure<O>;
}

/** The declaration and the memory of one kind of owner. */
interface Keeping<O extends KubeObject> {
  readonly owning: Owning<O>;
  readonly memory: OwnedMemory;
}

const stateOf = <O extends KubeObject>(
  { owning, memory }: Keeping<O>,
  object: O,
  reader: CacheReader,
  desired = owning.desired(object, reader),
): OwnedState =>
  ownedState(
    {
      kind: owning.owners.kind,
      resources: owning.resources,
      leaves: (one) => owning.leaves?.(object, one) ?? false,
    },
    { object, desired },
    { reader, memory: memory.of(object.metadata.uid ?? '') },
  );

/** Kinds that start pods, which read what is written before them. */
const startsPods: readonly string[] = ['Deployment', 'StatefulSet', 'CronJob', 'Job', 'HelmChart', 'Cluster'];
type Done = Pick<Outcome, 'did' | 'requeueAfterMs'>;
const nothingDone: Done = { did: false, requeueAfterMs: null };

/**
 * Each object by itself, also after one that could not be written. In the namespace of such a one nothing starts that
 * would read it, and nothing is deleted, because what should replace it may be missing.
 */
const reconcileWith = <O extends KubeObject>(keeping: Keeping<O>): Owned<O>['reconcile'] => {
  const { owning, memory } = keeping;
  return Effect.fnUntraced(function* (object, reader, desired, known = 'cached') {
    const uid = object.metadata.uid ?? '';
    const state = stateOf(keeping, object, reader, desired);
    const now = yield* monotonicMs;
    const { ops, deletions } = plan(state, now);
    const failed = new Set<string>();
    const isHeldBack = ({ ref }: ResourceState) => failed.has(ref.namespace) && startsPods.includes(ref.resource.kind);
    const applying = eachOf(ops, ({ state: one, op }): Effect.Effect<Done, WriteError, Cluster> => {
      if (isHeldBack(one)) return Effect.succeed(nothingDone);
      return reconcileOne(one, op, { owner: state.owner, now }).pipe(
        Effect.tap(({ record }) => Effect.sync(() => memory.remember(uid, refKey(one.ref), record))),
        Effect.tapError(() => Effect.sync(() => failed.add(one.ref.namespace))),
      );
    });
    const pruning = Effect.suspend(() =>
      prune(owning.owners, object, {
        deletions: deletions.filter(({ ref }) => !failed.has(ref.namespace)),
        known,
        onGone: (key, removed) => memory.remember(uid, key, { ...emptyRecord, removed }),
      }),
    );
    const both: readonly Effect.Effect<readonly Done[], WriteError, Cluster>[] = [
      applying,
      Effect.map(pruning, (one) => [one]),
    ];
    const steps = yield* eachOf(both, (step) => step);
    forgetOthers(keeping, { uid, state, reader });
    const all = steps.flat();
    return {
      did: all.some(({ did }) => did),
      requeueAfterMs: all.reduce<number | null>((first, one) => soonest(first, one.requeueAfterMs), null),
      left: diffOf(stateOf(keeping, object, reader, desired)),
    };
  });
};

function forgetOthers<O extends KubeObject>(
  { owning, memory }: Keeping<O>,
  { uid, state, reader }: { readonly uid: string; readonly state: OwnedState; readonly reader: CacheReader },
): void {
  const keys = new Set([...state.desired, ...state.others].map(({ ref }) => refKey(ref)));
  memory.retain(uid, (key) => keys.has(key));
  memory.sweep(() => reader.list(owning.owners).map(({ metadata }) => metadata.uid ?? ''));
}

const watchesOf = <O extends KubeObject>({ owning, memory }: Keeping<O>): readonly Watching[] =>
  owning.resources.map((resource) => ({
    resource,
    reads: everyChange,
    concerns: (changed) => {
      const { labels, annotations } = changed.metadata;
      if (labels?.[label.kind] !== owning.owners.kind || labels[label.name] === undefined) return [];
      memory.received(annotations?.[annotation.ownerUid] ?? '', refKey(refOf(resource, changed)));
      return [labels[label.name] ?? ''];
    },
  }));

/** Manages the objects of one kind of owner; one instance per controller. */
export function makeOwned<O extends KubeObject>(owning: Owning<O>): Owned<O> {
  const memory = ownedMemory();
  const keeping = { owning, memory };
  const reconcile = reconcileWith(keeping);
  const remaining = (object: O) => remainingOf(owning, object);
  const deleteAll: Ensure<O> = {
    run: ({ object, reader }) => Effect.map(reconcile(object, reader, []), deletedBy),
  };
  return {
    sweep: (name, context) => sweepLeftovers(owning, name, context),
    watches: watchesOf(keeping),
    changes: ({ metadata }) => memory.changes(metadata.uid ?? ''),
    diff: (object, reader, desired) => diffOf(stateOf(keeping, object, reader, desired)),
    reconcile,
    remaining,
    settled: {
      run: ({ object }) =>
        Effect.map(monotonicMs, (now): Ensured => {
          const { any, nextInMs } = memory.expire(object.metadata.uid ?? '', now);
          if (any) return done;
          return nextInMs === null ? holds : { is: 'waits', afterMs: nextInMs };
        }),
    },
    ensure: { run: ({ object, reader }) => Effect.map(reconcile(object, reader), ensured) },
    deleteAll,
    confirmDeleted: {
      run: (given) =>
        Effect.gen(function* () {
          const known = yield* deleteAll.run(given);
          if (known.is !== 'holds') return known;
          const left = yield* remaining(given.object).pipe(Effect.catchTag('Gone', () => Effect.succeed(['?'])));
          return left.length === 0 ? holds : ({ is: 'waits', afterMs: staleMs } satisfies Ensured);
        }),
    },
  };
}

const deletedBy = ({ did, requeueAfterMs, left: { terminating, toPrune } }: Outcome): Ensured => {
  if (did) return done;
  return terminating.length + toPrune.length === 0 ? holds : { is: 'waits', afterMs: requeueAfterMs ?? terminatingMs };
};

const ensured = ({ did, requeueAfterMs }: Outcome): Ensured => {
  if (did) return done;
  return requeueAfterMs === null ? holds : { is: 'waits', afterMs: requeueAfterMs };
};
