import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import type { CoreApp } from '../../crds/coreApp.ts';
import { isCron, nextTime } from '../../rules/function/cron.ts';
import { cronJobName, maxTrigger } from '../../rules/function/names.ts';
import type { FunctionSource } from '../../rules/function/runtimes.ts';
import type { ServiceObject } from '../../rules/service/part.ts';
import { parseSchedule } from '../../runtime/embedded/api/kinds/cronSchedule.ts';
import { nextTime as nextInKubernetes } from '../../runtime/embedded/controllers/cronTimes.ts';
import { functionApp, functionObjects, type Template } from '../support/function.ts';
import { suite } from '../support/suite.ts';

const spec = suite('functions');

const nightly = { name: 'nightly', cron: '0 3 * * *' };
const source = (fields: Partial<FunctionSource> = {}): FunctionSource => ({
  runtime: 'node',
  code: 'export const handler = () => {};',
  ...fields,
});
const kinds = (objects: readonly ServiceObject[]) => objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);
const only = (objects: readonly ServiceObject[], kind: ServiceObject['kind']): ServiceObject => {
  const [found] = objects.filter((one) => one.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

interface Workload {
  readonly template: Template & { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } };
}
const workloadOf = (objects: readonly ServiceObject[]) => only(objects, 'Deployment').spec as Workload;
const envOf = ({ spec: { containers } }: Template) => containers[0]?.env.map(({ name }) => name) ?? [];

interface CronSpec {
  readonly schedule: string;
  readonly timeZone: string;
  readonly concurrencyPolicy: string;
  readonly jobTemplate: {
    readonly spec: {
      readonly template: {
        readonly metadata: { readonly labels: object; readonly annotations?: object };
        readonly spec: Template['spec'] & { readonly nodeSelector: object; readonly tolerations: readonly object[] };
      };
    };
  };
}

spec('SEC-021 only a function with a handler, events or schedules gets the token from its Secret', () => {
  for (const [fields, isTold] of [
    [{}, false],
    [{ mode: 'http' }, false],
    [{ mode: 'event' }, true],
    [{ handler: 'greet' }, true],
    [{ schedules: [] }, false],
    [{ schedules: [nightly] }, true],
  ] as const) {
    const objects = functionObjects(functionApp(source(fields)));
    assert.is(kinds(objects).includes('Secret greet-trigger'), isTold, JSON.stringify(fields));
    const [container] = workloadOf(objects).template.spec.containers;
    assert.equal(
      container?.env.find(({ name }) => name === 'CORE_TRIGGER_TOKEN')?.valueFrom,
      isTold ? { secretKeyRef: { name: 'greet-trigger', key: 'CORE_TRIGGER_TOKEN' } } : undefined,
    );
  }
});

spec('the ConfigMap and Secret of a function precede its pods, and its schedules follow them', () => {
  const objects = functionObjects(functionApp(source({ mode: 'event', schedules: [nightly] })));
  assert.equal(kinds(objects), [
    'ConfigMap greet-function',
    'Secret greet-trigger',
    'Service greet',
    'Deployment greet',
    'CronJob greet-nightly',
  ]);
  assert.equal(envOf(workloadOf(objects).template), ['PORT', 'CORE_TRIGGER_TOKEN']);
});

spec('SEC-022 a schedule calls the Service of its function in UTC, one call at a time', () => {
  const objects = functionObjects(functionApp(source({ schedules: [nightly] })));
  const cron = only(objects, 'CronJob').spec as unknown as CronSpec;
  assert.equal([cron.schedule, cron.timeZone, cron.concurrencyPolicy], ['0 3 * * *', 'UTC', 'Forbid']);
  const { metadata, spec: pod } = cron.jobTemplate.spec.template;
  assert.equal(
    pod.containers.map(({ command, env }) => [command, env]),
    [
      [
        ['node', '/function/call.mjs', 'http://greet.shop-production.svc', 'nightly'],
        [
          {
            name: 'CORE_TRIGGER_TOKEN',
            valueFrom: { secretKeyRef: { name: 'greet-trigger', key: 'CORE_TRIGGER_TOKEN' } },
          },
        ],
      ],
    ],
  );
  const { selector } = only(objects, 'Service').spec as { readonly selector: Readonly<Record<string, string>> };
  const labels = metadata.labels as Readonly<Record<string, string>>;
  assert.not.ok(
    Object.entries(selector).every(([name, value]) => labels[name] === value),
    'the Service would send requests to it',
  );
});

spec('SEC-022 a schedule calls a function that may sleep by the wake proxy, which knows that host', () => {
  const wake = { routed: true, hosts: ['greet.example'], led: true, scaled: true };
  const objects = functionObjects(functionApp(source({ schedules: [nightly] })), { wake, host: 'greet.example' });
  const cron = only(objects, 'CronJob').spec as unknown as CronSpec;
  const address = cron.jobTemplate.spec.template.spec.containers[0]?.command[2] ?? '';
  assert.match(address, /^http:\/\/greet-wake-[0-9a-f]{10}\.shop-production\.svc:8080$/);
  const { rules } = only(objects, 'InterceptorRoute').spec as {
    readonly rules: readonly { readonly hosts: readonly string[] }[];
  };
  assert.equal(rules[0]?.hosts, ['greet.example', new URL(address).hostname]);
});

spec('PRJ-041 scheduled calls run on nodes with the tags that the project requires', () => {
  const objects = functionObjects(functionApp(source({ schedules: [nightly] })), {
    placement: { region: 'eu', tags: ['pci'] },
  });
  const { metadata, spec: pod } = (only(objects, 'CronJob').spec as unknown as CronSpec).jobTemplate.spec.template;
  assert.equal(pod.nodeSelector, { 'core.platform/region': 'eu', 'core.platform/tag-pci': 'true' });
  assert.equal(pod.tolerations, [
    { key: 'core.platform/reserved', operator: 'Equal', value: 'pci', effect: 'NoSchedule' },
  ]);
  assert.equal(metadata.annotations, { 'core.platform/log-shipping': 'off' });
});

spec('changed code, mode or handler replaces the pods, and a changed schedule does not', () => {
  const startedWith = (app: CoreApp) =>
    workloadOf(functionObjects(app)).template.metadata.annotations['core.platform/code'];
  const before = startedWith(functionApp(source({ mode: 'event' })));
  assert.match(before ?? '', /^[0-9a-f]{16}$/);
  assert.is(startedWith(functionApp(source({ mode: 'event', schedules: [nightly] }))), before);
  for (const fields of [{ code: 'other' }, { mode: 'http' }, { handler: 'other' }] as const)
    assert.is.not(startedWith(functionApp(source({ mode: 'event', ...fields }))), before, JSON.stringify(fields));
});

spec('the name of a CronJob is short, valid and unique for a function and a schedule', () => {
  assert.is(cronJobName('greet', 'nightly'), 'greet-nightly');
  assert.is.not(cronJobName('a', 'b-c'), cronJobName('a-b', 'c'));
  const label = (most: number) =>
    fc.stringMatching(/^[ab0]([-ab0]*[ab0])?$/).filter(({ length }) => length > 0 && length <= most);
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(label(36), fc.oneof(label(6), label(63)), (app, schedule) => {
      const name = cronJobName(app, schedule);
      const of = `${app} ${schedule}`;
      assert.ok(name.length <= 52 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name), name);
      assert.is(seen.get(name) ?? of, of, name);
      seen.set(name, of);
    }),
    { numRuns: 5_000 },
  );
  const hashed = cronJobName('a', 'b-c');
  const last = hashed.split('-').at(-1) ?? '';
  assert.is.not(cronJobName(hashed.slice(0, -last.length - 1), last), hashed, 'what looks like a hash is hashed');
  assert.is(maxTrigger('greet'), 46);
});

spec('a cron expression has five fields that Kubernetes understands', () => {
  for (const good of ['* * * * *', '*/15 0-6,12 1 jan-mar sun', ' 0  3 * * 1 ', '5/20 * * * *', '0 0 31 2 *'])
    assert.ok(isCron(good), good);
  for (const bad of ['', '* * * *', '0 * * * * *', '@daily', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *'])
    assert.not.ok(isCron(bad), bad);
  for (const ofOthers of ['0 0 L * *', '0 0 * * MON#1', '0 0 * * 7', '0 0 15W * *', '*/0 * * * *', '5-1 * * * *'])
    assert.not.ok(isCron(ofOthers), ofOthers);
});

const part = (from: number, to: number) => {
  const value = fc.integer({ min: from, max: to });
  const step = fc.integer({ min: 1, max: Math.min(9, to - from) });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    value.map(String),
    fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.tuple(value, value).map(([a, b]) => `${a},${b}`),
    step.map((every) => `*/${every}`),
    fc.tuple(value, step).map(([a, every]) => `${a}/${every}`),
  );
};

spec('the next time of a schedule is that of Kubernetes, in UTC', () => {
  const crons = fc.tuple(part(0, 59), part(0, 23), part(1, 31), part(1, 12), part(0, 6));
  const times = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2035, 0, 1) });
  fc.assert(
    fc.property(crons, times, (fields, now) => {
      const cron = fields.join(' ');
      const theirs = parseSchedule(cron);
      if (theirs.is === 'wrong') throw new Error(theirs.why);
      const due = nextInKubernetes(theirs, 'UTC', now);
      assert.is(nextTime(cron, now), Number.isFinite(due) ? due : null, `${cron} after ${new Date(now).toISOString()}`);
    }),
    { numRuns: 2_000 },
  );
  assert.is(nextTime('0 0 31 2 *', 0), null, 'it never is');
  assert.is(nextTime('nonsense', 0), null);
});

spec.run();
