import type { Stored } from '../../../store.ts';
import { type Json, at, same, textAt } from '../../json.ts';
import { forbiddenField, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { systemClasses } from '../systemPriorityClasses.ts';
import { type KindRules, fixed } from './rule.ts';

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
