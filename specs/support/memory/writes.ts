import type { KubeObject } from '../../../crds/kind.ts';
import { type Json, at, isJson, jsonAt, textAt, without } from '../../../runtime/embedded/api/json.ts';
import {
  checkIdentity,
  checkPlace,
  checkReadable,
  checkUnversioned,
} from '../../../runtime/embedded/api/kinds/identity.ts';
import { prepareNew, prepareNext } from '../../../runtime/embedded/api/kinds/prepare.ts';
import { type ResourceType, groupVersion } from '../../../runtime/embedded/api/kinds/type.ts';
import { mergePatch } from '../../../runtime/embedded/api/patch/merge.ts';
import { StatusError, badRequest, forbidden, invalid, notFound } from '../../../runtime/embedded/api/status.ts';
import type { Place, Stored } from '../../../runtime/embedded/store.ts';
import type { ApplyOver, Name, Precondition, Resource } from '../../../runtime/services/cluster/cluster.ts';
import { applyOf, followed } from './applies.ts';
import { placeOf } from './place.ts';
import type { MemoryStore } from './store.ts';
import { callOf, checkAdmitted, typeOf } from './types.ts';

/** The writes of a memory cluster; each is done when it returns, or throws a StatusError. */
export interface Writes {
  readonly create: (resource: Resource, object: KubeObject) => Stored;
  readonly apply: (resource: Resource, object: KubeObject, over: ApplyOver) => Stored;
  readonly patch: (resource: Resource, name: Name, patch: object, precondition?: Precondition) => Stored;
  readonly patchStatus: (resource: Resource, name: Name, status: object, precondition?: Precondition) => Stored;
  readonly remove: (resource: Resource, name: Name, precondition?: Precondition) => void;
  /** A write by hand: unasked, unchecked, its status included. */
  readonly put: (resource: Resource, object: KubeObject) => Stored;
}

/** Whose what is written by hand is. */
const edit = { fieldManager: 'hand' };

/** What goes over the wire: nothing undefined, nothing shared. */
const sent = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

const guarded = (patch: Json, { uid, resourceVersion }: Precondition = {}): Json =>
  uid || resourceVersion
    ? {
        ...patch,
        metadata: { ...jsonAt(patch, 'metadata'), ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
      }
    : patch;

export function memoryWrites(store: MemoryStore, now: () => string): Writes {
  /** Objects put by hand that their kind does not allow: what is written over them is not checked either. */
  const unchecked = new Set<string>();
  let uids = 0;
  let names = 0;

  const change = (type: ResourceType, place: Place, write: Write) =>
    store.update(place, (old) => {
      const asked = merged(old, write.patch);
      checkReadable({ type, subresource: write.subresource }, old, asked);
      checkPlace(place, asked);
      checkIdentity(type, old, asked);
      if (unchecked.has(old.metadata.uid)) return uncheckedNext(old, asked, write.subresource);
      const call = callOf(type, write.subresource);
      const next = followed(call, old, { asked, next: prepareNext(call, old, asked) }, now());
      if (write.subresource === null) checkAdmitted(type, next, old);
      return next;
    });

  const newName = ({ group, kind }: ResourceType, object: Json): string => {
    const name = textAt(object, 'metadata', 'name');
    const prefix = textAt(object, 'metadata', 'generateName');
    if (name !== '') return name;
    if (prefix !== '') return prefix.slice(0, 248) + (++names).toString(36).padStart(5, 'x');
    const message = 'Required value: name or generateName is required';
    throw invalid(group, kind, '', [{ field: 'metadata.name', reason: 'FieldValueRequired', message }]);
  };

  const checkNamespace = (type: ResourceType, { namespace, name }: Place) => {
    if (!type.namespaced) return;
    const home = store.get({ bucket: '/namespaces', namespace: '', name: namespace });
    if (!home) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    if (home.metadata.deletionTimestamp !== undefined)
      throw forbidden(
        type,
        name,
        `unable to create new content in namespace ${namespace} because it is being terminated`,
      );
  };

  const storeNew = (type: ResourceType, place: Place, object: Json) => {
    checkNamespace(type, place);
    const given = without(jsonAt(object, 'metadata'), 'resourceVersion');
    const metadata = { ...given, name: place.name, uid: `uid-${++uids}` };
    const prepared = prepareNew(callOf(type), { ...object, metadata });
    checkAdmitted(type, prepared, null);
    return prepared;
  };

  return {
    create: (resource, given) => {
      const type = typeOf(resource);
      const object = ofType(type, sent(given));
      const place = placeOf(resource, { ...given.metadata, name: newName(type, object) });
      const prepared = storeNew(type, place, object);
      checkUnversioned(object);
      return store.create(place, prepared);
    },
    apply: (resource, object, over) => {
      const type = typeOf(resource);
      const place = placeOf(resource, object.metadata);
      const applied = applyOf(type, object, over, now());
      if (store.get(place)) return store.update(place, (old) => applied.next(place, old));
      return store.create(place, storeNew(type, place, applied.made(place)));
    },
    patch: (resource, name, patch, precondition) =>
      change(typeOf(resource), placeOf(resource, name), {
        patch: guarded(sent(patch), precondition),
        subresource: null,
      }),
    patchStatus: (resource, name, status, precondition) => {
      const type = typeOf(resource);
      if (!type.subresources.includes('status'))
        throw new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
      return change(type, placeOf(resource, name), {
        patch: guarded(sent({ status }), precondition),
        subresource: 'status',
      });
    },
    remove: (resource, name, precondition) => {
      const place = placeOf(resource, name);
      if (store.get(place)) store.remove(place, given(precondition));
    },
    put: (resource, object) => {
      const type = typeOf(resource);
      const place = placeOf(resource, object.metadata);
      const old = store.get(place);
      const uid = old?.metadata.uid ?? object.metadata.uid ?? `uid-${++uids}`;
      const whole: Json = { apiVersion: groupVersion(type), kind: type.kind, ...sent(object) };
      const metadata = { ...old?.metadata, ...jsonAt(whole, 'metadata'), uid };
      const filled = createdByUser(type, { ...whole, metadata }, () => unchecked.add(uid));
      if (!old) return store.create(place, filled);
      const next = { ...filled, metadata: { ...filled.metadata } } as unknown as Stored;
      return store.update(place, () =>
        unchecked.has(uid) ? next : followed(callOf(type, null, edit), old, { asked: whole, next }, now()),
      );
    },
  };
}

interface Write {
  readonly patch: Json;
  readonly subresource: 'status' | null;
}

const given = ({ uid, resourceVersion }: Precondition = {}): Precondition => ({
  ...(uid && { uid }),
  ...(resourceVersion && { resourceVersion }),
});

function merged(old: Stored, patch: Json): Json {
  const next = mergePatch(old, patch);
  if (!isJson(next)) throw badRequest('a patch must leave an object');
  return next;
}

function ofType(type: ResourceType, object: Json): Json {
  const wanted = { apiVersion: groupVersion(type), kind: type.kind };
  const found = { ...wanted, ...object };
  if (found.apiVersion !== wanted.apiVersion)
    throw badRequest(
      `the API version in the data (${found.apiVersion}) does not match the expected API version (${wanted.apiVersion})`,
    );
  if (found.kind !== wanted.kind && !type.custom)
    throw badRequest(`the kind in the data (${found.kind}) does not match the expected kind (${wanted.kind})`);
  return found;
}

function uncheckedNext(old: Stored, asked: Json, subresource: Write['subresource']): Stored {
  if (subresource === 'status') return { ...old, status: asked['status'] };
  return { ...asked, ...('status' in old && { status: old.status }) } as unknown as Stored;
}

/** As its kind fills it in, or just as it was given where its kind would refuse it. */
function createdByUser(type: ResourceType, object: Json, refused: () => void): Json & { readonly metadata: object } {
  const metadata = jsonAt(object, 'metadata');
  try {
    const filled = prepareNew(callOf({ ...type, subresources: [] }), object);
    const deletionTimestamp = at(metadata, 'deletionTimestamp');
    return {
      ...filled,
      metadata: { ...jsonAt(filled, 'metadata'), ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
    };
  } catch (thrown) {
    if (!(thrown instanceof StatusError)) throw thrown;
    refused();
    return { ...object, metadata };
  }
}
