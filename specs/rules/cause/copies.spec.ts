import * as assert from 'uvu/assert';
import type { FoundCause } from '../../../rules/cause/cause.ts';
import { causesOfCopies, type Copies } from '../../../rules/cause/copies.ts';
import type { StartingPod } from '../../../rules/pods.ts';
import { isoTime } from '../../../rules/time.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('why the copies of a workload do not run');

const noon = Date.parse('2030-01-01T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const ago = (ms: number) => isoTime(noon - ms);

type Container = NonNullable<NonNullable<StartingPod['status']>['containerStatuses']>[number];
type Conditions = NonNullable<NonNullable<StartingPod['status']>['conditions']>;

interface PodParts {
  readonly name?: string;
  readonly createdMs?: number;
  readonly app?: Container;
  readonly init?: Container;
  readonly conditions?: Conditions;
  readonly phase?: string;
}

/** A pod as a kubelet writes it, on node1, of one container with a memory limit. */
const pod = ({ name = 'web-1', createdMs = hour, app, init, conditions = [], phase = 'Running' }: PodParts = {}) =>
  ({
    metadata: { name, uid: `${name}-uid`, creationTimestamp: ago(createdMs) },
    spec: {
      nodeName: 'node1',
      ...(init && { initContainers: [{ name: 'prepare', image: 'prepare:1' }] }),
      containers: [{ name: 'app', image: 'web:1', resources: { limits: { memory: '64Mi' } } }],
    },
    status: {
      phase,
      conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: ago(createdMs) }, ...conditions],
      ...(init && { initContainerStatuses: [{ name: 'prepare', ...init }] }),
      ...(app && { containerStatuses: [{ name: 'app', image: 'registry.example/web:1', ...app }] }),
    },
  }) satisfies StartingPod;

const ended = (exitCode: number, agoMs: number, reason = exitCode === 0 ? 'Completed' : 'Error', message = '') => ({
  terminated: { exitCode, reason, message, finishedAt: ago(agoMs) },
});
const running = (agoMs: number) => ({ running: { startedAt: ago(agoMs) } });
const waiting = (reason: string, message = '') => ({ waiting: { reason, message } });
const ready: Conditions = [{ type: 'Ready', status: 'True' }];

const serving = (name = 'web-1') => pod({ name, app: { restartCount: 0, state: running(hour) }, conditions: ready });
const looping = (parts: PodParts = {}) =>
  pod({ app: { restartCount: 4, state: waiting('CrashLoopBackOff'), lastState: ended(3, minute) }, ...parts });
const creating = (createdMs: number) =>
  pod({ phase: 'Pending', createdMs, app: { state: waiting('ContainerCreating') } });
const on = { kind: 'Deployment', name: 'web', namespace: 'shop-production' };

const find = (pods: readonly StartingPod[], over: Partial<Copies> = {}) =>
  causesOfCopies({
    on,
    owners: [],
    wanted: pods.length,
    pods,
    volumeEvent: () => undefined,
    secrets: () => [],
    now: noon,
    ...over,
  });
const first = (pods: readonly StartingPod[], over: Partial<Copies> = {}) => find(pods, over)[0];
const words = (cause: FoundCause | undefined) => [cause?.reason, cause?.message.text];

spec('SVC-044 copies that all serve have no cause', () => {
  assert.equal(find([serving('a'), serving('b')]), []);
});

spec('SVC-041 a crash loop has exit code, ends, last line and time, and is at fault of the Deployment', () => {
  const message = 'starting\nerror: no route to s3cr3t-value\nbye\n';
  const app = { restartCount: 4, state: waiting('CrashLoopBackOff'), lastState: ended(3, minute, 'Error', message) };
  assert.equal(find([pod({ app })], { secrets: () => ['s3cr3t-value'] }), [
    {
      reason: 'CrashLoop',
      message: first([pod({ app })])?.message,
      on,
      count: 5,
      lastAt: ago(minute),
      exitCode: 3,
      logLine: 'error: no route to ***',
    },
  ]);
  assert.is(first([pod({ app })])?.message.text, 'the program ends by itself: exit code 3, 5 restarts');
});

spec('an end without a termination message reports no line, and one with a binary message of 2 MiB a short one', () => {
  const of = (message?: string) => {
    const { terminated } = ended(3, minute);
    const end = { terminated: { ...terminated, ...(message === undefined ? {} : { message }) } };
    return first([pod({ app: { restartCount: 1, state: waiting('CrashLoopBackOff'), lastState: end } })], {
      secrets: () => ['hunter2hunter2'],
    });
  };
  assert.is(of()?.logLine, undefined);
  assert.is(of('')?.logLine, undefined);
  assert.is(of('\u0000\u0001\n\u001b[31m\u001b[0m\n')?.logLine, undefined, 'nothing is left of it');
  const binary = `${'\u0000\u0007\ufffd'.repeat(700_000)}\u001b[31mERROR \u001b[0mhunter2hunter2 refused`;
  assert.is(of(binary)?.logLine?.endsWith('refused'), false, 'a line that is too long is cut');
  const line = of(`${binary.slice(0, 2_097_152)}\n\u001b[31mERROR\u001b[0m hunter2hunter2 refused\u0000`)?.logLine;
  assert.is(line, 'ERROR *** refused');
});

spec('a container counts the same from its end until it ends again', () => {
  const counts = [
    { restartCount: 1, state: ended(1, 0), lastState: ended(1, minute) },
    { restartCount: 1, state: waiting('CrashLoopBackOff'), lastState: ended(1, 0) },
    { restartCount: 2, state: running(0), lastState: ended(1, 0) },
  ].map((app) => first([pod({ app })])?.count);
  assert.equal(counts, [2, 2, 2]);
});

spec('SVC-041 a copy killed for its memory names its limit', () => {
  const app = { restartCount: 0, state: ended(137, 0, 'OOMKilled') };
  assert.equal(words(first([pod({ app })])), ['OutOfMemory', 'a copy was killed at its memory limit of 64Mi, 1 times']);
  const unlimited = { ...pod({ app }), spec: { nodeName: 'node1', containers: [{ name: 'app' }] } };
  assert.match(first([unlimited])?.message.text ?? '', /limit of none/);
});

spec('the first reason in order holds, whichever pod has it', () => {
  const quota = {
    type: 'ReplicaFailure',
    status: 'True',
    reason: 'FailedCreate',
    message: 'pods "web" is forbidden: exceeded quota: q',
  };
  const refused = { ...quota, message: 'admission webhook "x" denied the request' };
  const unplaced = pod({
    name: 'z',
    phase: 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available' },
    ],
  });
  const noNode = { ...unplaced, status: { ...unplaced.status, conditions: unplaced.status.conditions.slice(1) } };
  const unmounted = { ...creating(minute), metadata: { ...creating(minute).metadata, name: 'y' } };
  const unpulled = pod({ name: 'x', app: { state: waiting('ImagePullBackOff', 'Back-off pulling image "web:1"') } });
  const unset = pod({
    name: 'w',
    createdMs: 2 * hour,
    app: { state: waiting('CreateContainerConfigError', 'secret "s" not found') },
  });
  const killed = pod({ name: 'v', app: { restartCount: 1, state: running(0), lastState: ended(137, 0, 'OOMKilled') } });
  const loops = looping({ name: 'u', createdMs: 3 * hour });
  const unready = pod({ name: 't', createdMs: 4 * hour, app: { restartCount: 0, state: running(minute) } });
  const pending = pod({ name: 's', createdMs: 5 * hour, app: { state: waiting('ContainerCreating') } });
  const volumeEvent = (uid: string) =>
    uid === 'web-1-uid' ? { text: 'secret "v" not found', readAt: noon } : undefined;
  const paused = { metadata: { name: 'web' }, spec: { paused: true } };
  const conditioned = (...conditions: (typeof quota)[]) => ({ metadata: { name: 'web' }, status: { conditions } });
  const worst: (readonly [string, Partial<Copies>, StartingPod])[] = [
    ['RolloutPaused', { owners: [paused, conditioned(refused, quota)] }, serving()],
    ['QuotaExceeded', { owners: [conditioned(refused, quota)] }, serving()],
    ['PodsRefused', { owners: [conditioned(refused)] }, serving()],
    ['Unschedulable', {}, noNode],
    ['VolumeFailed', {}, unmounted],
    ['ImagePullFailed', {}, unpulled],
    ['ContainerConfigMissing', {}, unset],
    ['OutOfMemory', {}, killed],
    ['CrashLoop', {}, loops],
    ['ProbeFailing', {}, unready],
    ['CopiesStarting', {}, pending],
  ];
  for (const [index, [reason, over]] of worst.entries()) {
    const pods = worst.slice(index).map(([, , one]) => one);
    assert.is(first(pods, { volumeEvent, ...over })?.reason, reason);
    assert.is(first(pods.toReversed(), { volumeEvent, ...over })?.reason, reason);
  }
  assert.is(first([looping()], { wanted: 0 })?.reason, 'ScaledToZero');
});

spec('among pods the oldest is told, then the first by name', () => {
  const coded = (name: string, code: number, createdMs = hour) =>
    looping({
      name,
      createdMs,
      app: { restartCount: code, state: waiting('CrashLoopBackOff'), lastState: ended(code, 0) },
    });
  assert.is(first([coded('a', 5, hour), coded('b', 6, 2 * hour)])?.exitCode, 6);
  assert.is(first([coded('b', 6), coded('a', 5)])?.exitCode, 5);
});

spec(
  'SVC-044 an end is told for ten minutes once the program runs again, and in back-off for as long as it lasts',
  () => {
    const back = (agoMs: number, startedMs = agoMs - 1_000) =>
      pod({ app: { restartCount: 1, state: running(startedMs), lastState: ended(1, agoMs) }, conditions: ready });
    assert.is(first([back(9 * minute)])?.changesAt, noon + minute);
    assert.equal(find([back(10 * minute)]), []);
    const waits = looping({ app: { restartCount: 1, state: waiting('CrashLoopBackOff'), lastState: ended(1, hour) } });
    assert.is(first([waits])?.reason, 'CrashLoop');
    assert.is(first([waits])?.changesAt, undefined);
    assert.is(first([back(9 * minute), back(5 * minute)])?.changesAt, noon + minute, 'the end of one of several');
  },
);

spec('decision 165: after two ends the minute that the program has to run is a moment of its own', () => {
  const app = { restartCount: 2, state: running(20_000), lastState: ended(1, 30_000) };
  assert.is(first([pod({ app })])?.changesAt, noon + 40_000);
  assert.is(first([pod({ app: { ...app, restartCount: 1 } })])?.changesAt, noon + 600_000 - 30_000);
  const unpulled = pod({ name: 'x', app: { state: waiting('ErrImagePull') } });
  const worst = first([pod({ app }), unpulled]);
  assert.equal([worst?.reason, worst?.changesAt], ['ImagePullFailed', noon + 40_000], 'whichever cause is told');
});

spec('SVC-043 a pod in ContainerCreating reports what its Events said of its volumes, if anything', () => {
  const said = (text: string | null) => ({ volumeEvent: () => ({ text, readAt: noon }) });
  assert.is(first([creating(40_000)], said(null))?.reason, 'CopiesStarting');
  const failed = said('secret "v" not found');
  assert.equal(words(first([creating(40_000)], failed)), [
    'VolumeFailed',
    'a volume cannot be mounted: secret "v" not found',
  ]);
  assert.is(first([serving()], failed), undefined, 'a pod that runs has its volumes');
});

spec('a container of the start that ended well is no crash, and one that fails is', () => {
  const done = { restartCount: 2, state: ended(0, minute), lastState: ended(1, 2 * minute) };
  const app = { restartCount: 0, state: running(minute) };
  assert.equal(find([pod({ init: done, app, conditions: ready })]), []);
  assert.is(first([pod({ init: done, app })])?.reason, 'ProbeFailing');
  const failing = { restartCount: 2, state: waiting('CrashLoopBackOff'), lastState: ended(1, minute) };
  assert.equal(words(first([pod({ init: failing, app: { state: waiting('PodInitializing') } })])), [
    'CrashLoop',
    'the program ends by itself: exit code 1, 3 restarts',
  ]);
});

spec('a program that ends well ends by itself', () => {
  const app = { restartCount: 1, state: ended(0, 0), lastState: ended(0, minute) };
  assert.match(first([pod({ app })])?.message.text ?? '', /exit code 0, 2 restarts/);
});

spec('pods that were evicted or are being deleted do not count, and those without a status are still to come', () => {
  const app = { restartCount: 4, state: ended(137, minute), lastState: ended(1, hour) };
  const evicted = pod({ name: 'old', createdMs: 2 * hour, phase: 'Failed', app });
  assert.equal(find([evicted, serving()], { wanted: 1 }), []);
  assert.equal(words(first([evicted], { wanted: 1 })), ['CopiesStarting', '0 of 1 copies are ready']);
  const leaving = { ...looping(), metadata: { ...looping().metadata, deletionTimestamp: ago(0) } };
  assert.equal(find([leaving, serving('b')], { wanted: 1 }), []);
  const bare = { metadata: { name: 'web-2' } };
  assert.equal(words(first([bare], { wanted: 1 })), ['CopiesStarting', '0 of 1 copies are ready']);
});

spec('fields that a status lost lead to no cause of their own', () => {
  const app = { state: running(minute), lastState: { terminated: {} } };
  assert.equal(find([pod({ app, conditions: ready })]), [], 'an end without a time');
  const unknown = first([pod({ app: { state: waiting('CrashLoopBackOff'), lastState: { terminated: {} } } })]);
  assert.equal([unknown?.exitCode, unknown?.count, unknown?.lastAt], [0, 1, undefined]);
  assert.equal(words(first([pod({ app: { state: {} } })])), ['CopiesStarting', '0 of 1 copies are ready']);
  assert.match(first([pod({ app: { state: { running: {} } } })])?.message.text ?? '', /since an unknown time/);
});

spec('a pod that replaced a crashed one counts its own ends alone', () => {
  assert.is(first([pod({ name: 'web-2', app: { restartCount: 0, state: ended(1, 0) } })])?.count, 1);
  assert.equal(find([serving('web-2')]), []);
});

spec('a clock set back or ahead by three hours tells no end that is over, and hides none that lasts', () => {
  const back = pod({ app: { restartCount: 1, state: running(0), lastState: ended(1, 1_000) }, conditions: ready });
  for (const now of [noon - 3 * hour, noon + 3 * hour]) {
    assert.equal(find([back], { now }), []);
    assert.is(first([looping()], { now })?.reason, 'CrashLoop');
  }
  assert.is(first([back], { now: noon - 5_000 })?.reason, 'CrashLoop', 'the clock of a node may be a little ahead');
});

spec('SVC-042 a paused rollout fails while copies of the new revision are missing, else it is a note', () => {
  const paused = (updatedReplicas?: number) => ({
    metadata: { name: 'web' },
    spec: { paused: true },
    status: updatedReplicas === undefined ? {} : { updatedReplicas },
  });
  const severity = (owners: Copies['owners'], pods = [serving()]) =>
    find(pods, { owners }).map(({ reason, severity: is }) => `${reason} ${is}`);
  assert.equal(severity([paused(1)]), ['RolloutPaused note']);
  assert.equal(severity([paused(0)]), ['RolloutPaused failure']);
  assert.equal(severity([paused()]), ['RolloutPaused failure'], 'the API server leaves a count of 0 out');
  assert.equal(severity([paused(1)], [looping()]), ['CrashLoop undefined', 'RolloutPaused note']);
});

spec.run();
