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

/** A desired object with the live one of its name. */
export interface ResourceState {
  readonly ref: Ref;
  readonly desired: OwnedObject;
  readonly cached: KubeObject | undefined;
  /** The cached object, or the result of a later write. */
  readonly live: KubeObject | undefined;
  readonly record: AppliedRecord | undefined;
}

/** An object with the labels of an owner that is not desired. */
export interface UndesiredState {
  readonly ref: Ref;
  readonly object: KubeObject;
  /** Why it is not deleted; null when it is to be deleted. */
  readonly unmanaged: UnmanagedReason | null;
  readonly isTerminating: boolean;
}

export interface OwnedState {
  readonly owner: Owner;
  readonly desired: readonly ResourceState[];
  readonly others: readonly UndesiredState[];
}

/** Whether an object states this kind; one without its kind cannot be attributed and is never pruned. */
export const isOfResource = (resource: Resource, { apiVersion, kind }: KubeObject): boolean =>
  kind === resource.kind && apiVersion === apiVersionOf(resource);

const complete = new WeakMap<OwnedObject, OwnedObject>();

/**
 * Fills in kind and namespace and drops meaningless empty values. Equal input gives the same object, so that results
 * cached for it are found.
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

/** The desired and existing objects of an owner, by the cache and the last writes. */
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
