import type { KubeObject } from '../../crds/kind.ts';
import { differences } from '../../rules/owned/differences.ts';
import {
  appliedHash,
  appliedObject,
  type Fixed,
  isOf,
  isOfEarlierOwner,
  type Owner,
  reachable,
  removalPatch,
  withStored,
} from '../../rules/owned/ownedObject.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { appliedFields } from '../cache/appliedFields.ts';
import type { AppliedRecord } from './memory.ts';
import { isDeleting } from '../../rules/deleting.ts';

/** One object that should exist. The labels and annotations that identify it are added to it. */
export interface OwnedObject<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  readonly object: O;
  /** Maps that may contain only desired keys. */
  readonly whole?: readonly (readonly string[])[];
  /** How a change that the API rejects is handled. */
  readonly fixed?: readonly Fixed[];
  /** Whether the replicas of the live object are set by an autoscaler. */
  readonly scaledElsewhere?: (live: KubeObject) => boolean;
}

/** Why an object with a desired name, or with the labels of an owner, may not be changed by this owner. */
export type UnmanagedReason =
  | { readonly is: 'notOurs' }
  /** Created for an earlier object of the owner's name. */
  | { readonly is: 'ofEarlierOwner'; readonly kind: string; readonly name: string };

/** How a desired object compares with the live one, and what to change. */
export type Comparison =
  | { readonly is: 'current'; readonly object: KubeObject }
  | { readonly is: 'absent'; readonly object: KubeObject }
  | { readonly is: 'stale'; readonly object: KubeObject; readonly by: 'apply' | 'replace' }
  | { readonly is: 'stale'; readonly object: KubeObject; readonly by: 'trim'; readonly patch: object }
  /** Being deleted; it can be created again when it is gone. */
  | { readonly is: 'terminating' }
  | { readonly is: 'unmanaged'; readonly reason: UnmanagedReason };

/** Why an object may not be changed; null when it may. */
export function whyUnmanaged(live: KubeObject, owner: Owner): UnmanagedReason | null {
  if (!isOf(live, owner)) return { is: 'notOurs' };
  return isOfEarlierOwner(live, owner) ? { is: 'ofEarlierOwner', kind: owner.kind, name: owner.name } : null;
}

interface ComparedFor {
  readonly record: AppliedRecord | undefined;
  readonly owner: Owner;
}

const lastCompared = new WeakMap<
  OwnedObject,
  { readonly live: KubeObject | undefined; readonly given: ComparedFor; readonly comparison: Comparison }
>();

const isSame = (one: ComparedFor, other: ComparedFor): boolean =>
  one.record === other.record && one.owner.uid === other.owner.uid && one.owner.adopts === other.owner.adopts;

/** Compares a desired object with the live one of its name; the last result is cached while both are unchanged. */
export function compare(desired: OwnedObject, live: KubeObject | undefined, given: ComparedFor): Comparison {
  const last = lastCompared.get(desired);
  if (last?.live === live && last !== undefined && isSame(last.given, given)) return last.comparison;
  const comparison = compared(desired, live, given);
  lastCompared.set(desired, { live, given, comparison });
  return comparison;
}

function compared(
  { object: desired, whole = [], fixed = [], scaledElsewhere }: OwnedObject,
  live: KubeObject | undefined,
  { record, owner }: ComparedFor,
): Comparison {
  if (!live) {
    if (record?.unmanaged) return { is: 'unmanaged', reason: { is: 'notOurs' } };
    return { is: 'absent', object: appliedObject(desired, owner) };
  }
  const reason = whyUnmanaged(live, owner);
  if (reason !== null) return { is: 'unmanaged', reason };
  if (isDeleting(live) || record?.removed === live.metadata.uid) return { is: 'terminating' };
  const object = scaledElsewhere?.(live) ? withoutReplicas(desired) : desired;
  const reached = reachable(object, live, fixed);
  if (reached === 'replace') return { is: 'stale', object: desired, by: 'replace' };
  const applied = appliedObject(reached, owner);
  if (!isApplied(applied, live, record)) return { is: 'stale', object: withStored(applied, live, fixed), by: 'apply' };
  const patch = removalPatch(applied, live, whole);
  return patch ? { is: 'stale', object: applied, by: 'trim', patch } : { is: 'current', object: applied };
}

interface Scaled extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

function withoutReplicas(object: KubeObject): KubeObject {
  const { replicas: _, ...spec } = (object as Scaled).spec ?? {};
  return { ...object, spec } as Scaled;
}

/** Whether the live object is what was applied. Without a record, it is compared value by value. */
function isApplied(applied: KubeObject, live: KubeObject, record: AppliedRecord | undefined): boolean {
  const fields = appliedFields(live);
  if (fields === undefined || appliedHash(applied) !== appliedHash(live)) return false;
  if (record?.hash === appliedHash(applied) && record.uid === live.metadata.uid)
    return record.fields === fields && differences(dataOf(applied), dataOf(live)).length === 0;
  return differences(applied, live).length === 0;
}

/** The data of a Secret, which the hash does not cover. */
const dataOf = (object: KubeObject): unknown =>
  object.kind === 'Secret' ? (object as { readonly data?: unknown }).data : undefined;
