import { type Json, at, listAt, textAt } from '../../json.ts';
import { invalidObject, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { endingFaults } from './podTemplate.ts';
import { negatives } from './rule.ts';

const counted = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

/** What is wrong with the spec of a Job, of one that is there and of those that a CronJob will create; its selector aside. */
export const jobSpecFaults = (spec: Json, path: string): readonly Cause[] => [
  ...negatives(spec, path, counted),
  ...endingFaults(spec['template'], `${path}.template`),
  ...indexed(spec, path),
  ...policies(spec, path),
  ...failureRules(spec, path),
];

function indexed(spec: Json, path: string): readonly Cause[] {
  const { completions, maxFailedIndexes: most, backoffLimitPerIndex: limit } = spec;
  const unlimited =
    most !== undefined && limit === undefined
      ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : [];
  if (spec['completionMode'] !== 'Indexed') {
    const given = ['backoffLimitPerIndex', 'maxFailedIndexes'].filter((field) => spec[field] !== undefined);
    return [
      ...given.map((field) => invalidValue(`${path}.${field}`, spec[field], 'requires indexed completion mode')),
      ...unlimited,
    ];
  }
  return [
    ...(completions === undefined ? [required(`${path}.completions`, 'when completion mode is Indexed')] : []),
    ...(typeof completions === 'number' && typeof most === 'number' && most > completions
      ? [invalidValue(`${path}.maxFailedIndexes`, most, 'must be less than or equal to completions')]
      : []),
    ...unlimited,
  ];
}

function policies(spec: Json, path: string): readonly Cause[] {
  const restartPolicy = textAt(spec, 'template', 'spec', 'restartPolicy');
  return [
    ...(spec['podFailurePolicy'] !== undefined && restartPolicy === 'OnFailure'
      ? [
          invalidValue(
            `${path}.template.spec.restartPolicy`,
            restartPolicy,
            'only "Never" is supported when podFailurePolicy is specified',
          ),
        ]
      : []),
    ...(spec['successPolicy'] !== undefined && spec['completionMode'] !== 'Indexed'
      ? [invalidObject(`${path}.successPolicy`, spec['successPolicy'], 'requires indexed completion mode')]
      : []),
  ];
}

const failureRules = (spec: Json, path: string): readonly Cause[] =>
  listAt(spec, 'podFailurePolicy', 'rules').flatMap((rule, index) =>
    failureRuleFaults(rule, `${path}.podFailurePolicy.rules[${index}]`),
  );

function failureRuleFaults(rule: unknown, path: string): readonly Cause[] {
  const codes = at(rule, 'onExitCodes');
  if (codes === undefined && listAt(rule, 'onPodConditions').length === 0)
    return [told(path, 'specifying one of OnExitCodes and OnPodConditions is required')];
  if (textAt(codes, 'operator') !== 'In') return [];
  return listAt(codes, 'values').flatMap((value, position) =>
    value === 0
      ? [invalidValue(`${path}.onExitCodes.values[${position}]`, 0, 'must not be 0 for the In operator')]
      : [],
  );
}

/** The fault of a part that is not shown. */
const told = (field: string, why: string): Cause => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${why}`,
});
