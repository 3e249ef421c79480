import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { isControlled, type Owner, ownerOf } from '../../rules/owned/ownedObject.ts';
import { withoutEmpty } from '../../rules/owned/withoutEmpty.ts';
import type { CacheReader } from '../cache/reader.ts';
import { apiVersionOf, type Resource } from '../services/cluster/cluster.ts';
import { type OwnedObject, type UnmanagedReason, whyUnmanaged } from './compare.ts';
import { type Ref, refKey, refOf } from './displayName.ts';
import { ownedBy } from './kinds.ts';
import { type AppliedRecord, latest } from './memory.ts';

/** One desired object with the existing one of its name. */
export interface ResourceState {
  readonly ref: Ref;
  readonly desired: OwnedObject;
  readonly cached: KubeObject | undefined;
  /** The cached object, or what was written since. */
  readonly live: KubeObject | undefined;
  readonly record: AppliedRecord | undefined;
}

/** An object with the labels of an owner that it does not want. */
export interface UndesiredState {
  readonly ref: Ref;
  readonly object: KubeObject;
  /** Why it is left alone; null where it is to be deleted. */
  readonly unmanaged: UnmanagedReason | null;
  readonly isTerminating: boolean;
}

export interface OwnedState {
  readonly owner: Owner;
  readonly desired: readonly ResourceState[];
  readonly others: readonly UndesiredState[];
}

/** An object without its kind cannot be told from another's, so it is never pruned. */
export const isOfResource = (resource: Resource, { apiVersion, kind }: KubeObject): boolean =>
  kind === resource.kind && apiVersion === apiVersionOf(resource);

const complete = new WeakMap<OwnedObject, OwnedObject>();

/**
 * The object with its kind and namespace filled in, and without empty values that mean nothing. Equal input gives the
 * same object, so that results kept for it are found again.
 */
function completed(desired: OwnedObject): OwnedObject {
  const before = complete.get(desired);
  if (before) return before;
  const one = completion(desired);
  complete.set(desired, one);
  return one;
}

function completion({ resource, object, ...more }: OwnedObject): OwnedObject {
  const { kind, namespaced } = resource;
  const meant = withoutEmpty(object, resource.meaningfulEmpty) as KubeObject;
  const { namespace = systemNamespace, ...metadata } = meant.metadata;
  const whole = {
    ...meant,
    apiVersion: apiVersionOf(resource),
    kind,
    metadata: namespaced ? { ...metadata, namespace } : metadata,
  };
  return { resource, object: whole, ...more };
}

/** What an owner should have and what it has, by the cache and the last writes. */
export function ownedState(
  {
    kind,
    resources,
    leaves,
  }: {
    readonly kind: string;
    readonly resources: readonly Resource[];
    readonly leaves: (one: KubeObject) => boolean;
  },
  { object, desired: wanted }: { readonly object: KubeObject; readonly desired: readonly OwnedObject[] },
  { reader, memory }: { readonly reader: CacheReader; readonly memory: ReadonlyMap<string, AppliedRecord> },
): OwnedState {
  const owner = ownerOf(kind, object);
  const desired = wanted.map(completed).map((one): ResourceState => {
    const ref = refOf(one.resource, one.object);
    const record = memory.get(refKey(ref));
    const { name, namespace } = one.object.metadata;
    const cached = reader.get(one.resource, name, namespace);
    return { ref, desired: one, cached, live: latest(cached, record), record };
  });
  const keys = new Set(desired.map(({ ref }) => refKey(ref)));
  const others = resources.flatMap((resource) =>
    reader.indexed(resource, ...ownedBy(kind, owner.name)).flatMap((one): readonly UndesiredState[] => {
      const ref = refOf(resource, one);
      const key = refKey(ref);
      if (keys.has(key) || !isOfResource(resource, one) || isControlled(one, owner.uid) || leaves(one)) return [];
      const { uid, deletionTimestamp } = one.metadata;
      const isTerminating = deletionTimestamp !== undefined || memory.get(key)?.removed === uid;
      return [{ ref, object: one, unmanaged: whyUnmanaged(one, owner), isTerminating }];
    }),
  );
  return { owner, desired, others };
}
