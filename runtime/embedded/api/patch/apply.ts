import { type Call, isTrue } from '../call.ts';
import { type Json, jsonAt, textAt } from '../json.ts';
import { groupVersion } from '../kinds/type.ts';
import { type FieldConflict, conflictError } from '../managedFields/conflict.ts';
import { type Entry, decodeEntries, encodeEntries } from '../managedFields/entries.ts';
import { faultsText, typeFaults } from '../managedFields/faults.ts';
import { managedFieldsOf, withManagedFields, writeOf } from '../managedFields/fieldManager.ts';
import { beyondLastApplied, kubectl, withLastApplied } from '../managedFields/lastApplied.ts';
import { servedEntries } from '../managedFields/manager.ts';
import { type Applied, type Write, afterUpdate, applySteps } from '../managedFields/ownership.ts';
import { scaleRoot } from '../managedFields/root.ts';
import { type ScaleApply, applyToScale } from '../managedFields/scale.ts';
import { withZeroParts } from '../managedFields/zero.ts';
import { StatusError, badRequest, conflict } from '../status.ts';
import { type Steps, finish } from '../steps.ts';
import type { Patch } from './kind.ts';

/** Server-side apply: fields given are set, those the same manager gave before and no longer gives are removed. */
export function applyPatch(call: Call, given: Json): Patch {
  checkType(call, given);
  const write = call.subresource === 'scale' ? { ...writeOf(call, 'Apply'), typed: scaleRoot } : writeOf(call, 'Apply');
  return {
    isApply: true,
    create: () => applied(call, write, given, { apiVersion: given['apiVersion'], kind: given['kind'] }),
    apply: (live, stored) =>
      call.subresource === 'scale'
        ? scaleSteps({ call, write, given, scale: live }, stored)
        : applied(call, write, given, live),
  };
}

function* scaleSteps(asked: ScaleApply, stored: Json): Steps<Json> {
  const { call, write, given, scale: live } = asked;
  yield;
  return applyToScale(asked, stored, (owners) => finish(resolved(call, write, { live, given, owners })));
}

function* applied(call: Call, write: Write, given: Json, live: Json): Steps<Json> {
  const before = ownersOf(call, write, live);
  yield;
  const { object, owners } = yield* resolved(call, write, { live, given, owners: before });
  yield;
  const whole = withManagedFields(object as Json, encodeEntries(owners));
  checkUid(call, live, whole);
  return write.manager.name === kubectl ? withLastApplied(whole, given) : whole;
}

/** What was there before anybody applied belongs to a manager of its own. */
function ownersOf(call: Call, write: Write, live: Json): readonly Entry[] {
  const entries = decodeEntries(managedFieldsOf(live));
  if (entries === null) throw new StatusError(500, '', 'failed to decode managed fields');
  if (entries.length > 0 || textAt(live, 'metadata', 'uid') === '') return servedEntries(call, entries);
  const before = { apiVersion: live['apiVersion'], kind: live['kind'] };
  const [from, to] = call.type.custom ? [before, live] : withZeroParts(before, live);
  const manager = { ...write.manager, name: 'before-first-apply', operation: 'Update' as const };
  return afterUpdate({ ...write, manager }, [], from, to);
}

interface Asked {
  readonly live: Json;
  readonly given: Json;
  readonly owners: readonly Entry[];
}

function* resolved(call: Call, write: Write, { live, given, owners }: Asked): Steps<Applied> {
  if (jsonAt(given, 'metadata')['managedFields'] !== undefined) throw badRequest('metadata.managedFields must be nil');
  const faults = typeFaults(write.typed, given);
  if (faults.length > 0) throw untyped(given, faults);
  yield;
  const outcome = yield* applySteps(write, owners, withManagedFields(live, []), given);
  const conflicts = isTrue(call.query.get('force')) ? [] : opposed(write, live, outcome.conflicts);
  if (conflicts.length > 0) throw conflictError(conflicts);
  return outcome;
}

const opposed = (write: Write, live: Json, conflicts: readonly FieldConflict[]) =>
  write.manager.name === kubectl ? beyondLastApplied(write.typed, live, conflicts) : conflicts;

function untyped(given: Json, faults: readonly string[]): StatusError {
  const place = `${textAt(given, 'metadata', 'namespace')}/${textAt(given, 'metadata', 'name')}`;
  return new StatusError(
    500,
    '',
    `failed to create typed patch object (${place}; ${kindText(given)}): ${faultsText(faults)}`,
  );
}

/** Group, version and kind as the API names them: `apps/v1, Kind=Deployment`. */
function kindText(object: Json): string {
  const version = textAt(object, 'apiVersion');
  return `${version.includes('/') ? version : `/${version}`}, Kind=${textAt(object, 'kind')}`;
}

function checkType({ type, subresource }: Call, given: Json): void {
  const wanted =
    subresource === 'scale'
      ? { apiVersion: 'autoscaling/v1', kind: 'Scale' }
      : { apiVersion: groupVersion(type), kind: type.kind };
  if (textAt(given, 'apiVersion') === wanted.apiVersion && textAt(given, 'kind') === wanted.kind) return;
  throw badRequest(`invalid object type: ${kindText(given)}`);
}

function checkUid({ type, name }: Call, live: Json, next: Json): void {
  const uid = textAt(next, 'metadata', 'uid');
  if (uid === '' || textAt(live, 'metadata', 'uid') !== '') return;
  throw conflict(
    type,
    name ?? '',
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}
