import * as assert from 'uvu/assert';
import type { BuildSpec } from '../../../../crds/coreBuild.ts';
import type { CheckRun, GitAnswer } from '../../../../rules/gitAnswer.ts';
import { builds, connections } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { connect } from './objects.ts';
import { branch, checked, startSession, type Session, name } from './session.ts';

const spec = suite('a build before its Job');

type Cause = (environment: TestEnvironment) => void;
const run = (conclusion: string | null): CheckRun => ({
  name: 'test',
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
});
const refused: GitAnswer<never> = { is: 'refused', code: 403, status: '403 Forbidden' };
const silent: GitAnswer<never> = { is: 'silent', why: 'timeout' };
const found = { is: 'found', value: 'c'.repeat(40) } as const;
const limitSeconds = 100;

const commit =
  (answer: GitAnswer<string>): Cause =>
  (environment) =>
    void (environment.git.commit = answer);
const checks =
  (...runs: readonly CheckRun[]): Cause =>
  (environment) =>
    void (environment.git.checks = { is: 'found', value: runs });
const both =
  (answer: GitAnswer<never>): Cause =>
  (environment) =>
    void (environment.git.commit = environment.git.checks = answer);
const limits: Cause = (environment) =>
  both({ is: 'limited', until: environment.now() + limitSeconds * 1_000 })(environment);
const setting =
  (change: Partial<BuildSpec>): Cause =>
  (environment) => {
    const build = environment.build(name);
    if (build) environment.cluster.put(builds, { ...build, spec: { ...build.spec, ...change } });
  };
const noConnection: Cause = (environment) => environment.cluster.drop(connections, 'host');
const noSecret: Cause = (environment) => environment.cluster.drop(secrets, 'host-token');
const noToken: Cause = (environment) =>
  void environment.cluster.put(secrets, { metadata: { name: 'host-token', namespace: 'core-system' }, data: {} });

/** A build in each state that needs no Job, and in how many seconds it is requeued there. */
const states = {
  Pending: { seconds: 0 },
  WaitingForCI: { seconds: 15, begins: checks(run(null)) },
  FailedBeforeJob: { seconds: 30, begins: commit(refused) },
} as const;
type From = keyof typeof states;

/** From a state, under a cause: the move, if any, and the resulting status. */
interface Row {
  readonly id: string;
  readonly from: From;
  readonly when: string;
  readonly spec?: Partial<BuildSpec>;
  readonly cause?: Cause;
  readonly event?: string;
  readonly phase: 'WaitingForCI' | 'Running' | 'Failed';
  readonly says?: string;
  /** Seconds until it is requeued; null for never. */
  readonly look: number | null;
  readonly ciState?: string | undefined;
}

const noRegistry = {
  when: 'no registry is set',
  spec: { registry: '' },
  says: 'no container registry is set for builds',
};
const leaves = {
  when: 'the context leaves',
  spec: { context: '../../../..' },
  says: 'build context path leaves the repository',
};
const unconnected = {
  when: 'no connection is named',
  spec: { connectionRef: undefined },
  says: 'GitHost connection reference is required to resolve a branch',
} as unknown as Pick<Row, 'when' | 'spec' | 'says'>;
const failing = { cause: checks(run('failure')), says: 'GitHost check "test" concluded failure', ciState: 'failure' };
const refusal = 'Git host API returned 403 Forbidden';
const waits = { phase: 'WaitingForCI' } as const;
const fails = { phase: 'Failed' } as const;
const runs = { phase: 'Running', look: 5 } as const;
const set = { event: 'settingStayedWrong', look: null } as const;

const rows: readonly Row[] = [
  { id: 'BLD-149', from: 'Pending', ...noRegistry, event: 'registryMissing', ...fails, look: null },
  { id: 'BLD-149', from: 'WaitingForCI', ...noRegistry, event: 'registryMissing', ...fails, look: null },
  { id: 'BLD-037 BLD-150', from: 'Pending', ...leaves, event: 'contextEscaped', ...fails, look: null },
  { id: 'BLD-150', from: 'WaitingForCI', ...leaves, event: 'contextEscaped', ...fails, look: null },
  { id: 'BLD-151', from: 'Pending', ...unconnected, event: 'connectionUnset', ...fails, look: null },
  { id: 'BLD-162', from: 'FailedBeforeJob', ...noRegistry, ...set, ...fails },
  { id: 'BLD-162', from: 'FailedBeforeJob', ...leaves, ...set, ...fails },
  { id: 'BLD-162', from: 'FailedBeforeJob', ...unconnected, ...set, ...fails },

  {
    id: 'BLD-152',
    from: 'Pending',
    when: 'checks are to be awaited',
    spec: checked,
    event: 'checksAwaited',
    ...waits,
    look: 15,
    ciState: 'pending',
  },
  { id: 'BLD-154', from: 'Pending', when: 'nothing is to be awaited', event: 'jobCreated', ...runs },
  { id: 'BLD-155', from: 'WaitingForCI', when: 'there is no check', cause: checks(), ...waits, look: 15 },
  { id: 'BLD-155', from: 'WaitingForCI', when: 'one is not completed', ...waits, look: 15 },
  {
    id: 'BLD-156',
    from: 'WaitingForCI',
    when: 'every check succeeded',
    cause: checks(run('success')),
    event: 'checksPassed',
    ...runs,
    ciState: 'success',
  },
  { id: 'BLD-157', from: 'WaitingForCI', when: 'a check failed', ...failing, event: 'checkFailed', ...fails, look: 30 },
  {
    id: 'BLD-159',
    from: 'FailedBeforeJob',
    when: 'the Git host answers again',
    cause: commit(found),
    event: 'causeCleared',
    ...runs,
  },
  {
    id: 'BLD-159',
    from: 'FailedBeforeJob',
    when: 'it answers again, and every check succeeded',
    spec: checked,
    cause: (environment) => (commit(found)(environment), checks(run('success'))(environment)),
    event: 'causeCleared',
    ...runs,
    ciState: 'success',
  },
  ...[[], [run(null)]].map((those): Row => ({
    id: 'BLD-160',
    from: 'FailedBeforeJob',
    when: those.length === 0 ? 'it answers again, and there is no check' : 'it answers again, and one is not completed',
    spec: checked,
    cause: (environment) => (commit(found)(environment), checks(...those)(environment)),
    event: 'checksPending',
    ...waits,
    look: 15,
    ciState: 'pending',
  })),
  {
    id: 'BLD-161',
    from: 'FailedBeforeJob',
    when: 'a check failed',
    spec: checked,
    ...failing,
    cause: (environment) => (commit(found)(environment), failing.cause(environment)),
    event: 'checkStayedFailed',
    ...fails,
    look: 30,
  },

  ...(['Pending', 'WaitingForCI', 'FailedBeforeJob'] as const).map((from): Row => ({
    id: 'BLD-158',
    from,
    when: 'the Git host refuses',
    cause: both(refused),
    ...fails,
    ...(from === 'FailedBeforeJob' ? {} : { event: 'gitHostRefused' }),
    says: from === 'WaitingForCI' ? `${refusal}: reading check runs needs the Checks: Read permission` : refusal,
    look: 30,
  })),
  {
    id: 'BLD-153',
    from: 'Pending',
    when: 'the Git host is silent',
    cause: both(silent),
    event: 'gitHostSilent',
    ...waits,
    look: 15,
  },
  { id: 'BLD-181', from: 'WaitingForCI', when: 'it is silent', cause: both(silent), ...waits, look: 15 },
  {
    id: 'BLD-181',
    from: 'WaitingForCI',
    when: 'it limits the rate',
    cause: limits,
    ...waits,
    look: limitSeconds - states.WaitingForCI.seconds,
  },
  {
    id: 'BLD-182',
    from: 'FailedBeforeJob',
    when: 'it is silent',
    cause: both(silent),
    ...fails,
    says: refusal,
    look: 30,
  },
  {
    id: 'BLD-182',
    from: 'FailedBeforeJob',
    when: 'it limits the rate',
    cause: limits,
    ...fails,
    says: refusal,
    look: limitSeconds - states.FailedBeforeJob.seconds,
  },
  ...(['Pending', 'WaitingForCI', 'FailedBeforeJob'] as const).flatMap((from) =>
    (
      [
        ['the connection is absent', noConnection],
        ['the connection is not Ready', noSecret],
        ['the connection has no token', noToken],
      ] as const
    ).map(([when, cause]): Row => ({
      id: 'BLD-187',
      from,
      when,
      cause,
      ...(from === 'WaitingForCI' ? {} : { event: 'connectionNotReady' }),
      ...waits,
      look: 15,
    })),
  ),
];

/** Brings a build into the state, applies the cause, and runs the next pass under it. */
async function underCause({ from, spec: change = {}, cause = () => {} }: Row): Promise<Session> {
  const { seconds } = states[from];
  const begins: Cause = from === 'Pending' ? cause : states[from].begins;
  const own = from === 'WaitingForCI' ? checked : branch;
  const isKept = from === 'Pending' || change.waitForCI === true;
  const given = await startSession(
    { ...own, ...(isKept ? change : {}) },
    (environment) => (connect(environment), begins(environment)),
  );
  if (from === 'Pending') return given;
  assert.is(given.status().phase, from === 'WaitingForCI' ? from : 'Failed', 'how it begins');
  await given.edit((environment) => (cause(environment), setting(isKept ? {} : change)(environment)));
  await given.pass(seconds);
  return given;
}

for (const row of rows)
  spec(`${row.id} a build in ${row.from} has the phase ${row.phase} when ${row.when}`, async () => {
    const given = await underCause(row);
    const { phase, failureReason, ciState } = given.status();
    assert.is(phase, row.phase);
    if (row.says === undefined) assert.is(failureReason, undefined);
    else assert.ok(failureReason?.startsWith(row.says), failureReason);
    const to = phase === 'Failed' ? 'FailedBeforeJob' : phase;
    if (row.event !== undefined)
      assert.ok(given.moves().includes(`${row.from} ${row.event} ${to}`), given.moves().join());
    assert.is(given.looksIn(), row.look);
    const kept = row.from === 'WaitingForCI' ? 'pending' : undefined;
    assert.is(ciState, 'ciState' in row ? row.ciState : kept);
    assert.is(
      given.environment.cluster.created.filter(({ plural }) => plural === 'jobs').length,
      phase === 'Running' ? 1 : 0,
    );
    await given.end();
  });

spec('BLD-187 a build that waits for its connection continues at once when the connection is ready', async () => {
  const given = await startSession(branch);
  assert.is(given.status().phase, 'WaitingForCI');
  await given.edit(connect);
  assert.is(given.status().phase, 'Running');
  await given.end();
});

spec('BLD-117 a build in WaitingForCI waits for check runs or for the Git host', async () => {
  for (const [own, cause] of [
    [checked, checks()],
    [branch, both(silent)],
  ] as const) {
    const given = await startSession(own, (environment) => (connect(environment), cause(environment)));
    await given.pass(3_600);
    assert.is(given.status().phase, 'WaitingForCI');
    await given.end();
  }
});

spec(
  'BLD-039 BLD-092 BLD-155 a commit without check runs waits without limit, is checked every 15 s, and has no Job',
  async () => {
    const given = await startSession(checked, (environment) => (connect(environment), checks()(environment)));
    const hours = 6;
    await given.pass(hours * 3_600);
    const asked = given.asked.filter(({ question }) => question.startsWith('checks'));
    assert.equal(
      asked.map(({ at }) => at),
      Array.from({ length: (hours * 3_600) / 15 + 1 }, (_, index) => index * 15),
    );
    assert.equal([given.status().phase, given.status().ciState], ['WaitingForCI', 'pending']);
    await given.edit(checks(run('success'), run(null)));
    await given.pass(15);
    assert.equal(given.seenJobs, [], 'one that goes on holds it back');
    await given.edit(checks(run('success'), run('success')));
    await given.pass(15);
    assert.is(given.seenJobs.length, 1);
    await given.end();
  },
);

spec('BLD-115 BLD-116 BLD-158 a refusal of the Git host or a failed check is retried every 30 s', async () => {
  for (const [own, cause, asked] of [
    [branch, both(refused), 'commit main'],
    [checked, checks(run('failure')), `checks ${found.value}`],
  ] as const) {
    const given = await startSession(own, (environment) => (connect(environment), cause(environment)));
    await given.pass(90);
    assert.equal(
      given.asked.filter(({ question }) => question === asked).map(({ at }) => at),
      [0, 30, 60, 90],
    );
    await given.edit((environment) => (commit(found)(environment), checks(run('success'))(environment)));
    await given.pass(30);
    assert.is(given.status().phase, 'Running');
    await given.pass(300);
    assert.is(given.asked.at(-1)?.at, 120, 'no more once its Job is there');
    await given.end();
  }
});

spec.run();
