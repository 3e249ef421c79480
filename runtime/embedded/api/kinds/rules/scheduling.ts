import type { Stored } from '../../../store.ts';
import { type Json, at, jsonAt, same, textAt, wordOf } from '../../json.ts';
import { forbiddenField, invalidObject, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { systemClasses } from '../systemPriorityClasses.ts';
import { type KindRules, fixed, negatives } from './rule.ts';

const highestOfUsers = 1_000_000_000;

function classFaults(object: Json, old: Stored | undefined): readonly Cause[] {
  const name = textAt(object, 'metadata', 'name');
  const value = at(object, 'value');
  if (value === undefined) return [required('value')];
  if (old && !same(value, at(old, 'value'))) return [forbiddenField('value', 'may not be changed in an update.')];
  if (name.startsWith('system-'))
    return systemClasses.some((one) => one.name === name && one.value === value)
      ? []
      : [
          forbiddenField(
            'metadata.name',
            `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
          ),
        ];
  return typeof value === 'number' && value > highestOfUsers
    ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${highestOfUsers}`)]
    : [];
}

export const priorityClass: KindRules = {
  fill: (object) => ({ preemptionPolicy: 'PreemptLowerPriority', ...object }),
  faults: (object, old) => [...classFaults(object, old), ...fixed('preemptionPolicy')(object, old)],
};

const bounds = ['minAvailable', 'maxUnavailable'];

function percentFaults(spec: Json): readonly Cause[] {
  return bounds.flatMap((name) => {
    const [, percent] = /^(\d+)%$/.exec(wordOf(spec[name] ?? '')) ?? [];
    return Number(percent ?? 0) > 100
      ? [invalidValue(`spec.${name}`, spec[name], 'must not be greater than 100%')]
      : [];
  });
}

/** The spec as the API shows it whole, by the names that it has inside. */
const shown = (spec: Json) => ({
  MinAvailable: spec['minAvailable'] ?? null,
  Selector: spec['selector'] ?? null,
  MaxUnavailable: spec['maxUnavailable'] ?? null,
  UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
});

export const disruptionBudget: KindRules = {
  fill: (object) => ({ ...object, status: { ...jsonAt(object, 'status') } }),
  faults: (object) => {
    const spec = jsonAt(object, 'spec');
    return [
      ...(bounds.every((name) => spec[name] !== undefined)
        ? [invalidObject('spec', shown(spec), 'minAvailable and maxUnavailable cannot be both set')]
        : []),
      ...negatives(spec, 'spec', bounds),
      ...percentFaults(spec),
    ];
  },
};
