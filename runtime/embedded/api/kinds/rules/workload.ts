import { type Json, at, isJson, jsonAt, listAt, textAt } from '../../json.ts';
import { invalidObject, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { selects } from '../../../nodes/expression.ts';
import { labelFaults } from '../metadata.ts';
import { labelSelectorFaults } from './labelSelector.ts';
import { withTemplate } from './podDefaults.ts';
import { podSpecFaults } from './podFaults.ts';
import { daemonSetRollout, deploymentRollout, statefulSetRollout } from './rollout.ts';
import { type KindRules, eachItem, fixed, negatives, withSpec } from './rule.ts';
import { claim } from './storage.ts';

const template = 'spec.template.spec';

/** What is wrong with the template of a workload's pods. */
export function templateFaults(object: Json, policies: readonly string[] = ['Always']): readonly Cause[] {
  const policy = textAt(object, 'spec', 'template', 'spec', 'restartPolicy');
  const asked = policy === '' && policies.includes('Always') ? 'Always' : policy;
  return [
    ...labelFaults(at(object, 'spec', 'template', 'metadata', 'labels'), 'spec.template.labels'),
    ...podSpecFaults(at(object, 'spec', 'template', 'spec'), template),
    ...restartFaults(asked, policies, `${template}.restartPolicy`),
  ];
}

/** What a kind calls its empty selector, and its message for one that cannot be read. */
const words: Readonly<Record<string, { readonly empty: string; readonly broken?: string }>> = {
  Deployment: { empty: 'deployment', broken: 'invalid label selector' },
  ReplicaSet: { empty: 'deployment', broken: 'invalid label selector' },
  StatefulSet: { empty: 'statefulset', broken: '' },
  DaemonSet: { empty: 'daemonset' },
};

/** Pods that end of themselves must be told how, all others are always started again. */
export function restartFaults(policy: string, policies: readonly string[], path: string): readonly Cause[] {
  if (policies.includes(policy)) return [];
  const isEnding = !policies.includes('Always') && (policy === 'Always' || policy === '');
  if (!isEnding) return [notSupported(path, policy, policies)];
  return [required(path, `valid values: ${policies.map((one) => JSON.stringify(one)).join(', ')}`)];
}

/** A workload selects the pods that it makes. */
function selectorFaults(object: Json): readonly Cause[] {
  const field = 'spec.selector';
  const selector = at(object, 'spec', 'selector');
  const labels = jsonAt(object, 'spec', 'template', 'metadata', 'labels');
  if (!isJson(selector)) return [required(field), unmatched(labels)];
  const { empty, broken } = words[textAt(object, 'kind')] ?? { empty: '' };
  if ([...Object.keys(jsonAt(selector, 'matchLabels')), ...listAt(selector, 'matchExpressions')].length === 0)
    return [invalidObject(field, selector, `empty selector is invalid for ${empty}`)];
  const faults = labelSelectorFaults(selector, field);
  if (faults.length > 0) return [...faults, ...(broken === undefined ? [] : [invalidObject(field, selector, broken)])];
  return selects(selector, labels) ? [] : [unmatched(labels)];
}

const unmatched = (labels: Json) =>
  invalidObject('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');

const fixedSelector: NonNullable<KindRules['faults']> = (object, old) =>
  fixed('spec', 'selector')(object, old).map(({ field }) =>
    invalidObject(field, at(object, 'spec', 'selector') ?? null, 'field is immutable'),
  );

const faults: NonNullable<KindRules['faults']> = (object, old) => [
  ...negatives(at(object, 'spec'), 'spec', [
    'replicas',
    'minReadySeconds',
    'revisionHistoryLimit',
    'progressDeadlineSeconds',
  ]),
  ...selectorFaults(object),
  ...templateFaults(object),
  ...fixedSelector(object, old),
];

const rolling = (object: Json, field: string, defaults: Json): Json => {
  const strategy = { type: 'RollingUpdate', ...jsonAt(object, 'spec', field) };
  const rollingUpdate = { ...defaults, ...jsonAt(strategy, 'rollingUpdate') };
  const whole = strategy.type === 'RollingUpdate' ? { ...strategy, rollingUpdate } : strategy;
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
  faults: (object, old) => [...faults(object, old), ...deploymentRollout(object)],
};

export const replicaSet: KindRules = { fill: (object) => withTemplate(withSpec(object, { replicas: 1 })), faults };

export const statefulSet: KindRules = {
  fill: (object) => {
    const retention = { whenDeleted: 'Retain', whenScaled: 'Retain' };
    const filled = withSpec(object, { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' });
    const kept = { ...retention, ...jsonAt(filled, 'spec', 'persistentVolumeClaimRetentionPolicy') };
    const spec = {
      ...jsonAt(filled, 'spec'),
      persistentVolumeClaimRetentionPolicy: kept,
      ...eachItem(jsonAt(filled, 'spec'), 'volumeClaimTemplates', (one) => ({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        ...claim.fill(one),
      })),
    };
    return withTemplate(rolling({ ...filled, spec }, 'updateStrategy', { partition: 0 }));
  },
  faults: (object, old) => [
    ...faults(object, undefined),
    ...statefulSetRollout(object),
    ...(old &&
    ['serviceName', 'selector', 'podManagementPolicy', 'volumeClaimTemplates'].some(
      (name) => fixed('spec', name)(object, old).length > 0,
    )
      ? [statefulChange]
      : []),
  ],
};

const statefulChange: Cause = {
  field: 'spec',
  reason: 'FieldValueForbidden',
  message:
    "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
};

export const daemonSet: KindRules = {
  fill: (object) =>
    withTemplate(
      rolling(withSpec(object, { revisionHistoryLimit: 10 }), 'updateStrategy', { maxSurge: 0, maxUnavailable: 1 }),
    ),
  faults: (object, old) => [...faults(object, old), ...daemonSetRollout(object)],
};

export const replicationController: KindRules = {
  fill: (object) => {
    const labels = at(object, 'spec', 'template', 'metadata', 'labels');
    return withTemplate(withSpec(object, { replicas: 1, ...(isJson(labels) && { selector: labels }) }));
  },
  faults: (object) => {
    const selector = jsonAt(object, 'spec', 'selector');
    const labels = jsonAt(object, 'spec', 'template', 'metadata', 'labels');
    const fits = Object.entries(selector).every(([key, value]) => labels[key] === value);
    return [
      ...negatives(at(object, 'spec'), 'spec', ['replicas', 'minReadySeconds']),
      ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
      ...(fits ? [] : [unmatched(labels)]),
      ...templateFaults(object),
    ];
  },
};
