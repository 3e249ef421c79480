import * as assert from 'uvu/assert';
import type { BuildStatus } from '../../../../crds/coreBuild.ts';
import type { CheckRun } from '../../../../rules/gitAnswer.ts';
import { jobs, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { suite } from '../../../support/suite.ts';
import { digest, type TestEnvironment } from '../../../support/environment.ts';
import { connect, withStore } from './objects.ts';
import { branch, checked, startSession, type Session, name } from './session.ts';

const spec = suite('the status of a build');
const head = (of: string) => (environment: TestEnvironment) =>
  void (environment.git.commit = { is: 'found', value: of.repeat(40) });
const checksAre =
  (...checks: readonly CheckRun[]) =>
  (environment: TestEnvironment) =>
    void (environment.git.checks = { is: 'found', value: checks });
const check = (check: string, conclusion: string | null): CheckRun => ({
  name: check,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
});
const toTheSecond = (time: string | null | undefined) => time?.slice(0, 19);

spec(
  'BLD-056 BLD-057 BLD-069 BLD-080 a started build records its Job, its image and the address of its log',
  async () => {
    const registry = 'host:5000/apps/shop:fixed';
    const given = await startSession({ registry });
    const { jobRef, image, logRef, phase } = given.status();
    assert.equal([jobRef, image, logRef], [`${name}-builder`, registry, `pod-log://${name}-builder/builder`]);
    assert.is(phase, 'Running');
    assert.equal(
      given.environment.cluster.all(jobs).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      [`core-system/${jobRef}`],
    );
    await given.ends('Complete');
    assert.is(given.status().logRef, logRef, 'while the log is in the pod');
    await given.end();
  },
);

spec('BLD-118 BLD-178 a Running build has its Job, which was claimed before its creation', async () => {
  const wrong: unknown[] = [];
  let claimed: BuildStatus | undefined;
  const given = await startSession(checked, (environment) => {
    connect(environment);
    checksAre(check('test', null))(environment);
    environment.cluster.onChange((changed, type) => {
      if (changed.kind === 'Job' && type === 'added') claimed = environment.build(name)?.status;
      const hasJob = environment.cluster.all(jobs).some(({ metadata }) => metadata.name === `${name}-builder`);
      if (changed.kind === 'CoreBuild' && type === 'modified') {
        const { phase } = (changed as { readonly status?: BuildStatus }).status ?? {};
        if (phase === 'Running' && !hasJob) wrong.push(phase);
      }
    });
  });
  await given.edit(checksAre(check('test', 'success')));
  await given.pass(15);
  assert.is(given.status().phase, 'Running');
  assert.equal(wrong, []);
  const { startedAt, jobRef, image } = given.status();
  assert.equal([claimed?.startedAt, claimed?.jobRef, claimed?.image], [startedAt, jobRef, image]);
  assert.is(claimed?.phase, 'WaitingForCI');
  await given.end();
});

spec('BLD-073 startedAt of a build is the creation time of its Job', async () => {
  const given = await startSession(checked, (environment) => (connect(environment), checksAre()(environment)));
  await given.pass(90);
  assert.is(given.status().startedAt, undefined);
  await given.edit(checksAre(check('test', 'success')));
  await given.pass(15);
  const created = given.job()?.metadata.creationTimestamp;
  assert.is(toTheSecond(created), '2027-01-01T00:01:45');
  assert.is(toTheSecond(given.status().startedAt), toTheSecond(created));
  await given.end();
});

spec(
  'BLD-029 BLD-030 BLD-088 BLD-147 a build clones its branch, and builds the head unless a commit is pinned',
  async () => {
    const pinned = 'e'.repeat(40);
    for (const [revision, asked] of [
      ['', 'commit next'],
      [pinned, `commit ${pinned}`],
    ] as const) {
      const given = await startSession(
        { ...branch, branch: 'next', revision },
        (environment) => (connect(environment), head('b')(environment)),
      );
      assert.equal(
        given.asked.map(({ question }) => question),
        [asked],
      );
      assert.equal([given.variable('BRANCH'), given.variable('COMMIT')], ['next', 'b'.repeat(40)]);
      assert.is(given.moves()[0], 'Pending commitResolved Pending');
      assert.is(given.status().sourceRevision, 'b'.repeat(40));
      await given.end();
    }
    const unasked = await startSession({ revision: pinned, connectionRef: undefined } as never);
    assert.equal([unasked.asked, unasked.variable('COMMIT'), unasked.variable('BRANCH')], [[], pinned, '']);
    await unasked.end();
  },
);

spec('BLD-064 BLD-145 BLD-180 the commit is resolved once and kept for the run when the branch changes', async () => {
  const given = await startSession(
    checked,
    (environment) => (connect(environment), checksAre(check('test', 'failure'))(environment)),
  );
  const commit = 'c'.repeat(40);
  const resolved = () => given.asked.filter(({ question }) => question === 'commit main').length;
  await given.edit(head('d'));
  await given.pass(60);
  assert.equal([given.status().phase, given.status().sourceRevision], ['Failed', commit]);
  await given.edit(checksAre(check('test', 'success')));
  await given.pass(30);
  assert.equal(
    [given.status().phase, given.status().sourceRevision, given.variable('COMMIT')],
    ['Running', commit, commit],
  );
  await given.ends('Complete');
  assert.equal([given.status().sourceRevision, resolved()], [commit, 1]);
  await given.end();

  for (const [answer, state] of [
    [{ is: 'silent', why: 'timeout' }, 'WaitingForCI'],
    [{ is: 'refused', code: 404, status: '404 Not Found' }, 'FailedBeforeJob'],
  ] as const) {
    const late = await startSession(
      branch,
      (environment) => (connect(environment), void (environment.git.commit = answer)),
    );
    assert.is(late.status().sourceRevision, undefined);
    await late.edit(head('d'));
    await late.pass(30);
    assert.ok(late.moves().includes(`${state} commitResolved ${state}`), late.moves().join());
    assert.is(late.status().sourceRevision, 'd'.repeat(40));
    await late.end();
  }
});

spec('BLD-066 BLD-067 BLD-068 ciState and at most fifty names of checks are recorded', async () => {
  const many = Array.from({ length: 60 }, (_, index) => check(`check ${index}`, 'success'));
  const names = many.slice(0, 50).map((one) => one.name);
  for (const [runs, ciState, ciChecks] of [
    [[], 'pending', []],
    [[check('lint', 'success'), check('test', null)], 'pending', ['lint', 'test']],
    [[check('lint', 'success'), check('test', 'failure')], 'failure', ['lint', 'test']],
    [[check('lint', 'success'), check('test', 'success')], 'success', ['lint', 'test']],
    [many, 'success', names],
    [[...many, check('late', 'failure')], 'failure', names],
  ] as const) {
    const given = await startSession(checked, (environment) => (connect(environment), checksAre(...runs)(environment)));
    assert.equal([given.status().ciState, given.status().ciChecks], [ciState, ciChecks]);
    await given.end();
  }
  const free = await startSession(branch, connect);
  assert.equal([free.status().ciState, free.status().ciChecks], [undefined, undefined]);
  await free.end();
});

/** Lives that end in Failed, and the reported reason of each. */
const failures: readonly (readonly [string, () => Promise<Session>])[] = [
  ['no container registry is set for builds', () => startSession({ registry: '' })],
  [
    'Git host API returned 404 Not Found',
    () =>
      startSession(branch, (environment) => {
        connect(environment);
        environment.git.commit = { is: 'refused', code: 404, status: '404 Not Found' };
      }),
  ],
  [
    'GitHost check "test" concluded failure',
    () =>
      startSession(checked, (environment) => (connect(environment), checksAre(check('test', 'failure'))(environment))),
  ],
  ['builder Job failed', () => ended('Failed')],
  ['Builder completed without an immutable image digest', () => ended('Complete', '')],
];
async function ended(outcome: 'Complete' | 'Failed', pushed?: string): Promise<Session> {
  const given = await startSession();
  await given.ends(outcome, pushed);
  return given;
}

spec('BLD-071 failureReason is set only on a failed build', async () => {
  for (const [reason, fails] of failures) {
    const given = await fails();
    assert.equal([given.status().phase, given.status().failureReason], ['Failed', reason]);
    await given.end();
  }
  const fine = await ended('Complete');
  assert.equal([fine.status().phase, fine.status().failureReason], ['Succeeded', undefined]);
  await fine.end();
});

spec('BLD-072 BLD-114 BLD-163 a running build is checked every 5 s, and failed pods are counted', async () => {
  const given = await startSession();
  for (const failed of [0, 1, 2]) {
    await given.edit(({ cluster }) => void cluster.put(jobs, { ...given.job(), status: { failed } } as never));
    await given.pass(5);
    assert.equal([given.status().phase, given.status().retryCount ?? 0, given.looksIn()], ['Running', failed, 5]);
  }
  await given.end();
});

spec(
  'BLD-074 BLD-075 BLD-164 BLD-165 BLD-166 the outcome of a Job and its digest decide the outcome of the build',
  async () => {
    const pushed = digest('7');
    for (const [outcome, message, wanted] of [
      ['Failed', '', { phase: 'Failed', failureReason: 'builder Job failed', retryCount: 3 }],
      ['Failed', pushed, { phase: 'Failed', failureReason: 'builder Job failed', retryCount: 3 }],
      ['Complete', '', { phase: 'Failed', failureReason: 'Builder completed without an immutable image digest' }],
      ['Complete', pushed, { phase: 'Succeeded', imageDigest: pushed, completedAt: '2027-01-01T00:02:00' }],
    ] as const) {
      const given = await startSession();
      await given.pass(120);
      await given.ends(outcome, message);
      const { phase, failureReason, retryCount, imageDigest, completedAt } = given.status();
      assert.equal(
        { phase, failureReason, retryCount, imageDigest, completedAt: toTheSecond(completedAt) },
        { failureReason: undefined, retryCount: undefined, imageDigest: undefined, completedAt: undefined, ...wanted },
      );
      await given.end();
    }
  },
);

spec('BLD-058 BLD-059 the digest is the one in the termination message of the pod that succeeded', async () => {
  const given = await startSession();
  const job = given.job();
  assert.ok(job);
  const message = digest('1');
  given.environment.putPod(job, 'failed', {
    phase: 'Failed',
    containerStatuses: [{ name: 'builder', state: { terminated: { exitCode: 1, message } } }],
  });
  given.environment.cluster.logs.set(`${job.metadata.name}-failed`, `Pushed registry.local/apps/shop@${message}\n`);
  await given.ends('Complete', `${digest('2')}\n`);
  assert.is(given.status().imageDigest, digest('2'));
  await given.end();
});

spec('BLD-051 BLD-070 BLD-095 a build has no further passes when its log is in the named store', async () => {
  const given = await startSession({ logStoreRef: { name: 'logs' } });
  await given.ends('Complete');
  const job = given.job();
  given.environment.cluster.logs.set(`${name}-builder-${job?.metadata.uid}`, 'built\n');
  await given.pass(60);
  assert.is(given.status().logRef, `pod-log://${name}-builder/builder`, 'a store that is not there holds nothing back');
  await given.edit(withStore);
  await given.pass(60);
  assert.is(given.status().logRef, `object://logs/builds/${name}.log`);
  assert.is(given.environment.bucket.get(`builds/${name}.log`)?.text, 'built\n');
  assert.is(given.looksIn(), null);
  await given.end();
});

spec('BLD-186 the log of a failed Job is stored in the ready store and recorded', async () => {
  const given = await startSession({ logStoreRef: { name: 'logs' } }, withStore);
  given.environment.cluster.logs.set(`${name}-builder-${given.job()?.metadata.uid}`, 'broke\n');
  await given.ends('Failed');
  assert.is(given.environment.bucket.get(`builds/${name}.log`)?.text, 'broke\n');
  assert.equal([given.status().phase, given.status().logRef], ['Failed', `object://logs/builds/${name}.log`]);
  await given.end();
});

spec('BLD-090 requests to the Git host use the current token of the connection', async () => {
  const given = await startSession(checked, (environment) => (connect(environment), checksAre()(environment)));
  await given.edit(({ cluster }) => {
    const data = { token: Buffer.from('renewed').toString('base64') };
    cluster.put(secrets, { metadata: { name: 'host-token', namespace: 'core-system' }, data });
  });
  await given.pass(15);
  assert.equal(
    [given.asked[0], given.asked.at(-1)].map((one) => one?.token),
    ['token-of-the-git-host', 'renewed'],
  );
  await given.end();
});

spec.run();
