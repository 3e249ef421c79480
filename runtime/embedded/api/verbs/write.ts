import { randomInt, randomUUID } from 'node:crypto';
import type { Place, Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import { mediaTypeOf, parseObject, readBody } from '../body.ts';
import { type Call, isDryRun, placeOf } from '../call.ts';
import { type Json, jsonAt, textAt, without } from '../json.ts';
import { prepareNew, prepareNext } from '../kinds/prepare.ts';
import { scaleOf, scaled } from '../kinds/scale.ts';
import { groupVersion } from '../kinds/type.ts';
import { toStored } from '../kinds/versions.ts';
import { type Patch, parsePatch } from '../patch/patch.ts';
import { objectText } from '../present.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  methodNotAllowed,
  modified,
  notFound,
} from '../status.ts';
import { born, changed } from '../store/objects.ts';
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
  if (!isDryRun(call)) return store.create(place, prepared);
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
  const { name } = placeOf(call);
  const written = textAt(object, 'metadata', 'name');
  if (written !== name)
    throw badRequest(`the name of the object (${written}) does not match the name on the URL (${name})`);
  if (call.type.custom && call.subresource !== 'scale' && textAt(object, 'metadata', 'resourceVersion') === '')
    throw invalid(call.type.group, call.type.kind, name, [
      {
        field: 'metadata.resourceVersion',
        reason: 'FieldValueInvalid',
        message: 'Invalid value: 0x0: must be specified for an update',
      },
    ]);
  return save(call, () => object);
}

/** Changes an object by a patch of any of the known types; only an apply may create it. */
export async function patchObject(call: Call): Promise<Answer> {
  const patch = parsePatch(call, mediaTypeOf(call.request), await readBody(call.request));
  if (patch.create && call.subresource === null && !call.store.get(placeOf(call))) return applyNew(call, patch.create);
  return save(call, patch.apply);
}

async function applyNew(call: Call, create: NonNullable<Patch['create']>): Promise<Answer> {
  const { name } = placeOf(call);
  return shown(call, await storeNew(call, name, ofType(call, create())), 201);
}

async function save(call: Call, change: (shownNow: Json) => Json): Promise<Answer> {
  const place = placeOf(call);
  const next = (old: Stored) => nextOf(call, old, change);
  if (!isDryRun(call)) return shown(call, await call.store.update(place, next), 200);
  const old = call.store.get(place);
  if (!old) throw notFound(call.type, place.name);
  return shown(call, changed(old, next(old), Number(old.metadata.resourceVersion)), 200);
}

function nextOf(call: Call, old: Stored, change: (now: Json) => Json): Stored {
  const { type, subresource } = call;
  const seen = subresource === 'scale' ? scaleOf(type, old) : old;
  const asked = change(seen);
  checkIdentity(call, old, asked);
  return prepareNext(call, old, subresource === 'scale' ? scaled(type, old, asked) : asked);
}

function checkIdentity({ type }: Call, old: Stored, asked: Json): void {
  const resourceVersion = textAt(asked, 'metadata', 'resourceVersion');
  const uid = textAt(asked, 'metadata', 'uid');
  if (uid !== '' && uid !== old.metadata.uid)
    throw conflict(
      type,
      old.metadata.name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`,
    );
  if (resourceVersion !== '' && resourceVersion !== old.metadata.resourceVersion)
    throw modified(type, old.metadata.name);
}

function shown(call: Call, object: Stored, code: number): Answer {
  const text =
    call.subresource === 'scale' ? JSON.stringify(scaleOf(call.type, object)) : objectText(viewOf(call), object);
  return { code, text };
}
