import { at, listAt, textAt } from '../../json.ts';
import { forbiddenField, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { labelFaults, labelValueWhys } from '../metadata.ts';
import { qualifiedNameWhys } from '../qualifiedName.ts';

/** What is wrong with a LabelSelector; nothing where there is none. */
export const labelSelectorFaults = (selector: unknown, field: string): readonly Cause[] => [
  ...labelFaults(at(selector, 'matchLabels'), `${field}.matchLabels`),
  ...listAt(selector, 'matchExpressions').flatMap((one, index) =>
    requirementFaults(one, `${field}.matchExpressions[${index}]`),
  ),
];

function requirementFaults(requirement: unknown, field: string): readonly Cause[] {
  const key = textAt(requirement, 'key');
  return [
    ...operatorFaults(textAt(requirement, 'operator'), listAt(requirement, 'values'), field),
    ...qualifiedNameWhys(key).map((why) => invalidValue(`${field}.key`, key, why)),
    ...listAt(requirement, 'values').flatMap((value, index) =>
      labelValueWhys(value).map((why) => invalidValue(`${field}.values[${index}]`, value, why)),
    ),
  ];
}

function operatorFaults(operator: string, values: readonly unknown[], field: string): readonly Cause[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length === 0
        ? [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
        : [];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}
