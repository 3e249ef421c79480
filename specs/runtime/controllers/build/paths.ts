import { Effect } from 'effect';
import type { BuildSpec, BuildStatus } from '../../../../crds/coreBuild.ts';
import { annotation } from '../../../../crds/names.ts';
import type { BuildAsked } from '../../../../rules/build/facts.ts';
import type { CheckRun, GitAnswer } from '../../../../rules/gitAnswer.ts';
import { builds } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs, pods } from '../../../../runtime/services/cluster/resources.ts';
import { commands } from './commands.ts';
import type { Act, Path } from '../../../faults/subjects/subject.ts';
import { connect, leftOver, withStore } from './objects.ts';
import { type JobEnd, nodesOf } from './nodes.ts';
import { manualReset } from '../../../support/reset.ts';
import { userBuild, type TestEnvironment } from '../../../support/environment.ts';

/** The build that every path is about. */
export const name = 'shop-build-1';
const pushes: JobEnd = { is: 'pushes', by: 'message' };
const fails: JobEnd = { is: 'fails' };

const patchStatus = (environment: TestEnvironment, status: object) => {
  Effect.runSync(environment.cluster.patchStatus(builds, { name }, status));
};

const given =
  (spec: Partial<BuildSpec> = {}, status?: BuildStatus) =>
  (environment: TestEnvironment): void =>
    void environment.cluster.put(builds, userBuild(name, spec, status));

const paused = (is: boolean) => (environment: TestEnvironment) => {
  const { metadata, ...rest } = environment.build(name) ?? userBuild(name);
  const annotations = is ? { [annotation.paused]: 'true' } : {};
  environment.cluster.put(builds, { ...rest, metadata: { ...metadata, annotations } });
};
const branch: Partial<BuildSpec> = { revision: '', branch: 'main', connectionRef: { name: 'host' } };
const waits: Partial<BuildSpec> = { ...branch, waitForCI: true };
const connected =
  (spec: Partial<BuildSpec>, prepare: (environment: TestEnvironment) => void = () => {}) =>
  (environment: TestEnvironment) => {
    connect(environment);
    prepare(environment);
    given(spec)(environment);
  };

const check = (status: string, conclusion: string | null): CheckRun => ({ name: 'test', status, conclusion });
const found = <T>(value: T): GitAnswer<T> => ({ is: 'found', value });
const running = found([check('in_progress', null)]);
const passed = found([check('completed', 'success')]);
const failed = found([check('completed', 'failure')]);
const silent: GitAnswer<never> = { is: 'silent', why: 'timeout' };
const refusal: GitAnswer<never> = { is: 'refused', code: 404, status: '404 Not Found' };
const checksAre = (checks: GitAnswer<readonly CheckRun[]>) => (environment: TestEnvironment) => {
  environment.git.checks = checks;
};
const commitIs = (commit: GitAnswer<string>) => (environment: TestEnvironment) => {
  environment.git.commit = commit;
};

const statusOf = (environment: TestEnvironment) => environment.build(name)?.status;
const phase = (of: string | RegExp) => (environment: TestEnvironment) => {
  const is = statusOf(environment)?.phase ?? '';
  return typeof of === 'string' ? is === of : of.test(is);
};
const edit = (of: string | RegExp, act: NonNullable<Act['edit']>): Act => ({
  text: 'something is changed',
  when: phase(of),
  edit: act,
});

const command = (asked: BuildAsked['is'], when: Act['when']): Act => ({
  text: `${asked} is asked for`,
  when,
  command: { kind: 'CoreBuild', machine: 'build', name, asked: commands[asked] },
});
/** Waits for checks and has read them. */
const awaits = (environment: TestEnvironment) =>
  phase('WaitingForCI')(environment) && statusOf(environment)?.ciChecks !== undefined;
const ask = (of: string, asked: BuildAsked['is']): Act => command(asked, phase(of));
const askCancel = (environment: TestEnvironment) => patchStatus(environment, { cancelRequested: true });
const reset = (environment: TestEnvironment) => patchStatus(environment, manualReset);

const dropJob = (environment: TestEnvironment) => environment.cluster.drop(jobs, `${name}-builder`);

/** Deletes the Job and keeps its pods, as when it is deleted without its dependents. */
const orphanPods = (environment: TestEnvironment) => {
  const left = environment.cluster
    .all(pods)
    .map((pod) => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [] } }));
  dropJob(environment);
  for (const pod of left) environment.cluster.put(pods, pod);
};

const isLogFailing = ({ metrics }: TestEnvironment) =>
  metrics.ensureFailed.filter((failed) => failed === 'CoreBuild logArchived').length >= 3;

type Told = readonly [name: string, given: Path['given'], script?: readonly Act[], ...jobs: readonly JobEnd[]];

const told: readonly Told[] = [
  ['a pinned commit is built', given()],
  [
    'paused before its first pass, then goes on',
    paused(true),
    [{ text: 'it is paused no more', when: () => true, edit: paused(false) }],
  ],
  ['the head of a branch is built', connected(branch)],
  ['checks are awaited', connected(waits, checksAre(running)), [edit('WaitingForCI', checksAre(passed))]],
  [
    'a check fails and is run again',
    connected(waits, checksAre(failed)),
    [edit('Failed', checksAre(running)), edit('WaitingForCI', checksAre(passed))],
  ],
  ['the Job fails', given(), [], fails],
  ['the Job pushes nothing', given(), [], { is: 'pushesNothing' }],
  ['the digest stands in the log alone', given(), [], { is: 'pushes', by: 'log' }],
  ['no node takes the pod for a long time', given(), [], { is: 'pushes', by: 'message', unschedulableMs: 1_200_000 }],
  ['pods are evicted before one comes through', given(), [], { is: 'pushes', by: 'message', evicted: 2 }],
  ['the log is gone before the digest was read', given(), [], { is: 'pushesUnheard' }],
  ['the pods are gone before the digest was read', given(), [], { is: 'losesItsPods' }],
  [
    'the log is archived',
    (environment) => (withStore(environment), given({ logStoreRef: { name: 'logs' } })(environment)),
  ],
  [
    'the log of a failed Job is archived',
    (environment) => (withStore(environment), given({ logStoreRef: { name: 'logs' } })(environment)),
    [],
    fails,
  ],
  ['the object store comes late', given({ logStoreRef: { name: 'logs' } }), [edit('Succeeded', withStore)]],
  [
    'the object store comes once its absence was counted',
    given({ logStoreRef: { name: 'logs' } }),
    [{ text: 'the store comes', when: isLogFailing, edit: withStore }],
  ],
  ['no registry is set', given({ registry: '' })],
  ['a context leaves the repository', given({ context: '../../../..' })],
  ['a build whose Job survived an earlier one', (environment) => (leftOver(environment, name), given()(environment))],
  [
    'a build whose Job survived an earlier run',
    (environment) => (leftOver(environment, name, '2020-01-01T00:00:00.000Z'), given()(environment)),
  ],
  ['the Job is deleted by hand', given(), [edit('Running', dropJob)], { is: 'never' }],
  ['the connection comes late', given(branch), [edit('WaitingForCI', connect)]],
  [
    'the Git host refuses, then heals',
    connected(branch, commitIs(refusal)),
    [edit('Failed', commitIs(found('d'.repeat(40))))],
  ],
  [
    'the Git host is silent, then answers',
    connected(branch, commitIs(silent)),
    // A refusal before the silence leaves it Failed.
    [edit(/^(WaitingForCI|Failed)$/, commitIs(found('d'.repeat(40))))],
  ],
  ['cancelled before the first pass', given({}, { cancelRequested: true })],
  [
    'cancelled by hand while it waits',
    connected(waits, checksAre(running)),
    [{ text: 'cancelRequested is written', when: awaits, edit: askCancel }],
  ],
  ['cancelled by hand while it runs', given(), [edit('Running', askCancel)], { is: 'never' }],
  ['cancelled by command while it waits', connected(waits, checksAre(running)), [command('cancel', awaits)]],
  ['cancelled by command while it runs', given(), [ask('Running', 'cancel')], { is: 'never' }],
  [
    'phase Cancelled is written by hand',
    given(),
    [edit('Running', (environment) => patchStatus(environment, { cancelRequested: true, phase: 'Cancelled' }))],
    { is: 'never' },
  ],
  [
    'built again while it waits',
    connected(waits, checksAre(running)),
    [command('rebuild', awaits), edit('WaitingForCI', checksAre(passed))],
  ],
  ['built again while it runs', given(), [ask('Running', 'rebuild')], { is: 'never' }, pushes],
  ['built again after it succeeded', given(), [ask('Succeeded', 'rebuild')], pushes, pushes],
  ['built again after it failed', given(), [ask('Failed', 'rebuild')], fails, pushes],
  [
    'built again after it failed without a Job',
    connected(branch, commitIs(refusal)),
    [edit('Failed', commitIs(found('d'.repeat(40)))), ask('Succeeded', 'rebuild')],
    pushes,
    pushes,
  ],
  [
    'built again after it was cancelled',
    given(),
    [ask('Running', 'cancel'), ask('Cancelled', 'rebuild')],
    { is: 'never' },
    pushes,
  ],
  ['built again from a phase nobody knows', given({}, { phase: 'Wondering' }), [ask('Wondering', 'rebuild')]],
  ['built again, then its Job fails', given(), [ask('Succeeded', 'rebuild')], pushes, fails],
  ['the branch is pushed while it runs', connected(branch), [ask('Running', 'push')], { is: 'never' }, pushes],
  ['reset by hand, the Job is kept', given(), [edit('Succeeded', reset)], pushes, pushes],
  [
    'reset by hand, the Job is deleted',
    given(),
    [edit('Succeeded', (environment) => (dropJob(environment), reset(environment)))],
    pushes,
    pushes,
  ],
  ['reset by hand while it runs', given(), [edit('Running', reset)], { is: 'never' }, pushes],
  [
    'reset by hand after a cancel',
    given(),
    [edit('Running', askCancel), edit('Cancelled', reset)],
    { is: 'never' },
    pushes,
  ],
  ['reset by hand, then no digest', given(), [edit('Succeeded', reset)], pushes, { is: 'pushesNothing' }],
  [
    'reset by hand, the pods outlive their Job',
    given(),
    [edit('Succeeded', (environment) => (orphanPods(environment), reset(environment)))],
    pushes,
    { is: 'pushesNothing' },
  ],
  [
    'the log of both runs is archived',
    (environment) => (withStore(environment), given({ logStoreRef: { name: 'logs' } })(environment)),
    [command('rebuild', (environment) => statusOf(environment)?.logRef?.startsWith('object:') === true)],
    pushes,
    pushes,
  ],
];

const endFailed = [
  'the Job fails',
  'the Job pushes nothing',
  'the log is gone before the digest was read',
  'the pods are gone before the digest was read',
  'the log of a failed Job is archived',
  'no registry is set',
  'a context leaves the repository',
  'the Job is deleted by hand',
  'built again, then its Job fails',
  'reset by hand, then no digest',
  'reset by hand, the pods outlive their Job',
];
const endCancelled = /^(cancelled|phase Cancelled)/;

/** A Failed build is not requeued: a log that its last pass could not archive stays where it is (decision 47). */
const logNotArchived = (difference: string) =>
  difference.startsWith('stored ') || difference.startsWith(`CoreBuild ${name}.status.logRef:`);

/** What one process did not archive, another one may. */
const logArchivedLate: Path['mayWrite'] = ({ body }) =>
  body !== undefined && Object.keys(Object(body)).join() === 'logRef';

/** The lives of a build, seen from outside: every ending, every way to stop it and to start over. */
export const paths: readonly Path[] = told.map(([title, prepared, script = [], ...ends]) => ({
  name: title,
  given: prepared,
  script,
  ends: [endFailed.includes(title) ? 'Failed' : endCancelled.test(title) ? 'Cancelled' : 'Succeeded'],
  actors: (environment) => [nodesOf(environment, (index) => ends[Math.min(index, ends.length - 1)] ?? pushes)],
  ...(title === 'the log of a failed Job is archived' ? { mayDiffer: logNotArchived, mayWrite: logArchivedLate } : {}),
}));
