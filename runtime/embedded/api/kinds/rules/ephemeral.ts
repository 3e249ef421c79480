import type { Stored } from '../../../store.ts';
import { type Json, listAt, same, textAt } from '../../json.ts';
import { duplicate, forbiddenField, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';

const field = 'spec.ephemeralContainers';
const added = (pod: unknown) => listAt(pod, 'spec', 'ephemeralContainers');

/** Ephemeral containers only ever come to a pod that is there, and stay as they came. */
export function ephemeralFaults(pod: Json, old: Stored | undefined): readonly Cause[] {
  const containers = added(pod);
  if (!old) return containers.length > 0 ? [forbiddenField(field, 'cannot be set on create')] : [];
  return [...keptFaults(containers, old), ...nameFaults(pod, containers)];
}

function keptFaults(containers: readonly unknown[], old: Stored): readonly Cause[] {
  // The first of those that share a name counts.
  const named = new Map(containers.toReversed().map((one) => [textAt(one, 'name'), one] as const));
  return added(old).flatMap((before) => {
    const name = textAt(before, 'name');
    const after = named.get(name);
    if (after !== undefined && same(after, before)) return [];
    const what = after === undefined ? 'removed' : 'changed';
    return [forbiddenField(field, `existing ephemeral containers "${name}" may not be ${what}\n`)];
  });
}

function nameFaults(pod: Json, containers: readonly unknown[]): readonly Cause[] {
  const others = ['containers', 'initContainers'].flatMap((list) => listAt(pod, 'spec', list));
  const taken = new Set(others.map((one) => textAt(one, 'name')));
  return containers.flatMap((one, index): readonly Cause[] => {
    const name = textAt(one, 'name');
    const path = `${field}[${index}].name`;
    if (name === '') return [required(path)];
    if (taken.has(name)) return [duplicate(path, name)];
    taken.add(name);
    return [];
  });
}
