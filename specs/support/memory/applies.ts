import type { KubeObject } from '../../../crds/kind.ts';
import { program } from '../../../crds/names.ts';
import type { Call } from '../../../runtime/embedded/api/call.ts';
import { type Json, isJson, listAt } from '../../../runtime/embedded/api/json.ts';
import { checkIdentity, checkPlace } from '../../../runtime/embedded/api/kinds/identity.ts';
import { prepareNext } from '../../../runtime/embedded/api/kinds/prepare.ts';
import type { ResourceType } from '../../../runtime/embedded/api/kinds/type.ts';
import {
  managedFieldsOf,
  settled,
  tracked,
  withManagedFields,
} from '../../../runtime/embedded/api/managedFields/fieldManager.ts';
import { applyPatch } from '../../../runtime/embedded/api/patch/apply.ts';
import { finish } from '../../../runtime/embedded/api/steps.ts';
import type { Place, Stored } from '../../../runtime/embedded/store.ts';
import type { ApplyOver } from '../../../runtime/services/cluster/cluster.ts';
import { appliedOver } from '../../../runtime/services/kube/cluster.ts';
import { callOf, checkAdmitted } from './types.ts';

const applying = { fieldManager: program, force: 'true' };

/** One apply as the embedded API server works it out: the object that it makes, and what it makes of one. */
export function applyOf(type: ResourceType, object: KubeObject, over: ApplyOver, now: string) {
  const call = callOf(type, null, applying);
  const given = JSON.parse(JSON.stringify(appliedOver(object, over))) as Json;
  return {
    made: ({ name }: Place): Json => {
      const steps = applyPatch({ ...call, name }, given).create?.();
      return timed(steps ? finish(steps) : {}, {}, now);
    },
    next: (place: Place, old: Stored): Stored => {
      const asked = finish(applyPatch({ ...call, name: place.name }, given).apply(old, old));
      checkPlace(place, asked);
      checkIdentity(type, old, asked);
      const next = settled(old, prepareNext(call, old, asked));
      checkAdmitted(type, next, old);
      return timed(next, old, now);
    },
  };
}

/** An update with the managers it leaves. Who wrote what is followed only of objects that somebody applied. */
export function followed(call: Call, old: Stored, { next, asked }: Updated, now: string): Stored {
  if (next === old) return old;
  const known = managedFieldsOf(old);
  const kept = withManagedFields(next, known);
  return known === undefined ? kept : timed(tracked(call, old, kept, asked), old, now);
}

/** What was asked for, and what its kind makes of it. */
interface Updated {
  readonly asked: Json;
  readonly next: Stored;
}

/** The object with the times of this cluster in place of those of the machine. */
function timed<O extends Json>(object: O, old: Json, now: string): O {
  const known = listAt(old, 'metadata', 'managedFields').map((entry) => (isJson(entry) ? entry['time'] : null));
  const entries = listAt(object, 'metadata', 'managedFields');
  if (entries.every((entry) => isJson(entry) && known.includes(entry['time']))) return object;
  return withManagedFields(
    object,
    entries.map((entry) => (isJson(entry) && !known.includes(entry['time']) ? { ...entry, time: now } : entry)),
  );
}
