import { type Json, jsonAt, textAt } from '../../json.ts';
import { invalidObject, notSupported } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { intOrPercentFaults, overWholeFaults } from './intOrPercent.ts';
import { labelSelectorFaults } from './labelSelector.ts';
import type { KindRules } from './rule.ts';

const policies = ['AlwaysAllow', 'IfHealthyBudget'];

/** The spec as the API shows it whole, by the names that it has inside. */
const shown = (spec: Json) => ({
  MinAvailable: spec['minAvailable'] ?? null,
  Selector: spec['selector'] ?? null,
  MaxUnavailable: spec['maxUnavailable'] ?? null,
  UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
});

function budgetFaults(budget: Json): readonly Cause[] {
  const spec = jsonAt(budget, 'spec');
  const policy = spec['unhealthyPodEvictionPolicy'];
  const isBoth = spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined;
  return [
    ...(isBoth ? [invalidObject('spec', shown(spec), 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((name) => [
      ...intOrPercentFaults(spec[name], `spec.${name}`),
      ...overWholeFaults(spec[name], `spec.${name}`),
    ]),
    ...labelSelectorFaults(spec['selector'], 'spec.selector'),
    ...(policy === undefined || policies.includes(textAt(spec, 'unhealthyPodEvictionPolicy'))
      ? []
      : [notSupported('spec.unhealthyPodEvictionPolicy', policy, policies)]),
  ];
}

export const disruptionBudget: KindRules = {
  faults: budgetFaults,
};
