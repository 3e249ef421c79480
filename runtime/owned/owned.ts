import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation, label } from '../../crds/names.ts';
import { isControlled, isOf, isOfEarlierOwner, type Owner, ownerOf, ownLabels } from '../../rules/owned/ownedObject.ts';
import type { Controller, Watching } from '../contract/controller.ts';
import { everyChange } from '../contract/reads.ts';
import type { CacheReader } from '../cache/reader.ts';
import {
  asSeen,
  Cluster,
  type Gone,
  isUndefined,
  type ReadError,
  type Resource,
  type WriteError,
} from '../services/cluster/cluster.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { isDeleting } from '../../rules/deleting.ts';
import type { OwnedObject } from './compare.ts';
import { type Diff, diffOf } from './diff.ts';
import { displayName, refKey, refOf } from './displayName.ts';
import { ownedBy } from './kinds.ts';
import { emptyRecord, ownedMemory } from './memory.ts';
import { plan, terminatingMs } from './plan.ts';
import { reconcileOne } from './reconcile.ts';
import { type OwnedState, ownedState, type UndesiredState } from './state.ts';
import { done, type Ensure, type Ensured, holds } from '../contract/ensure.ts';
import { find } from '../services/cluster/find.ts';

export type { OwnedObject } from './compare.ts';
export { type Diff, dueOf, emptyDiff, isInSync, isPendingInCache } from './diff.ts';
export { displayName, isSameRef, type Ref, refOf } from './displayName.ts';
export { owned, ownedKind } from './kinds.ts';
export { overwrittenMessage, unmanagedMessage } from './messages.ts';

/** The objects owned by a kind: what should exist is a pure function of the owner and the caches. */
export interface Owning<O extends KubeObject> {
  readonly owners: Resource<O>;
  /** Every kind they may be of, made by `ownedKind`. */
  readonly resources: readonly Resource[];
  desired(object: O, reader: CacheReader): readonly OwnedObject[];
  /** Whether an object is left alone although nothing wants it, as long as the owner exists. */
  leaves?(owner: O, one: KubeObject): boolean;
}

/** What was done, and what is left to do. */
export interface Outcome {
  /** Something was written. */
  readonly did: boolean;
  /**
   * In how many ms to requeue for what is not as it should be; null where nothing is, or a change will trigger a pass.
   */
  readonly requeueAfterMs: number | null;
  readonly left: Diff;
}

export interface Owned<O extends KubeObject> {
  /** A changed object triggers a pass over its owner. */
  readonly watches: readonly Watching[];
  /** Another number whenever what is remembered of the objects written for an owner changes. */
  readonly changes: (object: O) => number;
  /** What is not as it should be, as far as is known without a call: a fact. */
  readonly diff: (object: O, reader: CacheReader, desired?: readonly OwnedObject[]) => Diff;
  /**
   * Makes everything that should exist as it should be, and deletes the rest. Level-based: it does nothing where nothing
   * differs. `desired` overrides the function's result.
   */
  readonly reconcile: (
    object: O,
    reader: CacheReader,
    desired?: readonly OwnedObject[],
    owner?: OwnerKnown,
  ) => Effect.Effect<Outcome, WriteError, Cluster>;
  /** The existing objects of an owner, by a direct read. */
  readonly remaining: (object: O) => Effect.Effect<readonly string[], ReadError | Gone, Cluster>;
  /** Removes late leftovers of a life that ended here. */
  readonly sweep: NonNullable<Controller<O>['onMissing']>;
  /** Notices in the end that a written object never reached the cache, because it was deleted at once. */
  readonly settled: Ensure<O>;
  /** Everything is as it should be. */
  readonly ensure: Ensure<O>;
  /** Deletes all that is known to exist; a direct read that nothing is left is up to another step. */
  readonly deleteAll: Ensure<O>;
  /** Nothing exists any more; holds only when a direct read confirms it. */
  readonly confirmDeleted: Ensure<O>;
}

/** How the owner is known: from the cache, or by the direct read that precedes an act. */
export type OwnerKnown = 'cached' | 'justRead';

/** Keeps the objects of one kind of owner; one instance for each controller. */
export function makeOwned<O extends KubeObject>(owning: Owning<O>): Owned<O> {
  const { owners, resources } = owning;
  const memory = ownedMemory();
  const { kind } = owners;

  const stateOf = (object: O, reader: CacheReader, desired = owning.desired(object, reader)) =>
    ownedState(
      { kind, resources, leaves: (one) => owning.leaves?.(object, one) ?? false },
      { object, desired },
      { reader, memory: memory.of(object.metadata.uid ?? '') },
    );

  const reconcile: Owned<O>['reconcile'] = Effect.fnUntraced(function* (object, reader, desired, known = 'cached') {
    const uid = object.metadata.uid ?? '';
    const state = stateOf(object, reader, desired);
    const now = yield* monotonicMs;
    const { ops, deletions } = plan(state, now);
    let did = false;
    let requeueAfterMs: number | null = null;
    const requeueIn = (ms: number | null) => {
      if (ms !== null) requeueAfterMs = Math.min(requeueAfterMs ?? ms, ms);
    };
    for (const { state: one, op } of ops) {
      const reconciled = yield* reconcileOne(one, op, { owner: state.owner, now });
      memory.remember(uid, refKey(one.ref), reconciled.record);
      did = did || reconciled.did;
      requeueIn(reconciled.requeueAfterMs);
    }
    const deleted = yield* prune(object, deletions, known);
    requeueIn(deleted.requeueAfterMs);
    for (const { key, uid: removed } of deleted.gone) memory.remember(uid, key, { ...emptyRecord, removed });
    forgetOthers(uid, state, reader);
    return { did: did || deleted.gone.length > 0, requeueAfterMs, left: diffOf(stateOf(object, reader, desired)) };
  });

  const forgetOthers = (uid: string, { desired, others }: OwnedState, reader: CacheReader) => {
    const keys = new Set([...desired, ...others].map(({ ref }) => refKey(ref)));
    memory.retain(uid, (key) => keys.has(key));
    memory.sweep(() => reader.list(owners).map(({ metadata }) => metadata.uid ?? ''));
  };

  const isStored = Effect.fnUntraced(function* ({ metadata: { name, uid, resourceVersion } }: O) {
    const now = yield* find(owners, { name });
    return now?.metadata.uid === uid && now?.metadata.resourceVersion === resourceVersion;
  });

  /**
   * Reads the owner directly first, because the cache may not know yet what it wants; then deletes each object only as
   * it was seen.
   */
  const prune = Effect.fnUntraced(function* (object: O, deletions: readonly UndesiredState[], known: OwnerKnown) {
    if (deletions.length === 0) return { gone: [], requeueAfterMs: null };
    if (known === 'cached' && !(yield* isStored(object))) return { gone: [], requeueAfterMs: staleMs };
    const cluster = yield* Cluster;
    const gone: { readonly key: string; readonly uid: string }[] = [];
    let requeueAfterMs: number | null = null;
    for (const { ref, object: one } of deletions) {
      const removing = Effect.as(cluster.remove(ref.resource, one.metadata, asSeen(one)), true);
      const isGone = yield* removing.pipe(
        Effect.catchTag('Conflict', () => removeAsStored(ref.resource, one, ownerOf(kind, object))),
        Effect.catchTag('Conflict', () => Effect.succeed(false)),
      );
      if (isGone) gone.push({ key: refKey(ref), uid: one.metadata.uid ?? '' });
      else requeueAfterMs = staleMs;
    }
    return { gone, requeueAfterMs };
  });

  /** The cache may have missed a change for minutes: the object is compared once more as it is stored. */
  const removeAsStored = Effect.fnUntraced(function* (resource: Resource, cached: KubeObject, owner: Owner) {
    const cluster = yield* Cluster;
    const stored = yield* find(resource, cached.metadata);
    if (stored === null || stored.metadata.uid !== cached.metadata.uid) return stored === null;
    if (!isOf(stored, owner) || isOfEarlierOwner(stored, owner) || isDeleting(stored)) return false;
    return yield* Effect.as(cluster.remove(resource, stored.metadata, asSeen(stored)), true);
  });

  const remaining: Owned<O>['remaining'] = Effect.fnUntraced(function* (object) {
    const cluster = yield* Cluster;
    const owner = ownerOf(kind, object);
    const labelSelector = Object.entries(ownLabels(owner))
      .map((pair) => pair.join('='))
      .join(',');
    const left: string[] = [];
    for (const resource of resources) {
      const listed = cluster.list(resource, { namespace: 'all', labelSelector });
      const { items } = yield* listed.pipe(Effect.catchIf(isUndefined, () => Effect.succeed({ items: [] })));
      const own = items.filter(
        (one) => isOf(one, owner) && !isOfEarlierOwner(one, owner) && !isControlled(one, owner.uid),
      );
      left.push(
        ...own.filter((one) => owning.leaves?.(object, one) !== true).map((one) => displayName(refOf(resource, one))),
      );
    }
    return left;
  });

  const sweep: Owned<O>['sweep'] = Effect.fnUntraced(function* (name, { reader, hasEnded }) {
    const cluster = yield* Cluster;
    for (const resource of resources)
      for (const object of reader.indexed(resource, ...ownedBy(kind, name))) {
        const uid = object.metadata.annotations?.[annotation.ownerUid] ?? '';
        if (!isDeleting(object) && !isControlled(object, uid) && hasEnded(uid))
          yield* cluster
            .remove(resource, object.metadata, asSeen(object))
            .pipe(Effect.catchTag('Conflict', () => Effect.void));
      }
  });

  const deleteAll: Ensure<O> = {
    run: ({ object, reader }) => Effect.map(reconcile(object, reader, []), deletedBy),
  };

  return {
    sweep,
    watches: resources.map((resource) => ({
      resource,
      reads: everyChange,
      concerns: (changed) => {
        const { labels, annotations } = changed.metadata;
        if (labels?.[label.kind] !== kind || labels[label.name] === undefined) return [];
        memory.received(annotations?.[annotation.ownerUid] ?? '', refKey(refOf(resource, changed)));
        return [labels[label.name] ?? ''];
      },
    })),
    changes: ({ metadata }) => memory.changes(metadata.uid ?? ''),
    diff: (object, reader, desired) => diffOf(stateOf(object, reader, desired)),
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

/** The time after which a stale read is no longer stale. */
const staleMs = 1_000;

const deletedBy = ({ did, requeueAfterMs, left: { terminating, toPrune } }: Outcome): Ensured => {
  if (did) return done;
  return terminating.length + toPrune.length === 0 ? holds : { is: 'waits', afterMs: requeueAfterMs ?? terminatingMs };
};

const ensured = ({ did, requeueAfterMs }: Outcome): Ensured => {
  if (did) return done;
  return requeueAfterMs === null ? holds : { is: 'waits', afterMs: requeueAfterMs };
};
