import type { KubeObject } from '../../crds/kind.ts';
import { appliedHash, type Owner } from '../../rules/owned/ownedObject.ts';
import { appliedFields } from '../cache/appliedFields.ts';
import { compare, type Comparison } from './compare.ts';
import { type AppliedRecord, emptyRecord } from './memory.ts';
import type { OwnedState, ResourceState, UndesiredState } from './state.ts';

/** After this many overwritten applies within `overwrittenMs`, one apply per `overwrittenMs` follows. */
export const maxChanges = 3;
const overwrittenMs = 600_000;
/** An unmanaged object may not be cached, and a deletion may take its time. */
export const unmanagedMs = 60_000;
export const terminatingMs = 30_000;

export type Change = Extract<Comparison, { readonly is: 'absent' | 'stale' }>;

/** The operation for one desired object. */
export type Op =
  /** Writes nothing: stores the record and requeues. */
  | { readonly do: 'wait'; readonly record: AppliedRecord; readonly requeueAfterMs: number | null }
  /** Reads directly whether an unmanaged object is gone, because the cache may have missed that. */
  | { readonly do: 'confirmUnmanaged' }
  /** Overwritten too often: waits, and reads the overwriting manager from the live object. */
  | { readonly do: 'holdBack'; readonly change: Change; readonly after: number; readonly heldBackMs: number }
  | { readonly do: 'write'; readonly change: Change };

/** The ordered operations that make the live objects match the desired ones. */
export interface Plan {
  readonly ops: readonly { readonly state: ResourceState; readonly op: Op }[];
  readonly deletions: readonly UndesiredState[];
}

/** Plans the operations for an owner; `now` in ms of the monotonic clock. */
export const plan = ({ owner, desired, others }: OwnedState, now: number): Plan => ({
  ops: desired.map((state) => {
    const fresh = freshState(state, now);
    return { state: fresh, op: planOne(fresh, owner, now) };
  }),
  deletions: others.filter(({ unmanaged, isTerminating }) => unmanaged === null && !isTerminating),
});

/** Drops expired parts of a record. */
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

/** Plans the operation for one desired object. */
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

/** Requeues an overwritten object for the time when it counts as stable, and one with a write result for its expiry. */
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
