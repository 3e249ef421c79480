import type { Stored } from '../../store.ts';
import type { Call } from '../call.ts';
import { type Json, isJson, jsonAt, listAt, same, without } from '../json.ts';
import { replicasPath } from '../kinds/scale.ts';
import { assembled } from '../store/assembled.ts';
import { timestamp } from '../store/objects.ts';
import { capped } from './capped.ts';
import { type Entry, decodeEntries, encodeEntries, isSameManager } from './entries.ts';
import { type FieldSet, emptySet, meets, setOf } from './fieldSet.ts';
import { managerOf, servedEntries } from './manager.ts';
import { type Write, afterUpdate } from './ownership.ts';
import { rootOf } from './root.ts';
import { fieldStep } from './step.ts';
import { withZeroParts, withoutAllocated } from './zero.ts';

export const managedFieldsOf = (object: Json): unknown => jsonAt(object, 'metadata')['managedFields'];

/** The object with other entries of managers; none where there are none. */
export function withManagedFields<O extends Json>(object: O, entries: unknown): O {
  const { metadata } = object;
  const managedFields = Array.isArray(entries) && entries.length > 0 ? entries : undefined;
  if (isJson(metadata) && metadata['managedFields'] === managedFields) return object;
  const others = without(jsonAt(object, 'metadata'), 'managedFields');
  return assembled(object, { metadata: assembled(others, { managedFields }) }) as O;
}

/** The fields that a write cannot change, whatever it says of them. */
export function ignoredBy({ type, subresource }: Call): FieldSet {
  if (subresource === 'status') return setOf([fieldStep('spec')], [fieldStep('metadata')]);
  return subresource === null && type.subresources.includes('status') ? setOf([fieldStep('status')]) : emptySet;
}

export const writeOf = (call: Call, operation: 'Apply' | 'Update'): Write => ({
  typed: rootOf(call.type),
  manager: managerOf(call, operation),
  now: timestamp(),
  ignored: ignoredBy(call),
});

/** A new object with its creator as the manager of what it gave. */
export function trackedNew(call: Call, object: Json, asked: Json): Json {
  const { type } = call;
  const given = decodeEntries(managedFieldsOf(asked)) ?? [];
  const before = { apiVersion: object['apiVersion'], kind: object['kind'] };
  const after = withoutAllocated(type.kind, withManagedFields(object, []), asked);
  const owners = updated(call, servedEntries(call, given), before, after);
  return withManagedFields(object, encodeEntries(owners));
}

/** The next version of an object with the managers that its update leaves. */
export function tracked(call: Call, old: Stored, next: Stored, asked: Json): Stored {
  const owners = ownersOf(call, old, asked);
  const left = isFollowed(call, owners)
    ? updated(call, owners, withManagedFields(old, []), withManagedFields(next, []))
    : owners;
  return settled(old, withManagedFields(next, encodeEntries(left)));
}

/** Nobody is recorded of what has no manager at all: an object that never had one or lost all, replicas that nobody has. */
const isFollowed = (call: Call, owners: readonly Entry[]) =>
  call.subresource === 'scale' ? owners.some(({ fields }) => meets(fields, replicasSet(call))) : owners.length > 0;

/** What the write says of the managers, where it may and it can be read; else what was known. */
function ownersOf(call: Call, old: Stored, asked: Json): readonly Entry[] {
  const known = decodeEntries(managedFieldsOf(old)) ?? [];
  const given = call.subresource === null ? managedFieldsOf(asked) : undefined;
  if (isReset(given)) return [];
  const said = decodeEntries(given);
  return servedEntries(call, said && said.length > 0 ? said : known);
}

/** An empty list, or a list of nothing, gives all managers up. */
const isReset = (given: unknown) =>
  Array.isArray(given) &&
  (given.length === 0 || (given.length === 1 && isJson(given[0]) && Object.keys(given[0]).length === 0));

function updated(call: Call, owners: readonly Entry[], before: Json, after: Json): readonly Entry[] {
  const write = writeOf(call, 'Update');
  const [from, to] = call.type.custom ? [before, after] : withZeroParts(before, after);
  return capped(timed(call, owners, afterUpdate(write, owners, from, to)));
}

/** A change through the scale is recorded without its time where its manager is new. */
function timed({ subresource }: Call, before: readonly Entry[], after: readonly Entry[]): readonly Entry[] {
  if (subresource !== 'scale') return after;
  return after.map((entry) => {
    if (entry.subresource !== 'scale') return entry;
    const { time: _, ...untimed } = entry;
    const known = before.find((one) => isSameManager(one, entry))?.time;
    return known === undefined ? untimed : { ...untimed, time: known };
  });
}

/** The old object where nothing but times of managers would change. */
export function settled(old: Stored, next: Stored): Stored {
  const [was, is] = [listAt(old, 'metadata', 'managedFields'), listAt(next, 'metadata', 'managedFields')];
  if (was.length !== is.length || !same(withManagedFields(old, []), withManagedFields(next, []))) return next;
  return same(was.map(untimed), is.map(untimed)) ? old : next;
}

const untimed = (entry: unknown) => (isJson(entry) ? without(entry, 'time') : entry);

/** The path of the replicas in the main object of a scale. */
export const replicasSet = ({ type }: Call): FieldSet => setOf(replicasPath(type).map(fieldStep));
