import type { Call } from '../call.ts';
import type { Json } from '../json.ts';
import { type Entry, decodeEntries, encodeEntries, isSameManager } from './entries.ts';
import { managedFieldsOf, replicasSet, withManagedFields } from './fieldManager.ts';
import { difference, intersection, isEmpty, setOf, union } from './fieldSet.ts';
import { servedEntries } from './manager.ts';
import type { Applied, Write } from './ownership.ts';
import { fieldStep } from './step.ts';

const replicas = setOf([fieldStep('spec'), fieldStep('replicas')]);

export interface ScaleApply {
  readonly call: Call;
  readonly write: Write;
  readonly given: Json;
  readonly scale: Json;
}

/** Applies to the scale of an object: whoever has the replicas of the object has those of its scale. */
export function applyToScale(
  { call, write, scale }: ScaleApply,
  stored: Json,
  resolve: (owners: readonly Entry[]) => Applied,
): Json {
  const path = replicasSet(call);
  const owners = servedEntries(call, decodeEntries(managedFieldsOf(stored)) ?? []);
  const ofScale = owners
    .filter(({ fields }) => !isEmpty(intersection(fields, path)))
    .map((entry) => ({ ...entry, fields: replicas }));
  const { object, owners: left } = resolve(ofScale);
  const kept = owners.map((entry) =>
    left.some((one) => isSameManager(one, entry)) ? entry : { ...entry, fields: difference(entry.fields, path) },
  );
  const own = owners.find((entry) => isSameManager(entry, write.manager));
  const { time: _, ...untimed } = { ...write.manager, time: '', ...own, fields: path };
  const applied: Entry = {
    ...untimed,
    ...(own?.time !== undefined && { time: own.time }),
    fields: union(path, own?.fields ?? path),
  };
  const others = kept.filter((entry) => !isSameManager(entry, write.manager));
  const gives = left.some((one) => isSameManager(one, write.manager) && !isEmpty(intersection(one.fields, replicas)));
  const entries = encodeEntries(gives ? [...others, applied] : others);
  return withManagedFields({ ...scale, ...(object as Json) }, entries);
}
