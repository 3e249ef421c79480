import type { KubeObject } from '../../crds/kind.ts';
import { type Path, type Step } from '../../rules/owned/differences.ts';
import { isOurApply, type ManagedFields, managersOf } from '../cache/appliedFields.ts';
import { isObject } from '../../rules/json.ts';

const sorted = (key: object) => Object.fromEntries(Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The name of a step in a set of managed fields. */
const nameOf = (step: Step): string => {
  if (typeof step === 'string') return `f:${step}`;
  return typeof step === 'number' ? `i:${step}` : `k:${JSON.stringify(sorted(step.key))}`;
};

/** Whether a path, or one that contains it, is among the fields of a manager. */
function has(fields: unknown, [step, ...rest]: Path): boolean {
  if (!isObject(fields)) return false;
  if (step === undefined || Object.keys(fields).length === 0) return true;
  return nameOf(step) in fields && has(fields[nameOf(step)], rest);
}

const isLater = ({ time = '' }: ManagedFields, { time: other = '' }: ManagedFields) => time > other;

/** The managers of the fields at these paths, else the latest writer; Core's applies are ignored. */
export function managersAt(object: KubeObject, paths: readonly Path[]): string {
  const others = managersOf(object).filter((one) => !isOurApply(one) && (one.subresource ?? '') !== 'status');
  const those = others.filter(({ fieldsV1 }) => paths.some((path) => has(fieldsV1, path)));
  const latest = others.reduce<readonly ManagedFields[]>(
    ([best], one) => [best && !isLater(one, best) ? best : one],
    [],
  );
  const names = (those.length > 0 ? those : latest).map(({ manager = '' }) => JSON.stringify(manager));
  return names.length === 0 ? 'an unknown manager' : [...new Set(names)].toSorted().join(' and ');
}
