import { randomUUID } from 'node:crypto';
import type { Place, Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import { withServiceAccount } from '../authentication/podAccount.ts';
import { checkAllowed } from '../authorization/caller.ts';
import { checkEscalation } from '../authorization/escalation.ts';
import { receive } from '../body.ts';
import { type Call, isDryRun, placeOf } from '../call.ts';
import { generatedName } from '../generatedName.ts';
import { type Json, jsonAt, textAt, without, wordOf } from '../json.ts';
import { definitions } from '../kinds/builtIn.ts';
import { withNames } from '../kinds/declared/keepNames.ts';
import { checkIdentity, checkPlace, checkRegistered, checkSameUid, checkUnversioned } from '../kinds/identity.ts';
import { prepareNew, prepareNext } from '../kinds/prepare.ts';
import { inBody, readBuiltIn } from '../kinds/readable.ts';
import { checkScale, scaleOf, scaled } from '../kinds/scale.ts';
import { groupVersion } from '../kinds/type.ts';
import { fromStored, inStorage, storedTypeOf, toStored } from '../kinds/versions.ts';
import { managedFieldsOf, settled, tracked, trackedNew, withManagedFields } from '../managedFields/fieldManager.ts';
import { checkOptions } from '../managedFields/manager.ts';
import { isLong } from '../pace.ts';
import { parsePatch } from '../patch/patch.ts';
import { alreadyExists, badRequest, forbidden, methodNotAllowed, notFound } from '../status.ts';
import { type Steps, finish, finishPaced } from '../steps.ts';
import { admitted, checkChange } from '../admission/plugins.ts';
import { withAddresses } from '../services/addresses.ts';
import { assembled } from '../store/assembled.ts';
import { born, changed } from '../store/objects.ts';
import { admitNew, admitNext } from './admit.ts';
import { decodedBody } from './decode.ts';
import { shownText } from './read.ts';
import type { Patch } from '../patch/kind.ts';

/** Stores a new object. */
export async function createObject(call: Call): Promise<Answer> {
  const { type, name, subresource } = call;
  if ((name !== null && type.custom === undefined) || subresource !== null) throw methodNotAllowed();
  checkOptions(call, false);
  const asked = { ...call, name: null };
  const object = await bodyOf(asked);
  if (type.custom?.isEnding)
    throw forbidden(
      type,
      textAt(object, 'metadata', 'name'),
      'create not allowed while custom resource definition is terminating',
    );
  return shown(asked, await storeNew(asStored(asked), nameOf(object), object, trackedNew), 201);
}

/** Empty for an object without a name, which is then refused with whatever else is wrong with it. */
function nameOf(object: Json): string {
  const name = textAt(object, 'metadata', 'name');
  if (name !== '') return name;
  const prefix = textAt(object, 'metadata', 'generateName');
  return prefix === '' ? '' : generatedName(prefix);
}

/** Metadata that a new object cannot bring along. */
const notGiven = ['resourceVersion', 'selfLink', 'deletionGracePeriodSeconds'];

/** Says who manages what of a new object, given how it was asked for. */
type Tracking = (call: Call, object: Json, asked: Json) => Json;
/** An apply has said it already. */
const alreadyTracked: Tracking = (_, object) => object;

async function storeNew(call: Call, name: string, object: Json, tracking: Tracking): Promise<Stored> {
  const { store, type } = call;
  const namespace = namespaceOf(call, object, name);
  const place: Place = { bucket: type.bucket, namespace, name };
  const metadata = assembled(without(jsonAt(object, 'metadata'), ...notGiven), { name, uid: randomUUID() });
  const named = assembled(object, { metadata });
  const isPod = type.bucket === '/pods';
  // What the cluster adds belongs to nobody.
  const given = tracking(call, prepareNew(call, named), object);
  const prepared = admitted(store, isPod ? await withServiceAccount(store, namespace, given) : given);
  checkEscalation(call, prepared, undefined);
  admitNew(call, object, prepared);
  if (!isDryRun(call) && call.name === null) checkUnversioned(object);
  const create = isDryRun(call) ? createDry(call, place) : (made: Json) => store.create(place, made);
  const kept = inStorage(type, prepared);
  return completing(call, (completed) => create(completed(kept, undefined)));
}

/** Gives an object at its write what must not be given to two. */
type Completed = (object: Json, old: Stored | undefined) => Json;
const asItIs: Completed = (object) => object;

function completing<T>({ store, type }: Call, write: (completed: Completed) => Promise<T>): Promise<T> {
  if (type.bucket === '/services') return withAddresses(store, write);
  return type.bucket === definitions ? withNames(store, write) : write(asItIs);
}

/** What was not stored has no version. */
function unversioned(object: Stored): Stored {
  const metadata = without({ ...object.metadata }, 'resourceVersion');
  return { ...object, metadata } as unknown as Stored;
}

const createDry =
  ({ store, type }: Call, place: Place) =>
  async (made: Json): Promise<Stored> => {
    if (store.get(place)) throw alreadyExists(type, place.name);
    return unversioned(born(place, made, 0));
  };

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
  return ofType(call, await decodedBody(call));
}

function ofType(call: Call, object: Json): Json {
  const { type, subresource } = call;
  if (subresource === 'scale') return object;
  const wanted = { apiVersion: groupVersion(type), kind: type.kind };
  const found: Json = 'apiVersion' in object && 'kind' in object ? object : { ...wanted, ...object };
  if (type.custom === undefined) checkRegistered(call, found);
  const { apiVersion } = found;
  if (apiVersion !== wanted.apiVersion)
    throw badRequest(
      `the API version in the data (${wordOf(apiVersion)}) does not match the expected API version (${wanted.apiVersion})`,
    );
  return toStored(type, storedTypeOf(type) === type ? found : readBuiltIn(call, found, inBody(type)));
}

/** The call as one to the version that is stored. */
function asStored(call: Call): Call {
  const type = storedTypeOf(call.type);
  return type === call.type ? call : { ...call, type };
}

/** Replaces an object, or the part of it that a subresource is. */
export async function replaceObject(call: Call): Promise<Answer> {
  checkOptions(call, false);
  const object = await bodyOf(call);
  const place = placeOf(call);
  checkPlace(place, object);
  if (call.type.createdByPut && call.subresource === null && !call.store.get(place)) return putNew(call, object);
  return save(call, {
    *apply(_, old) {
      checkSameUid(call, old.metadata, object);
      yield;
      return object;
    },
  });
}

async function putNew(call: Call, object: Json): Promise<Answer> {
  const { group, plural } = call.type;
  const { name, namespace } = placeOf(call);
  const to = { verb: 'create', group, resource: plural, subresource: '', namespace, name };
  checkAllowed(call.caller, { is: 'resource', ...to });
  checkSameUid(call, { name, namespace, uid: '' }, object);
  return shown(call, await storeNew(asStored(call), name, object, trackedNew), 201);
}

/** Changes an object by a patch of any of the known types; only an apply may create it. */
export async function patchObject(call: Call): Promise<Answer> {
  const patch = parsePatch(call, await receive(call));
  await call.pace.next(call.request);
  if (patch.create && call.subresource === null && !call.store.get(placeOf(call))) return applyNew(call, patch.create);
  return save(call, patch);
}

async function applyNew(call: Call, create: NonNullable<Patch['create']>): Promise<Answer> {
  const place = placeOf(call);
  const object = ofType(asStored(call), await finishPaced(create(), () => call.pace.next(call.request)));
  checkPlace(place, object);
  await call.pace.next(call.request);
  return shown(call, await storeNew(asStored(call), place.name, object, alreadyTracked), 201);
}

async function save(call: Call, change: Patch): Promise<Answer> {
  const place = placeOf(call);
  const { type } = call;
  const work = workedOut((stored) => nextOf(call, type.custom ? fromStored(type, stored) : stored, change));
  const stored = call.store.get(place);
  if (stored && isLong(call.request)) await work.ahead(stored, () => call.pace.next(call.request));
  const update = isDryRun(call)
    ? updateDry(call, place)
    : (change: (stored: Stored) => Stored) => call.store.update(place, change);
  const object = completing(call, (completed) =>
    update((stored) => {
      const { old, next } = work.now(stored);
      checkChange(call.store, old, next);
      admitNext(call, old, next);
      const made = inStorage(type, next);
      return made === stored ? stored : (completed(made, stored) as Stored);
    }),
  );
  return shown(call, await object, 200);
}

/** What is worked out ahead of a write holds as long as nobody else writes the object. */
function workedOut<A>(work: (stored: Stored) => Steps<A>) {
  let last: { readonly stored: Stored; readonly made: A } | null = null;
  return {
    now(stored: Stored): A {
      if (last?.stored !== stored) last = { stored, made: finish(work(stored)) };
      return last.made;
    },
    async ahead(stored: Stored, pause: () => Promise<void>): Promise<void> {
      last = { stored, made: await finishPaced(work(stored), pause) };
    },
  };
}

const updateDry =
  ({ store, type }: Call, place: Place) =>
  async (next: (old: Stored) => Stored): Promise<Stored> => {
    const old = store.get(place);
    if (!old) throw notFound(type, place.name);
    return changed(old, next(old), Number(old.metadata.resourceVersion));
  };

interface Next {
  readonly old: Stored;
  readonly next: Stored;
}

function* nextOf(call: Call, old: Stored, change: Patch): Steps<Next> {
  const asked = yield* call.subresource === 'scale' ? scaledTo(call, old, change) : changedTo(call, old, change);
  yield;
  const within = asStored(call);
  const next = prepareNext(within, old, change.isApply ? asked : withManagedFields(asked, managedFieldsOf(old)));
  checkEscalation(call, next, old);
  yield;
  return { old, next: change.isApply ? settled(old, next) : tracked(within, old, next, asked) };
}

function* changedTo(call: Call, old: Stored, change: Patch): Steps<Json> {
  const { type } = call;
  const isOther = storedTypeOf(type) !== type && !change.isApply;
  const applied = yield* change.apply(isOther ? fromStored(type, old) : old, old);
  const asked = isOther ? toStored(type, applied) : applied;
  checkPlace(placeOf(call), asked);
  checkIdentity(call.type, old, asked);
  return asked;
}

function* scaledTo(call: Call, old: Stored, change: Patch): Steps<Json> {
  const { type } = call;
  const asked = yield* change.apply(scaleOf(type, old), old);
  checkScale(asked, old.metadata.name);
  const { custom: _, ...scale } = type;
  checkPlace(placeOf(call), asked);
  checkIdentity(scale, old, asked);
  const object = scaled(type, old, asked);
  return change.isApply ? withManagedFields(object, managedFieldsOf(asked)) : object;
}

const shown = (call: Call, object: Stored, code: number): Answer => ({ code, text: shownText(call, object) });
