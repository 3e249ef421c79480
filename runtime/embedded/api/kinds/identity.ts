import type { Stored } from '../../store.ts';
import type { Call } from '../call.ts';
import { type Json, at, textAt, wordOf } from '../json.ts';
import { invalidValue } from '../schema/cause.ts';
import { badRequest, type Cause, conflict, invalid, modified, StatusError } from '../status.ts';
import { notUint } from '../resourceVersion.ts';
import { groupVersion, type ResourceType, type Subresource } from './type.ts';

/** What of a call says which kind its object is of. */
interface Target {
  readonly type: ResourceType;
  readonly subresource: Subresource | null;
}

const scheme = 'pkg/api/legacyscheme/scheme.go:30';

/** Refuses what a patch made of an object when it can no longer be read as one of its kind. */
export function checkReadable({ type, subresource }: Target, now: Json, patched: Json): void {
  const { kind, apiVersion } = patched;
  if (type.custom && subresource !== 'scale') {
    if (textAt(patched, 'kind') === '')
      throw unreadable(patched, `Object 'Kind' is missing in '${JSON.stringify(patched)}'`);
    return;
  }
  // A built-in kind is known by its place: where a patch names none, it is that one.
  const found = { kind: kind ?? now['kind'], apiVersion: apiVersion ?? now['apiVersion'] };
  if (found.kind === now['kind'] && found.apiVersion === now['apiVersion']) return;
  throw unreadable(patched, notRegistered(found.kind, found.apiVersion));
}

/** Refuses an object that says it is of another kind than the built-in one that its place is for. */
export function checkRegistered({ type, registry }: Pick<Call, 'type' | 'registry'>, asked: Json): void {
  const { kind, apiVersion } = asked;
  if (kind === type.kind && apiVersion === groupVersion(type)) return;
  const [version = '', group = ''] = wordOf(apiVersion).split('/').toReversed();
  const isRegistered = registry
    .all()
    .some((one) => one.custom === undefined && one.kind === kind && isVersionOf(one, group, version));
  if (isRegistered && kind === type.kind) return;
  const why = isRegistered
    ? `converting (${version}.${wordOf(kind)}) to (${internalPackage(type)}.${type.kind}): unknown conversion`
    : notRegistered(kind, apiVersion);
  throw badRequest(`${wordOf(kind)} in version ${JSON.stringify(version)} cannot be handled as a ${type.kind}: ${why}`);
}

/** Older versions of a group are known too, though nobody is served them; the core group has but one. */
const isVersionOf = (type: ResourceType, group: string, version: string) =>
  type.group === group && (group !== '' || version === type.version);

const notRegistered = (kind: unknown, apiVersion: unknown) =>
  `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "${scheme}"`;

/** Where the version of a kind stands that no client sees. */
const internalPackage = ({ group }: ResourceType) => (group === '' ? 'core' : (group.split('.')[0] ?? ''));

const unreadable = (patched: Json, why: string) =>
  invalid('', '', '', [invalidValue('patch', JSON.stringify(patched), why)]);

/** Refuses another name or another namespace than those of the path; an object that says none has these. */
export function checkPlace(place: { readonly name: string; readonly namespace: string }, asked: Json): void {
  const namespace = textAt(asked, 'metadata', 'namespace');
  const name = textAt(asked, 'metadata', 'name');
  if (place.namespace !== '' && namespace !== '' && namespace !== place.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (name === '')
    throw badRequest(`the name of the object (${place.name} based on URL) was undeterminable: name must be provided`);
  if (name !== place.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${place.name})`);
}

/** Refuses a change over another version than the stored one, or of what an object is from its birth on. */
export function checkIdentity(type: ResourceType, now: Stored, asked: Json): void {
  checkVersion(type, now, asked);
  const faults = fixedFaults(now, asked);
  // Checked once as any object and once as its own kind.
  const causes = [...faults, ...faults, ...(type.custom ? typeFaults(now, asked) : [])];
  if (causes.length === 0) return;
  // Checked as the kind that it says it is.
  const [group = '', rest] = textAt(asked, 'apiVersion').split('/');
  const isNamed = rest !== undefined || group === '';
  throw invalid(isNamed ? group || type.group : '', textAt(asked, 'kind') || type.kind, now.metadata.name, causes);
}

function checkVersion(type: ResourceType, now: Stored, asked: Json): void {
  const version = textAt(asked, 'metadata', 'resourceVersion');
  if (version !== '' && !/^\d+$/.test(version)) throw new StatusError(500, '', notUint(version));
  const unsaid = version === '' || version === '0';
  // Most built-in kinds may be written over whatever version there is.
  if (unsaid && (type.custom || type.versioned)) throw withoutVersion(type, now.metadata.name);
  if (!unsaid && version !== now.metadata.resourceVersion) throw modified(type, now.metadata.name);
}

const withoutVersion = ({ group, plural }: ResourceType, name: string) =>
  invalid(group, plural, name, [
    {
      field: 'metadata.resourceVersion',
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
    },
  ]);

/** Refuses a new object of a declared kind that says it is another one. */
export function checkKind({ custom, group, version, kind }: ResourceType, asked: Json): void {
  if (custom === undefined) return;
  const causes = typeFaults({ apiVersion: `${group}/${version}`, kind }, asked);
  if (causes.length > 0) throw invalid(group, textAt(asked, 'kind'), textAt(asked, 'metadata', 'name'), causes);
}

/** Metadata that may be left out, but not be said otherwise. */
const ownFields = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

const fixedFaults = ({ metadata }: Stored, asked: Json): readonly Cause[] =>
  ownFields.flatMap((field) => {
    const value = at(asked, 'metadata', field);
    const isUnsaid = value === undefined || value === null || value === '';
    return isUnsaid || value === metadata[field]
      ? []
      : [invalidValue(`metadata.${field}`, value, 'field is immutable')];
  });

interface Named {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
}

const typeFaults = (now: Json, asked: Json): readonly Cause[] =>
  ['kind', 'apiVersion']
    .filter((field) => textAt(asked, field) !== textAt(now, field))
    .map((field) => invalidValue(field, textAt(asked, field), `must be ${textAt(now, field)}`));

/** Refuses to replace an object, or none whose uid is empty, by what was read of another one of its name. */
export function checkSameUid({ type }: { readonly type: ResourceType }, now: Named, asked: Json): void {
  const uid = textAt(asked, 'metadata', 'uid');
  const { name, namespace, uid: own } = now;
  if (uid === '' || uid === own) return;
  const isPlain = type.custom === undefined && type.group !== 'apiextensions.k8s.io';
  const key = ['/registry', isPlain ? '' : type.group, type.plural, namespace, name].filter((part) => part).join('/');
  throw conflict(
    type,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${own}`,
  );
}

/** Refuses a new object that says which version it has. */
export function checkUnversioned(object: Json): void {
  const version = textAt(object, 'metadata', 'resourceVersion');
  if (/^\d+$/.test(version) && !/^0+$/.test(version))
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
}
