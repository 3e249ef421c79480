import { randomInt, randomUUID } from 'node:crypto';
import type { Place, Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import { mediaTypeOf, parseObject, readBody } from '../body.ts';
import { type Call, isDryRun, placeOf } from '../call.ts';
import { type Json, jsonAt, textAt, without } from '../json.ts';
import { checkIdentity, checkPlace, checkUnversioned } from '../kinds/identity.ts';
import { prepareNew, prepareNext } from '../kinds/prepare.ts';
import { scaleOf, scaled } from '../kinds/scale.ts';
import { groupVersion } from '../kinds/type.ts';
import { toStored } from '../kinds/versions.ts';
import { type Patch, parsePatch } from '../patch/patch.ts';
import { objectText } from '../present.ts';
import { alreadyExists, badRequest, forbidden, invalid, methodNotAllowed, notFound } from '../status.ts';
import { born, changed } from '../store/objects.ts';
import { checkPrecondition } from '../store/store.ts';
import { viewOf } from './read.ts';

const letters = 'bcdfghjklmnpqrstvwxz2456789';
const suffix = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');

/** Stores a new object. */
export async function createObject(call: Call): Promise<Answer> {
  if (call.name !== null || call.subresource !== null) throw methodNotAllowed();
  const object = await bodyOf(call);
  return shown(call, await storeNew(call, nameOf(call, object), object), 201);
}

function nameOf({ type }: Call, object: Json): string {
  const name = textAt(object, 'metadata', 'name');
  if (name !== '') return name;
  const prefix = textAt(object, 'metadata', 'generateName');
  if (prefix !== '') return `${prefix.slice(0, 248)}${suffix()}`;
  const message = 'Required value: name or generateName is required';
  throw invalid(type.group, type.kind, '', [{ field: 'metadata.name', reason: 'FieldValueRequired', message }]);
}

async function storeNew(call: Call, name: string, object: Json): Promise<Stored> {
  const { store, type } = call;
  const namespace = namespaceOf(call, object, name);
  const place: Place = { bucket: type.bucket, namespace, name };
  const metadata = { ...without(jsonAt(object, 'metadata'), 'resourceVersion'), name, uid: randomUUID() };
  const prepared = prepareNew(call, { ...object, metadata });
  if (!isDryRun(call)) {
    if (call.name === null) checkUnversioned(object);
    return store.create(place, prepared);
  }
  if (store.get(place)) throw alreadyExists(type, name);
  return born(place, prepared, 0);
}

/** The namespace of the path; it must exist and stay. */
function namespaceOf({ type, namespace, store }: Call, object: Json, name: string): string {
  if (!type.namespaced) return '';
  if (namespace === '') throw methodNotAllowed();
  const written = textAt(object, 'metadata', 'namespace');
  if (written !== '' && written !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const found = store.get({ bucket: '/namespaces', namespace: '', name: namespace });
  if (!found) throw notFound({ group: '', plural: 'namespaces' }, namespace);
  if (found.metadata.deletionTimestamp !== undefined)
    throw forbidden(
      type,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
    );
  return namespace;
}

/** The object in the body; it must be of the kind that the path names. */
async function bodyOf(call: Call): Promise<Json> {
  return ofType(call, parseObject(await readBody(call.request), mediaTypeOf(call.request)));
}

function ofType({ type, subresource }: Call, object: Json): Json {
  if (subresource === 'scale') return object;
  const wanted = { apiVersion: groupVersion(type), kind: type.kind };
  const found = { ...wanted, ...object };
  if (found.apiVersion !== wanted.apiVersion)
    throw badRequest(
      `the API version in the data (${found.apiVersion}) does not match the expected API version (${wanted.apiVersion})`,
    );
  if (found.kind !== wanted.kind)
    throw badRequest(`the kind in the data (${found.kind}) does not match the expected kind (${wanted.kind})`);
  return toStored(type, found);
}

/** Replaces an object, or the part of it that a subresource is. */
export async function replaceObject(call: Call): Promise<Answer> {
  const object = await bodyOf(call);
  const place = placeOf(call);
  const uid = textAt(object, 'metadata', 'uid');
  checkPlace(place, object);
  return save(call, (_, old) => {
    checkPrecondition(place, old, uid === '' ? {} : { uid });
    return object;
  });
}

/** Changes an object by a patch of any of the known types; only an apply may create it. */
export async function patchObject(call: Call): Promise<Answer> {
  const patch = parsePatch(call, mediaTypeOf(call.request), await readBody(call.request));
  if (patch.create && call.subresource === null && !call.store.get(placeOf(call))) return applyNew(call, patch.create);
  return save(call, patch.apply);
}

async function applyNew(call: Call, create: NonNullable<Patch['create']>): Promise<Answer> {
  const place = placeOf(call);
  const object = ofType(call, create());
  checkPlace(place, object);
  return shown(call, await storeNew(call, place.name, object), 201);
}

type Changing = (seen: Json, stored: Stored) => Json;

async function save(call: Call, change: Changing): Promise<Answer> {
  const place = placeOf(call);
  const next = (old: Stored) => nextOf(call, old, change);
  if (!isDryRun(call)) return shown(call, await call.store.update(place, next), 200);
  const old = call.store.get(place);
  if (!old) throw notFound(call.type, place.name);
  return shown(call, changed(old, next(old), Number(old.metadata.resourceVersion)), 200);
}

function nextOf(call: Call, old: Stored, change: Changing): Stored {
  const { type, subresource } = call;
  if (subresource !== 'scale') {
    const asked = change(old, old);
    checkPlace(placeOf(call), asked);
    checkIdentity(type, old, asked);
    return prepareNext(call, old, asked);
  }
  const asked = change(scaleOf(type, old), old);
  const { custom: _, ...scale } = type;
  checkPlace(placeOf(call), asked);
  checkIdentity(scale, old, asked);
  return prepareNext(call, old, scaled(type, old, asked));
}

function shown(call: Call, object: Stored, code: number): Answer {
  const text =
    call.subresource === 'scale' ? JSON.stringify(scaleOf(call.type, object)) : objectText(viewOf(call), object);
  return { code, text };
}
