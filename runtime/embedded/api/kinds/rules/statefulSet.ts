import { type Json, at, jsonAt, listAt, textAt } from '../../json.ts';
import type { Cause } from '../../status.ts';
import { labelNameFaults } from '../metadata.ts';
import { endlessFaults, withClaims } from './podTemplate.ts';
import { withTemplate } from './podDefaults.ts';
import { statefulSetRollout } from './rollout.ts';
import { type KindRules, defaulted, eachItem, fixed, negatives, withSpec } from './rule.ts';
import { claim, claimFaults } from './storage.ts';
import { rolling, selectorFaults } from './workload.ts';

export const statefulSet: KindRules = {
  fill: (object) => {
    const retention = { whenDeleted: 'Retain', whenScaled: 'Retain' };
    const filled = withSpec(object, { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' });
    const kept = defaulted(jsonAt(filled, 'spec', 'persistentVolumeClaimRetentionPolicy'), retention);
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
    ...negatives(at(object, 'spec'), 'spec', ['replicas', 'minReadySeconds']),
    ...selectorFaults(object),
    ...endlessFaults(
      withClaims(jsonAt(object, 'spec', 'template'), listAt(object, 'spec', 'volumeClaimTemplates')),
      'spec.template',
      'StatefulSet',
    ),
    ...statefulSetRollout(object),
    ...(old === undefined ? bornFaults(object) : []),
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

/** What is wrong with what never changes later: its Service and its claims. */
function bornFaults(object: Json): readonly Cause[] {
  const service = textAt(object, 'spec', 'serviceName');
  return [
    ...(service === '' ? [] : labelNameFaults(service, 'spec.serviceName')),
    ...listAt(object, 'spec', 'volumeClaimTemplates').flatMap((one, index) =>
      claimFaults(jsonAt(one), `spec.volumeClaimTemplates[${index}]`),
    ),
  ];
}
