import { type Json, at, isJson, jsonAt, listAt, textAt } from '../../json.ts';
import { invalidObject, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { selects } from '../../../nodes/expression.ts';
import { labelSelectorFaults } from './labelSelector.ts';
import { withTemplate } from './podDefaults.ts';
import { endlessFaults } from './podTemplate.ts';
import { daemonSetRollout, deploymentRollout } from './rollout.ts';
import { type KindRules, defaulted, fixed, negatives, withLabels, withSpec } from './rule.ts';

/** What a kind calls its empty selector, and its message for one that cannot be read. */
const words: Readonly<Record<string, { readonly empty: string; readonly broken?: string }>> = {
  Deployment: { empty: 'deployment', broken: 'invalid label selector' },
  ReplicaSet: { empty: 'deployment', broken: 'invalid label selector' },
  StatefulSet: { empty: 'statefulset', broken: '' },
  DaemonSet: { empty: 'daemonset' },
};

/** A workload selects the pods that it makes. */
export function selectorFaults(object: Json): readonly Cause[] {
  const field = 'spec.selector';
  const selector = at(object, 'spec', 'selector');
  const labels = jsonAt(object, 'spec', 'template', 'metadata', 'labels');
  if (!isJson(selector))
    return [...(textAt(object, 'kind') === 'DaemonSet' ? [] : [required(field)]), unmatched(labels)];
  const { empty, broken } = words[textAt(object, 'kind')] ?? { empty: '' };
  if ([...Object.keys(jsonAt(selector, 'matchLabels')), ...listAt(selector, 'matchExpressions')].length === 0)
    return [invalidObject(field, selector, `empty selector is invalid for ${empty}`)];
  const faults = labelSelectorFaults(selector, field);
  if (faults.length > 0) return [...faults, ...(broken === undefined ? [] : [invalidObject(field, selector, broken)])];
  return selects(selector, labels) ? [] : [unmatched(labels)];
}

const unmatched = (labels: Json) =>
  invalidObject(
    'spec.template.metadata.labels',
    Object.keys(labels).length === 0 ? null : labels,
    '`selector` does not match template `labels`',
  );

const fixedSelector: NonNullable<KindRules['faults']> = (object, old) =>
  fixed('spec', 'selector')(object, old).map(({ field }) =>
    invalidObject(field, at(object, 'spec', 'selector') ?? null, 'field is immutable'),
  );

const counted = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'];

/** What is wrong with a workload that the API calls by a name where its pods must not end. */
const faultsOf =
  (controller: string): NonNullable<KindRules['faults']> =>
  (object, old) => [
    ...negatives(at(object, 'spec'), 'spec', counted),
    ...selectorFaults(object),
    ...endlessFaults(at(object, 'spec', 'template'), 'spec.template', controller),
    ...fixedSelector(object, old),
  ];

const setFaults = faultsOf('ReplicaSet');
const daemonFaults = faultsOf('DaemonSet');

/** A workload with the defaults of how it replaces its pods. */
export const rolling = (object: Json, field: string, defaults: Json): Json => {
  const strategy = defaulted(jsonAt(object, 'spec', field), { type: 'RollingUpdate' });
  const rollingUpdate = { ...defaults, ...jsonAt(strategy, 'rollingUpdate') };
  const whole = strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate } : strategy;
  return { ...object, spec: { ...jsonAt(object, 'spec'), [field]: whole } };
};

/** How a Deployment may roll out: one of the two ways, and never with room for no pod at all. */
export const deployment: KindRules = {
  fill: (object) =>
    withTemplate(
      rolling(withSpec(object, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }), 'strategy', {
        maxUnavailable: '25%',
        maxSurge: '25%',
      }),
    ),
  faults: (object, old) => [...setFaults(object, old), ...deploymentRollout(object)],
};

export const replicaSet: KindRules = {
  fill: (object) => withTemplate(withSpec(object, { replicas: 1 })),
  faults: setFaults,
};

export const daemonSet: KindRules = {
  fill: (object) =>
    withTemplate(
      rolling(withSpec(object, { revisionHistoryLimit: 10 }), 'updateStrategy', { maxSurge: 0, maxUnavailable: 1 }),
    ),
  faults: (object, old) => [...daemonFaults(object, old), ...daemonSetRollout(object)],
};

export const replicationController: KindRules = {
  fill: (object) => {
    const labels = at(object, 'spec', 'template', 'metadata', 'labels');
    const filled = withSpec(object, { replicas: 1, ...(isJson(labels) && { selector: labels }) });
    return withTemplate(withLabels(filled, isJson(labels) ? labels : {}));
  },
  faults: (object) => {
    const selector = jsonAt(object, 'spec', 'selector');
    const labels = jsonAt(object, 'spec', 'template', 'metadata', 'labels');
    const fits = Object.entries(selector).every(([key, value]) => labels[key] === value);
    return [
      ...negatives(at(object, 'spec'), 'spec', ['replicas', 'minReadySeconds']),
      ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
      ...(fits ? [] : [unmatched(labels)]),
      ...endlessFaults(at(object, 'spec', 'template'), 'spec.template', 'ReplicationController'),
    ];
  },
};
