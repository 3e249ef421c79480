import type { Stored } from '../../../store.ts';
import { type Json, at, isJson, jsonAt, same, textAt } from '../../json.ts';
import { invalidObject, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { isTimeZone, parseSchedule } from '../cronSchedule.ts';
import { podSpec, withTemplate } from './podDefaults.ts';
import { jobSpecFaults } from './jobSpec.ts';
import { type KindRules, defaulted, eachItem, fixed, negatives, withLabels, withSpec } from './rule.ts';

function fillJob(job: Json): Json {
  const uid = textAt(job, 'metadata', 'uid');
  const spec = jsonAt(job, 'spec');
  const template = jsonAt(spec, 'template');
  const ownLabels = spec['manualSelector'] === true ? {} : jobLabels(uid, textAt(job, 'metadata', 'name'));
  const metadata = jsonAt(template, 'metadata');
  const labels = { ...ownLabels, ...jsonAt(metadata, 'labels') };
  const filledTemplate = { ...template, metadata: { ...metadata, labels } };
  return withTemplate({
    ...withLabels(job, labels),
    spec: {
      parallelism: 1,
      ...(spec['parallelism'] === undefined && { completions: 1 }),
      backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
      ...(spec['manualSelector'] !== true && { manualSelector: false }),
      ...spec,
      ...(isJson(spec['podFailurePolicy']) && { podFailurePolicy: failurePolicy(jsonAt(spec, 'podFailurePolicy')) }),
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

const failurePolicy = (policy: Json): Json => ({
  ...policy,
  ...eachItem(policy, 'rules', (rule) => ({
    ...rule,
    ...eachItem(rule, 'onPodConditions', (condition) => defaulted(condition, { status: 'True' })),
  })),
});

const jobFaults = (job: Json, old: Stored | undefined): readonly Cause[] => [
  ...jobSpecFaults(jsonAt(job, 'spec'), 'spec'),
  ...(old === undefined ? selectorFaults(job) : []),
  ...(isElastic(job, old) ? [] : fixed('spec', 'completions')(job, old)),
  ...fixed('spec', 'selector')(job, old),
  ...templateChange(job, old),
  ...fixed('spec', 'completionMode')(job, old),
];

/** The selector is made for a Job, unless it brings its own, which its pods must then have. */
function selectorFaults(job: Json): readonly Cause[] {
  const selector = at(job, 'spec', 'selector');
  const wanted = Object.entries(jsonAt(selector, 'matchLabels'));
  const has = jsonAt(job, 'spec', 'template', 'metadata', 'labels');
  const labels = Object.keys(has).length === 0 ? null : has;
  const own = textAt(selector, 'matchLabels', controllerUid) === textAt(job, 'metadata', 'uid') && wanted.length === 1;
  const isManual = at(job, 'spec', 'manualSelector') === true;
  const isSelected = selector !== undefined && wanted.every(([key, value]) => has[key] === value);
  return [
    ...(selector === undefined ? [required('spec.selector')] : []),
    ...(isManual || own ? [] : [invalidObject('spec.selector', selector, '`selector` not auto-generated')]),
    ...(isManual ? [] : ownLabelFaults(job, has)),
    ...(isSelected
      ? []
      : [invalidObject('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]),
  ];
}

/** The labels that are made for the pods of a Job may be given too, but not otherwise. */
const ownLabelFaults = (job: Json, labels: Json): readonly Cause[] =>
  Object.entries(jobLabels(textAt(job, 'metadata', 'uid'), textAt(job, 'metadata', 'name')))
    .filter(([key, value]) => labels[key] !== value)
    .map(([key, value]) =>
      invalidObject(`spec.template.metadata.labels[${key}]`, inOrder(labels), `must be '${value}'`),
    );

const inOrder = (labels: Json): Json =>
  Object.fromEntries(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));

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
  const jobSpec = jsonAt(jobTemplate, 'spec');
  const template = jsonAt(jobSpec, 'template');
  if (!isJson(template['spec'])) return filled;
  const whole = {
    ...jobSpec,
    ...(isJson(jobSpec['podFailurePolicy']) && {
      podFailurePolicy: failurePolicy(jsonAt(jobSpec, 'podFailurePolicy')),
    }),
    template: { metadata: {}, ...template, spec: podSpec(jsonAt(template, 'spec')) },
  };
  return { ...filled, spec: { ...spec, jobTemplate: { metadata: {}, ...jobTemplate, spec: whole } } };
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

const jobPath = 'spec.jobTemplate.spec';

/** The selector of each Job is made for it. */
function madeSelectorFaults(spec: Json): readonly Cause[] {
  const { selector, manualSelector } = spec;
  return [
    ...(selector === undefined
      ? []
      : [invalidObject(`${jobPath}.selector`, selector, '`selector` will be auto-generated')]),
    ...(manualSelector === true ? [notSupported(`${jobPath}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}

export const cronJob: KindRules = {
  fill: fillCronJob,
  faults: (cron, old) => {
    const spec = jsonAt(cron, 'spec', 'jobTemplate', 'spec');
    return [
      ...(old === undefined ? nameFaults(cron) : []),
      ...scheduleFaults(cron),
      ...negatives(at(cron, 'spec'), 'spec', [
        'startingDeadlineSeconds',
        'successfulJobsHistoryLimit',
        'failedJobsHistoryLimit',
      ]),
      ...jobSpecFaults(spec, jobPath),
      ...madeSelectorFaults(spec),
    ];
  },
};
