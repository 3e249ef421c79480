import { type Json, at, jsonAt, listAt, same, textAt } from '../../json.ts';
import { timestamp } from '../../store/objects.ts';

/** Whether the status of a definition says that something holds. */
export const hasCondition = (definition: unknown, type: string): boolean =>
  listAt(definition, 'status', 'conditions').some(
    (one) => textAt(one, 'type') === type && textAt(one, 'status') === 'True',
  );

/** Whether objects of a definition can be asked for; one that was established once stays so under the names it had. */
export const isServed = (definition: unknown): boolean => hasCondition(definition, 'Established');

/** Names of resources are taken apart from names of kinds. */
const singleNames = [
  { field: 'plural', reason: 'PluralConflict', ofKinds: false },
  { field: 'singular', reason: 'SingularConflict', ofKinds: false },
  { field: 'shortNames', reason: 'ShortNamesConflict', ofKinds: false },
  { field: 'kind', reason: 'KindConflict', ofKinds: true },
  { field: 'listKind', reason: 'ListKindConflict', ofKinds: true },
] as const;

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/**
 * A definition whose status says which of the names it wants are its own, given the other definitions of its group; the
 * very same one where the status says so already.
 */
export function withAcceptedNames(definition: Json, others: readonly Json[]): Json {
  const wanted = jsonAt(definition, 'spec', 'names');
  const own = jsonAt(definition, 'status', 'acceptedNames');
  const taken = takenBy([definition, ...others]);
  const names: Record<string, unknown> = { plural: '', kind: '', ...own };
  let conflict: Conflict | null = null;
  for (const { field, reason, ofKinds } of singleNames) {
    const why = conflictOf(wanted[field], own[field], ofKinds ? taken.kinds : taken.resources);
    // The last one found is reported.
    if (why === null) names[field] = wanted[field];
    else conflict = { reason, message: why };
  }
  names['categories'] = wanted['categories'];
  const status = {
    ...jsonAt(definition, 'status'),
    acceptedNames: names,
    conditions: conditions(definition, conflict),
  };
  return same(status, definition['status']) ? definition : { ...definition, status };
}

interface Taken {
  readonly resources: ReadonlySet<unknown>;
  readonly kinds: ReadonlySet<unknown>;
}

function takenBy(definitions: readonly Json[]): Taken {
  const names = definitions.map((one) => jsonAt(one, 'status', 'acceptedNames'));
  return {
    resources: new Set(names.flatMap((one) => [one['plural'], one['singular'], ...listAt(one, 'shortNames')])),
    kinds: new Set(names.flatMap((one) => [one['kind'], one['listKind']])),
  };
}

function conflictOf(wanted: unknown, own: unknown, taken: ReadonlySet<unknown>): string | null {
  if (same(wanted, own) || wanted === undefined) return null;
  const before = listAt({ own }, 'own');
  const asked = Array.isArray(wanted) ? wanted.filter((one) => !before.includes(one)) : [wanted];
  const faults = [...new Set(asked.filter((one) => taken.has(one)))].map((one) => `"${String(one)}" is already in use`);
  if (faults.length === 0) return null;
  return faults.length === 1 ? String(faults[0]) : `[${faults.join(', ')}]`;
}

function conditions(definition: Json, conflict: Conflict | null): readonly unknown[] {
  const before = listAt(definition, 'status', 'conditions');
  const established = before.find((one) => at(one, 'type') === 'Established');
  const accepted = { type: 'NamesAccepted', status: conflict === null ? 'True' : 'False', ...(conflict ?? noConflict) };
  const isNew = !hasCondition(definition, 'Established');
  return [
    accepted,
    isNew && conflict === null ? initial : (established ?? notAccepted),
    ...before.filter((one) => at(one, 'type') !== 'Established' && at(one, 'type') !== 'NamesAccepted'),
  ].map((one) => sinceBefore(one, before));
}

const noConflict: Conflict = { reason: 'NoConflicts', message: 'no conflicts found' };
const initial = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const notAccepted = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

/** A condition keeps the time of its last transition until its status is another one. */
function sinceBefore(condition: unknown, before: readonly unknown[]): unknown {
  const type = at(condition, 'type');
  const last = before.find((one) => at(one, 'type') === type);
  const isSame = last !== undefined && at(last, 'status') === at(condition, 'status');
  return {
    ...jsonAt({ condition }, 'condition'),
    lastTransitionTime: isSame ? at(last, 'lastTransitionTime') : timestamp(),
  };
}
