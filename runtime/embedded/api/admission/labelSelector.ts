import { type Json, listAt, textAt } from '../json.ts';

type Labels = Readonly<Record<string, unknown>>;
type Holds = (labels: Labels) => boolean;

const operators: Readonly<Record<string, (value: unknown, values: readonly unknown[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

/** The operators that a requirement of a label selector may have. */
export const selectorOperators: readonly string[] = Object.keys(operators);

/** A LabelSelector ready to be asked; null where it selects everything. */
export function labelSelector(selector: Json): Holds | null {
  const labels = Object.entries((selector['matchLabels'] ?? {}) as Labels);
  const expressions = listAt(selector, 'matchExpressions');
  if (labels.length === 0 && expressions.length === 0) return null;
  return (found) =>
    labels.every(([key, value]) => found[key] === value) && expressions.every((one) => requirementHolds(one, found));
}

function requirementHolds(requirement: unknown, labels: Labels): boolean {
  const holds = operators[textAt(requirement, 'operator')];
  return holds !== undefined && holds(labels[textAt(requirement, 'key')], listAt(requirement, 'values'));
}
