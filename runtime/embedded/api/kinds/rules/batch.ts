import type { Stored } from '../../../store.ts';
import { type Json, at, isJson, jsonAt, listAt, same, textAt } from '../../json.ts';
import { invalidObject, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { isTimeZone, parseSchedule } from '../cronSchedule.ts';
import { podSpec, withTemplate } from './podDefaults.ts';
import { podSpecFaults } from './podFaults.ts';
import { type KindRules, fixed, negatives, withSpec } from './rule.ts';
import { restartFaults, templateFaults } from './workload.ts';

const endings = ['OnFailure', 'Never'];

function fillJob(job: Json): Json {
  const uid = textAt(job, 'metadata', 'uid');
  const spec = jsonAt(job, 'spec');
  const template = jsonAt(spec, 'template');
  const ownLabels = spec['manualSelector'] === true ? {} : jobLabels(uid, textAt(job, 'metadata', 'name'));
  const metadata = jsonAt(template, 'metadata');
  const labels = { ...jsonAt(metadata, 'labels'), ...ownLabels };
  const filledTemplate = { ...template, metadata: { ...metadata, labels } };
  return withTemplate({
    ...job,
    spec: {
      parallelism: 1,
      ...(spec['parallelism'] === undefined && { completions: 1 }),
      backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
      ...(spec['manualSelector'] !== true && { manualSelector: false }),
      ...spec,
      ...(spec['manualSelector'] !== true && { selector: withOwnLabel(spec['selector'], uid) }),
      ...(isJson(spec['template']) && { template: filledTemplate }),
    },
    status: jsonAt(job, 'status'),
  });
}

const controllerUid = 'batch.kubernetes.io/controller-uid';

const jobLabels = (uid: string, name: string) => ({
  [controllerUid]: uid,
  'batch.kubernetes.io/job-name': name,
  'controller-uid': uid,
  'job-name': name,
});

const withOwnLabel = (selector: unknown, uid: string): Json => ({
  ...(isJson(selector) && selector),
  matchLabels: { ...jsonAt(selector, 'matchLabels'), [controllerUid]: uid },
});

const counted = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

function jobFaults(job: Json, old: Stored | undefined): readonly Cause[] {
  return [
    ...negatives(at(job, 'spec'), 'spec', counted),
    ...templateFaults(job, endings),
    ...indexed(job),
    ...policies(job),
    ...failureRules(job),
    ...(old === undefined ? selectorFaults(job) : []),
    ...(isElastic(job, old) ? [] : fixed('spec', 'completions')(job, old)),
    ...fixed('spec', 'selector')(job, old),
    ...templateChange(job, old),
    ...fixed('spec', 'completionMode')(job, old),
  ];
}

function indexed(job: Json): readonly Cause[] {
  const spec = jsonAt(job, 'spec');
  const { completions, maxFailedIndexes: most, backoffLimitPerIndex: limit } = spec;
  const unlimited =
    most !== undefined && limit === undefined
      ? [required('spec.backoffLimitPerIndex', 'when maxFailedIndexes is specified')]
      : [];
  if (spec['completionMode'] !== 'Indexed') {
    const given = ['backoffLimitPerIndex', 'maxFailedIndexes'].filter((field) => spec[field] !== undefined);
    return [
      ...given.map((field) => invalidValue(`spec.${field}`, spec[field], 'requires indexed completion mode')),
      ...unlimited,
    ];
  }
  return [
    ...(completions === undefined ? [required('spec.completions', 'when completion mode is Indexed')] : []),
    ...(typeof completions === 'number' && typeof most === 'number' && most > completions
      ? [invalidValue('spec.maxFailedIndexes', most, 'must be less than or equal to completions')]
      : []),
    ...unlimited,
  ];
}

function policies(job: Json): readonly Cause[] {
  const spec = jsonAt(job, 'spec');
  const restartPolicy = textAt(spec, 'template', 'spec', 'restartPolicy');
  return [
    ...(spec['podFailurePolicy'] !== undefined && restartPolicy === 'OnFailure'
      ? [
          invalidValue(
            'spec.template.spec.restartPolicy',
            restartPolicy,
            'only "Never" is supported when podFailurePolicy is specified',
          ),
        ]
      : []),
    ...(spec['successPolicy'] !== undefined && spec['completionMode'] !== 'Indexed'
      ? [invalidObject('spec.successPolicy', spec['successPolicy'], 'requires indexed completion mode')]
      : []),
  ];
}

function failureRules(job: Json): readonly Cause[] {
  return listAt(job, 'spec', 'podFailurePolicy', 'rules').flatMap((rule, index) => {
    const path = `spec.podFailurePolicy.rules[${index}]`;
    const codes = at(rule, 'onExitCodes');
    if (codes === undefined && listAt(rule, 'onPodConditions').length === 0)
      return [told(path, 'specifying one of OnExitCodes and OnPodConditions is required')];
    return textAt(codes, 'operator') !== 'In'
      ? []
      : listAt(codes, 'values').flatMap((value, position) =>
          value === 0
            ? [invalidValue(`${path}.onExitCodes.values[${position}]`, 0, 'must not be 0 for the In operator')]
            : [],
        );
  });
}

/** The fault of a part that is not shown. */
const told = (field: string, why: string): Cause => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${why}`,
});

/** The selector is made for a Job, unless it brings its own, which its pods must then have. */
function selectorFaults(job: Json): readonly Cause[] {
  const selector = at(job, 'spec', 'selector');
  const wanted = Object.entries(jsonAt(selector, 'matchLabels'));
  const has = jsonAt(job, 'spec', 'template', 'metadata', 'labels');
  const labels = Object.keys(has).length === 0 ? null : has;
  const own = textAt(selector, 'matchLabels', controllerUid) === textAt(job, 'metadata', 'uid') && wanted.length === 1;
  const isManual = at(job, 'spec', 'manualSelector') === true;
  return [
    ...(isManual || own ? [] : [invalidObject('spec.selector', selector, '`selector` not auto-generated')]),
    ...(wanted.every(([key, value]) => has[key] === value)
      ? []
      : [invalidObject('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]),
  ];
}

/** The size of an Indexed Job may change while it runs all its pods at once. */
const isElastic = (job: Json, old: Stored | undefined) =>
  [job, old].every((one) => {
    const { completionMode, completions, parallelism } = jsonAt(one, 'spec');
    return completionMode === 'Indexed' && completions === parallelism;
  });

/** While it is suspended and has not begun, where and with what its pods run may change. */
function templateChange(job: Json, old: Stored | undefined): readonly Cause[] {
  const before = at(old, 'spec', 'template');
  const now = at(job, 'spec', 'template');
  const mayMove = at(old, 'spec', 'suspend') === true && at(old, 'status', 'startTime') === undefined;
  if (old === undefined || same(before, now) || mayMove) return [];
  return [invalidObject('spec.template', now, 'field is immutable')];
}

export const job: KindRules = { fill: fillJob, faults: jobFaults };

function fillCronJob(cron: Json): Json {
  const filled = withSpec(cron, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  const spec = jsonAt(filled, 'spec');
  const jobTemplate = jsonAt(spec, 'jobTemplate');
  const template = jsonAt(jobTemplate, 'spec', 'template');
  if (!isJson(template['spec'])) return filled;
  const whole = { ...template, spec: podSpec(jsonAt(template, 'spec')) };
  return {
    ...filled,
    spec: { ...spec, jobTemplate: { ...jobTemplate, spec: { ...jsonAt(jobTemplate, 'spec'), template: whole } } },
  };
}

function scheduleFaults(cron: Json): readonly Cause[] {
  const schedule = textAt(cron, 'spec', 'schedule');
  const zone = at(cron, 'spec', 'timeZone');
  const zoned = /^(CRON_)?TZ=/.test(schedule);
  const read = schedule === '' || zoned ? null : parseSchedule(schedule);
  return [
    ...(schedule === '' ? [required('spec.schedule')] : []),
    ...(zoned
      ? [invalidValue('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
      : []),
    ...(read?.is === 'wrong' ? [invalidValue('spec.schedule', schedule, read.why)] : []),
    ...(typeof zone === 'string' && !isTimeZone(zone)
      ? [invalidValue('spec.timeZone', zone, `unknown time zone ${zone}`)]
      : []),
  ];
}

/** The Jobs of a CronJob are named after it and the minute, in no more characters than a label has. */
const longestCronName = 52;

function nameFaults(cron: Json): readonly Cause[] {
  const name = textAt(cron, 'metadata', 'name');
  if (name.length <= longestCronName) return [];
  return [invalidValue('metadata.name', name, `must be no more than ${longestCronName} characters`)];
}

const path = 'spec.jobTemplate.spec.template.spec';

export const cronJob: KindRules = {
  fill: fillCronJob,
  faults: (cron, old) => {
    const inner = at(cron, 'spec', 'jobTemplate', 'spec', 'template', 'spec');
    const policy = textAt(inner, 'restartPolicy');
    return [
      ...(old === undefined ? nameFaults(cron) : []),
      ...scheduleFaults(cron),
      ...negatives(at(cron, 'spec'), 'spec', [
        'startingDeadlineSeconds',
        'successfulJobsHistoryLimit',
        'failedJobsHistoryLimit',
      ]),
      ...podSpecFaults(inner, path),
      ...restartFaults(policy, endings, `${path}.restartPolicy`),
    ];
  },
};
