import type { KubeObject } from '../../crds/kind.ts';
import { appliedHash, type Owner } from '../../rules/owned/ownedObject.ts';
import { appliedFields } from '../cache/appliedFields.ts';
import { compare, type Comparison } from './compare.ts';
import { type AppliedRecord, emptyRecord } from './memory.ts';
import type { OwnedState, ResourceState, UndesiredState } from './state.ts';

/** When this many applies within this time did not hold, only one per this time follows. */
export const maxChanges = 3;
const overwrittenMs = 600_000;
/** An object in the way is not cached, and one that is being deleted may take its time. */
export const unmanagedMs = 60_000;
export const terminatingMs = 30_000;

export type Change = Extract<Comparison, { readonly is: 'absent' | 'stale' }>;

/** What is to be done about one desired object. */
export type Op =
  /** Nothing to write: it is remembered so, and looked at later. */
  | { readonly do: 'wait'; readonly record: AppliedRecord; readonly requeueAfterMs: number | null }
  /** The cache may have missed that an object of somebody else, or of an earlier life, is gone: it is read directly. */
  | { readonly do: 'confirmUnmanaged' }
  /** Applied too often in vain: held back, and who overwrites it is read from the live object. */
  | { readonly do: 'holdBack'; readonly change: Change; readonly after: number; readonly heldBackMs: number }
  | { readonly do: 'write'; readonly change: Change };

/** The operations that bring about what an owner should have, in order. */
export interface Plan {
  readonly ops: readonly { readonly state: ResourceState; readonly op: Op }[];
  readonly deletions: readonly UndesiredState[];
}

/** Derives the operations from an owner's objects; `now` in ms of the monotonic clock. */
export const plan = ({ owner, desired, others }: OwnedState, now: number): Plan => ({
  ops: desired.map((state) => {
    const fresh = freshState(state, now);
    return { state: fresh, op: planOne(fresh, owner, now) };
  }),
  deletions: others.filter(({ unmanaged, isTerminating }) => unmanaged === null && !isTerminating),
});

/** Drops what is too old to be remembered. */
function freshState(state: ResourceState, now: number): ResourceState {
  const { cached, record } = state;
  if (!record) return state;
  const isAnswer = state.live !== cached && (record.answered?.until ?? 0) > now;
  const unmanaged = record.unmanaged && record.unmanaged.until > now ? record.unmanaged : null;
  return {
    ...state,
    live: isAnswer ? state.live : cached,
    record: { ...record, unmanaged, answered: isAnswer ? record.answered : null },
  };
}

/** The operation for one desired object. */
export function planOne({ desired, live, record: remembered }: ResourceState, owner: Owner, now: number): Op {
  const record = remembered ?? emptyRecord;
  const comparison = compare(desired, live, { record: remembered, owner });
  switch (comparison.is) {
    case 'unmanaged':
      return live === undefined ? wait(record, unmanagedMs) : { do: 'confirmUnmanaged' };
    case 'terminating':
      return wait(record, terminatingMs);
    case 'current':
      return live ? settled(withApplied(record, comparison.object, live), now) : wait(record, null);
    case 'absent':
    case 'stale':
      return changing(record, comparison, now);
  }
}

const wait = (record: AppliedRecord, requeueAfterMs: number | null): Op => ({ do: 'wait', record, requeueAfterMs });

/** Requeues an overwritten object for when it has held long enough, an answered one for when the answer is too old. */
function settled(record: AppliedRecord, now: number): Op {
  if (!record.overwritten) return wait(record, record.answered ? record.answered.until - now : null);
  const heldMs = now - (record.changes.at(-1) ?? now);
  return heldMs < overwrittenMs
    ? wait(record, overwrittenMs - heldMs)
    : wait({ ...record, overwritten: null, changes: [] }, null);
}

function withApplied(record: AppliedRecord, desired: KubeObject, live: KubeObject): AppliedRecord {
  const hash = appliedHash(desired);
  const uid = live.metadata.uid ?? '';
  const fields = appliedFields(live);
  if (record.hash === hash && record.uid === uid && record.fields === fields) return record;
  const isSame = record.hash === hash;
  return { ...record, hash, uid, fields, ...(isSame ? {} : { changes: [], overwritten: null }) };
}

function changing(record: AppliedRecord, change: Change, now: number): Op {
  const isRepeated = record.hash === appliedHash(change.object);
  const recent = record.changes.filter((when) => now - when < overwrittenMs);
  const after = record.changes.at(-1);
  if (!isRepeated || after === undefined || !(record.overwritten || recent.length >= maxChanges))
    return { do: 'write', change };
  const heldBackMs = overwrittenMs - (now - after);
  if (heldBackMs <= 0) return { do: 'write', change };
  return record.overwritten?.after === after ? wait(record, heldBackMs) : { do: 'holdBack', change, after, heldBackMs };
}
