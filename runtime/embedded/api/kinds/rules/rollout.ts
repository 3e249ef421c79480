import { type Json, at, isJson, jsonAt, textAt } from '../../json.ts';
import { forbiddenField, invalidObject, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { intOrPercentFaults, isNone, overWholeFaults } from './intOrPercent.ts';
import { negatives } from './rule.ts';

/** A strategy by the names that its fields have inside the API server. */
function shown(strategy: Json, fields: readonly string[]) {
  const { type, rollingUpdate } = strategy;
  const upper = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const values = Object.fromEntries(fields.map((field) => [upper(field), at(rollingUpdate, field) ?? null]));
  return { Type: type, RollingUpdate: isJson(rollingUpdate) ? values : null };
}

function sharesFaults(rollingUpdate: unknown, path: string): readonly Cause[] {
  const unavailable = at(rollingUpdate, 'maxUnavailable');
  return [
    ...intOrPercentFaults(unavailable, `${path}.maxUnavailable`),
    ...intOrPercentFaults(at(rollingUpdate, 'maxSurge'), `${path}.maxSurge`),
    ...overWholeFaults(unavailable, `${path}.maxUnavailable`),
  ];
}

/** What is wrong with the way in which a Deployment replaces its pods. */
export function deploymentRollout(deployment: Json): readonly Cause[] {
  const spec = jsonAt(deployment, 'spec');
  const strategy = jsonAt(spec, 'strategy');
  const { rollingUpdate } = strategy;
  const rolling = 'spec.strategy.rollingUpdate';
  const { progressDeadlineSeconds: deadline, minReadySeconds: ready = 0 } = spec;
  const late =
    typeof deadline === 'number' && deadline <= Number(ready)
      ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : [];
  switch (strategy['type']) {
    case 'Recreate':
      return rollingUpdate === undefined
        ? late
        : [forbiddenField(rolling, "may not be specified when strategy `type` is 'Recreate'"), ...late];
    case 'RollingUpdate':
      return [
        ...sharesFaults(rollingUpdate, rolling),
        ...(isNone(at(rollingUpdate, 'maxUnavailable')) && isNone(at(rollingUpdate, 'maxSurge'))
          ? [
              invalidValue(
                `${rolling}.maxUnavailable`,
                at(rollingUpdate, 'maxUnavailable'),
                'may not be 0 when `maxSurge` is 0',
              ),
            ]
          : []),
        ...late,
      ];
    default:
      return [
        notSupported('spec.strategy', shown(strategy, ['maxUnavailable', 'maxSurge']), ['Recreate', 'RollingUpdate']),
        ...late,
      ];
  }
}

/** What is wrong with the way in which a DaemonSet replaces its pods. */
export function daemonSetRollout(daemonSet: Json): readonly Cause[] {
  const strategy = jsonAt(daemonSet, 'spec', 'updateStrategy');
  const { type, rollingUpdate } = strategy;
  const path = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [
      notSupported('spec.updateStrategy', shown(strategy, ['maxUnavailable', 'maxSurge']), [
        'RollingUpdate',
        'OnDelete',
      ]),
    ];
  const nothingMoves = isNone(at(rollingUpdate, 'maxUnavailable')) && isNone(at(rollingUpdate, 'maxSurge'));
  return [
    ...sharesFaults(rollingUpdate, path),
    ...(nothingMoves ? [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')] : []),
  ];
}

/** What is wrong with the order in which a StatefulSet makes and replaces its pods. */
export function statefulSetRollout(statefulSet: Json): readonly Cause[] {
  const spec = jsonAt(statefulSet, 'spec');
  const strategy = jsonAt(spec, 'updateStrategy');
  const policy = textAt(spec, 'podManagementPolicy');
  return [
    ...(['OrderedReady', 'Parallel'].includes(policy)
      ? []
      : [invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...(['RollingUpdate', 'OnDelete'].includes(textAt(strategy, 'type'))
      ? []
      : [
          invalidObject(
            'spec.updateStrategy',
            shown(strategy, ['partition', 'maxUnavailable']),
            "must be 'RollingUpdate' or 'OnDelete'",
          ),
        ]),
    ...negatives(strategy['rollingUpdate'], 'spec.updateStrategy.rollingUpdate', ['partition']),
  ];
}
