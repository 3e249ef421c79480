import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { differences } from '../../rules/owned/differences.ts';
import { appliedHash, type Owner } from '../../rules/owned/ownedObject.ts';
import { appliedFields } from '../cache/appliedFields.ts';
import { versionOf } from '../cache/indexer.ts';
import { Cluster, type Conflict, type WriteError } from '../services/cluster/cluster.ts';
import { whyUnmanaged } from './compare.ts';
import { managersAt } from './managers.ts';
import { type AppliedRecord, emptyRecord } from './memory.ts';
import { type Change, maxChanges, type Op, planOne, unmanagedMs } from './plan.ts';
import type { ResourceState } from './state.ts';
import { failedOn, refIn } from '../services/cluster/failedOn.ts';
import { find } from '../services/cluster/find.ts';

/** By this time a written object has reached the cache, or was deleted before that. */
const answeredMs = 30_000;

/** The result for one object: whether it was written, its record, and when to requeue. */
export interface Reconciled {
  readonly did: boolean;
  readonly record: AppliedRecord;
  readonly requeueAfterMs: number | null;
}

interface At {
  readonly owner: Owner;
  readonly now: number;
}

const waits = (record: AppliedRecord, requeueAfterMs: number | null): Reconciled => ({
  did: false,
  record,
  requeueAfterMs,
});

type Reconciling = Effect.fn.Return<Reconciled, WriteError, Cluster>;

/** Performs the operation planned for one object. */
export const reconcileOne = (state: ResourceState, op: Op, at: At): Effect.Effect<Reconciled, WriteError, Cluster> =>
  perform(state, op, at).pipe(
    // The cached object was stale: reads the object and plans once more.
    Effect.catchTag('Conflict', () => Effect.flatMap(liveNow(state), (live) => performAnew({ ...state, live }, at))),
    Effect.mapError(failedOn(refIn(state.ref.resource, state.ref))),
  );

const performAnew = (state: ResourceState, at: At): Effect.Effect<Reconciled, WriteError, Cluster> =>
  perform(state, planOne(state, at.owner, at.now), at);

const perform = Effect.fnUntraced(function* (state: ResourceState, op: Op, at: At): Reconciling {
  switch (op.do) {
    case 'wait':
      return waits(op.record, op.requeueAfterMs);
    case 'confirmUnmanaged':
      return yield* confirmUnmanaged(state, at);
    case 'holdBack':
      return yield* holdBack(state, op, at);
    case 'write':
      return yield* write(state, op.change, at);
  }
});

const liveNow = Effect.fnUntraced(function* ({
  desired: { resource, object },
}: ResourceState): Effect.fn.Return<KubeObject | undefined, WriteError, Cluster> {
  return (yield* find(resource, object.metadata)) ?? undefined;
});

const confirmUnmanaged = Effect.fnUntraced(function* (state: ResourceState, at: At): Reconciling {
  const { record = emptyRecord } = state;
  const live = yield* liveNow(state);
  if (live === undefined) return yield* performAnew({ ...state, live, record: { ...record, unmanaged: null } }, at);
  if (whyUnmanaged(live, at.owner) !== null) return waits(record, unmanagedMs);
  return yield* performAnew({ ...state, live, record: answeredBy(record, live, at) }, at);
});

const answeredBy = (record: AppliedRecord, object: KubeObject, { now }: At): AppliedRecord => ({
  ...record,
  answered: { object, until: now + answeredMs },
  removed: null,
});

const holdBack = Effect.fnUntraced(function* (
  state: ResourceState,
  { change, after, heldBackMs }: Extract<Op, { readonly do: 'holdBack' }>,
  at: At,
): Reconciling {
  const { record = emptyRecord } = state;
  const live = yield* liveNow(state);
  if (live && isNotOurs(live, at.owner)) return unmanaged(record, at.now);
  return waits({ ...record, overwritten: { by: overwriter(change, live), after } }, heldBackMs);
});

/** The manager that overwrites an object after each apply; unknown for a deleted one. */
function overwriter(change: Change, live: KubeObject | undefined): string {
  if (!live) return 'a client that deletes it';
  const isTrim = change.is === 'stale' && change.by === 'trim';
  return managersAt(live, isTrim ? differences(live, change.object) : differences(change.object, live));
}

const isNotOurs = (live: KubeObject, owner: Owner): boolean => whyUnmanaged(live, owner)?.is === 'notOurs';

/** The live object is not Core's, and no cache reports its deletion. */
const unmanaged = (record: AppliedRecord, now: number): Reconciled =>
  waits({ ...record, unmanaged: { until: now + unmanagedMs } }, unmanagedMs);

const write = Effect.fnUntraced(function* (state: ResourceState, change: Change, at: At): Reconciling {
  const cluster = yield* Cluster;
  const {
    desired: { resource },
    live,
    record = emptyRecord,
  } = state;
  if (change.is === 'absent') return yield* create(state, change.object, at);
  const { object } = change;
  const uid = live?.metadata.uid ?? '';
  switch (change.by) {
    case 'replace':
      yield* cluster.remove(resource, object.metadata, { uid });
      return { did: true, record: { ...record, removed: uid, answered: null }, requeueAfterMs: null };
    case 'trim':
      return written(state, object, yield* cluster.patch(resource, object.metadata, change.patch, { uid }), at);
    case 'apply':
      return written(state, object, yield* cluster.apply(resource, object, { uid }), at);
  }
});

/** Creates an object, or reads whose the existing one is: not every object is cached. */
const create = Effect.fnUntraced(function* (state: ResourceState, object: KubeObject, at: At): Reconciling {
  const cluster = yield* Cluster;
  const { desired, record = emptyRecord } = state;
  const created = yield* cluster
    .apply(desired.resource, object, 'nothing')
    .pipe(Effect.catchTag('Conflict', (clash: Conflict) => Effect.succeed(clash)));
  if (!('_tag' in created)) return written(state, object, created, at);
  const live = yield* liveNow(state);
  if (!live) return yield* created;
  if (isNotOurs(live, at.owner)) return unmanaged(record, at.now);
  return yield* performAnew({ ...state, live, record: answeredBy(record, live, at) }, at);
});

/** Records the returned object as the live one; a write that changed nothing only confirmed it. */
function written(
  { live, record = emptyRecord }: ResourceState,
  desired: KubeObject,
  answer: KubeObject,
  { now }: At,
): Reconciled {
  const did = live === undefined || versionOf(live) !== versionOf(answer);
  const hash = appliedHash(desired);
  const isSame = record.hash === hash;
  const before = isSame ? record.changes : [];
  return {
    did,
    record: {
      hash,
      uid: answer.metadata.uid ?? '',
      fields: appliedFields(answer),
      changes: did ? [...before, now].slice(-maxChanges) : before,
      overwritten: isSame ? record.overwritten : null,
      unmanaged: null,
      answered: { object: answer, until: now + answeredMs },
      removed: null,
    },
    requeueAfterMs: null,
  };
}
