import * as assert from 'uvu/assert';
import type { BuildStatus } from '../../../../crds/coreBuild.ts';
import { jobs, pods } from '../../../../runtime/services/cluster/resources.ts';
import { manualReset } from '../../../support/reset.ts';
import { suite } from '../../../support/suite.ts';
import { digest, type TestEnvironment } from '../../../support/environment.ts';
import { connect, leftOver, withStore } from './objects.ts';
import { branch, checked, startSession, type Session, name } from './session.ts';

const spec = suite('rebuilds, cancels and resting builds');
const head = (of: string) => (environment: TestEnvironment) =>
  void (environment.git.commit = { is: 'found', value: of.repeat(40) });
const checks = (conclusion: string) => (environment: TestEnvironment) =>
  void (environment.git.checks = { is: 'found', value: [{ name: 'test', status: 'completed', conclusion }] });
const day = 86_400;
const otherRun = '2020-01-01T00:00:00.000Z';
const uidOf = (given: Session) => given.job()?.metadata.uid;

/** A build of main at commit `a` that has ended. */
async function ended(end: 'Succeeded' | 'Failed' | 'Cancelled'): Promise<Session> {
  const given = await startSession(branch, (environment) => (connect(environment), head('a')(environment)));
  if (end === 'Cancelled') await given.ask('cancel');
  else await given.ends(end === 'Failed' ? 'Failed' : 'Complete', digest('1'));
  assert.is(given.status().phase, end);
  return given;
}
const ends = ['Succeeded', 'Failed', 'Cancelled'] as const;

/** The three ways to start over. */
const ways: readonly (readonly [string, (given: Session) => Promise<void>])[] = [
  ['BLD-169 a push', (given) => given.ask('push')],
  ['BLD-170 a rebuild', (given) => given.ask('rebuild')],
  ['BLD-107 BLD-171 a reset by hand', (given) => given.patch(manualReset)],
];

for (const [way, again] of ways)
  spec(`${way} resets a build to Pending without its last run and Job, and builds the current head`, async () => {
    for (const end of ends) {
      const given = await ended(end);
      const [oldJob, oldRun] = [uidOf(given), given.status().startedAt];
      await given.edit(head('b'));
      given.versions.length = 0;
      await again(given);
      const [first] = given.versions;
      const { phase, imageDigest, completedAt, startedAt, logRef, sourceRevision } = first?.status ?? {};
      assert.is(phase, 'Pending');
      assert.equal(
        [imageDigest, completedAt, startedAt, logRef, sourceRevision].filter((one) => (one ?? '') !== ''),
        [],
      );
      assert.is(given.status().phase, 'Running');
      assert.is.not(given.status().startedAt, oldRun);
      assert.is.not(uidOf(given), oldJob);
      assert.equal([given.status().sourceRevision, given.variable('COMMIT')], ['b'.repeat(40), 'b'.repeat(40)]);
      await given.ends('Complete', digest('2'));
      assert.equal([given.status().phase, given.status().imageDigest], ['Succeeded', digest('2')]);
      await given.end();
    }
  });

spec('BLD-109 BLD-171 a reset that keeps the commit builds the same commit', async () => {
  for (const end of ends) {
    const given = await ended(end);
    await given.edit(head('b'));
    const { sourceRevision: _, ...reset } = manualReset;
    await given.patch(reset);
    assert.equal([given.status().phase, given.variable('COMMIT')], ['Running', 'a'.repeat(40)]);
    await given.end();
  }
});

spec('BLD-104 BLD-108 the Job and the result of the last run are removed before the next Job is created', async () => {
  for (const [, again] of ways) {
    const given = await ended('Succeeded');
    const old = uidOf(given);
    await again(given);
    const now = uidOf(given);
    assert.equal(given.seenJobs, [`added ${old}`, `deleted ${old}`, `added ${now}`]);
    assert.equal([given.status().phase, given.status().imageDigest], ['Running', undefined]);
    await given.end();
  }
});

spec('BLD-119 only a reset build has the phase Pending, a new one has none', async () => {
  const given = await startSession(branch, connect);
  const phases = () => given.versions.map(({ status }) => status?.phase ?? '');
  assert.not.ok(phases().includes('Pending'), phases().join());
  for (const [way, again] of ways) {
    given.versions.length = 0;
    await again(given);
    assert.is(phases()[0], 'Pending', way);
  }
  await given.end();
});

spec('BLD-046 every run pushes to the same tag, and the digest of the last run is recorded', async () => {
  const registry = 'host:5000/apps/shop:fixed';
  const given = await startSession({ registry });
  const pushed: string[] = [];
  for (const each of ['1', '2']) {
    pushed.push(/--destination=[^"]*/.exec(JSON.stringify(given.job()))?.[0] ?? '');
    await given.ends('Complete', digest(each));
    assert.equal([given.status().image, given.status().imageDigest], [registry, digest(each)]);
    await given.ask('rebuild');
  }
  assert.equal(pushed, [`--destination=${registry}`, `--destination=${registry}`]);
  await given.end();
});

spec('BLD-061 BLD-106 a digest is read in every run, from the pod of that run', async () => {
  const given = await ended('Succeeded');
  const orphans = given.environment.cluster
    .all(pods)
    .map((pod) => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [] } }));
  await given.ask('rebuild');
  for (const pod of orphans) given.environment.cluster.put(pods, pod);
  await given.ends('Complete', '');
  assert.is(given.status().failureReason, 'Builder completed without an immutable image digest');
  await given.ask('rebuild');
  await given.ends('Complete', digest('2'));
  assert.is(given.status().imageDigest, digest('2'));
  await given.end();
});

spec('BLD-122 a rebuild requests the current head from the Git host', async () => {
  const given = await ended('Succeeded');
  given.asked.length = 0;
  await given.pass(3_600);
  await given.ask('rebuild');
  assert.equal(
    given.asked.map(({ at, question }) => [at, question]),
    [[3_600, 'commit main']],
  );
  await given.end();
});

spec('BLD-144 a push builds the new head when a check of the older commit had failed', async () => {
  const given = await startSession(
    checked,
    (environment) => (connect(environment), head('a')(environment), checks('failure')(environment)),
  );
  assert.is(given.status().phase, 'Failed');
  await given.edit((environment) => (head('b')(environment), checks('success')(environment)));
  await given.ask('push');
  assert.equal([given.status().phase, given.variable('COMMIT')], ['Running', 'b'.repeat(40)]);
  await given.end();
});

/** Circumstances of a build before its first pass. */
const beginnings: readonly (readonly [
  string,
  Parameters<typeof startSession>[0],
  (environment: TestEnvironment) => void,
  BuildStatus?,
])[] = [
  ['all is well', branch, connect],
  ['no registry is set', { registry: '' }, () => {}],
  ['the context leaves', { context: '..' }, () => {}],
  ['the connection is absent', branch, () => {}],
  [
    'the Git host is silent',
    branch,
    (environment) => (connect(environment), void (environment.git.commit = { is: 'silent', why: '' })),
  ],
  ['a check failed', checked, (environment) => (connect(environment), checks('failure')(environment))],
  ['it is cancelled', branch, connect, { cancelRequested: true }],
];
for (const [when, own, prepare, status = {}] of beginnings)
  spec(`BLD-148 an empty phase is handled as Pending: ${when}`, async () => {
    const [empty, pending] = [
      await startSession(own, prepare, Object.keys(status).length === 0 ? undefined : status),
      await startSession(own, prepare, { ...status, phase: 'Pending' }),
    ];
    assert.equal(empty.moves(), pending.moves());
    assert.equal(empty.status(), pending.status());
    assert.is(empty.looksIn(), pending.looksIn());
    assert.is(empty.seenJobs.length, pending.seenJobs.length);
    for (const given of [empty, pending]) await given.end();
  });

for (const [ids, what, phase, run] of [
  ['BLD-105 BLD-148', 'a Job of its name', undefined, undefined],
  ['BLD-105 BLD-177', 'a Job of its name', 'Pending', undefined],
  ['BLD-105 BLD-177', 'the Job of another run', 'Pending', otherRun],
] as const)
  spec(`${ids} ${what} is removed before a new build creates its Job, phase ${phase ?? 'empty'}`, async () => {
    const given = await startSession({}, (environment) => leftOver(environment, name, run), phase && { phase });
    assert.equal(given.seenJobs, ['added left-over', 'deleted left-over']);
    await given.pass(5);
    assert.is(given.seenJobs[2], `added ${uidOf(given)}`);
    assert.is(given.status().phase, 'Running');
    await given.end();
  });

spec('BLD-177 a build stays Pending until the deletion of an earlier Job is seen', async () => {
  const given = await ended('Succeeded');
  const old = given.job();
  assert.ok(old);
  const hold = (finalizers: readonly string[]) => (environment: TestEnvironment) => {
    const [job] = environment.cluster.all(jobs);
    if (job) environment.cluster.put(jobs, { ...job, metadata: { ...job.metadata, finalizers } });
  };
  await given.edit(hold(['example.org/holds']));
  await given.ask('rebuild');
  for (const seconds of [0, 5, 20]) {
    await given.pass(seconds);
    assert.equal([given.status().phase, uidOf(given), given.looksIn()], ['Pending', old.metadata.uid, 5]);
  }
  assert.ok(given.job()?.metadata.deletionTimestamp);
  await given.pass(2);
  await given.edit((environment) => (hold([])(environment), environment.cluster.drop(jobs, old.metadata.name)));
  assert.is(given.status().phase, 'Running');
  assert.is.not(uidOf(given), old.metadata.uid);
  await given.end();
});

spec(
  'BLD-179 the Job of the claimed run, left by an operator that died, is adopted and not created again',
  async () => {
    const run = '2027-01-01T00:00:00.000Z';
    for (const phase of ['Pending', 'WaitingForCI', 'Failed'] as const) {
      const given = await startSession({}, (environment) => leftOver(environment, name, run), {
        phase,
        startedAt: run,
      });
      assert.equal(given.seenJobs, ['added left-over'], phase);
      assert.ok(given.moves()[0]?.endsWith('ownJobFound Running'), given.moves().join());
      assert.is(given.status().startedAt, run);
      await given.end();
    }
  },
);

spec('BLD-076 BLD-167 cancelRequested stops a build in each state that allows a cancel', async () => {
  for (const [phase, own] of [
    ['Pending', branch],
    ['WaitingForCI', checked],
    ['Running', branch],
  ] as const) {
    for (const cancelRequested of [true, false]) {
      const given = await startSession(own, connect, phase === 'Pending' ? { cancelRequested } : undefined);
      if (phase !== 'Pending') {
        assert.is(given.status().phase, phase);
        await given.patch({ cancelRequested });
      }
      const current = phase === 'Pending' ? 'Running' : phase;
      assert.is(given.status().phase, cancelRequested ? 'Cancelled' : current, `${phase} ${cancelRequested}`);
      assert.is(given.job() === undefined, cancelRequested || current !== 'Running');
      await given.end();
    }
  }
});

spec('BLD-184 a cancelled build stays cancelled, and its remaining Job is removed', async () => {
  const given = await startSession();
  const job = given.job();
  assert.ok(job);
  await given.ask('cancel');
  assert.is(given.job(), undefined);
  await given.edit(({ cluster }) => void cluster.put(jobs, job));
  assert.equal([given.status().phase, given.job()], ['Cancelled', undefined]);
  await given.pass(day);
  assert.is(given.status().phase, 'Cancelled');
  await given.end();
});

spec('BLD-185 a cancel kept by a reset is cleared, and the build runs', async () => {
  const given = await startSession();
  await given.patch({ cancelRequested: true });
  assert.is(given.status().phase, 'Cancelled');
  await given.patch(manualReset);
  assert.equal([given.status().phase, given.status().cancelRequested], ['Running', undefined]);
  await given.end();
});

const resting: readonly (readonly [string, () => Promise<Session>])[] = [
  ['BLD-172 a build whose Job failed', () => ended('Failed')],
  ['BLD-173 a cancelled build', () => ended('Cancelled')],
  ['BLD-095 BLD-174 a build that succeeded, without a log store,', () => ended('Succeeded')],
  [
    'BLD-174 a build that succeeded, whose log is in its store,',
    async () => {
      const given = await startSession(
        { ...branch, logStoreRef: { name: 'logs' } },
        (environment) => (connect(environment), withStore(environment)),
      );
      given.environment.cluster.logs.set(`${name}-builder-${uidOf(given)}`, 'built\n');
      await given.ends('Complete', digest('1'));
      assert.ok(given.status().logRef?.startsWith('object://'));
      return given;
    },
  ],
];
for (const [title, begin] of resting)
  spec(`${title} rests until a push, a rebuild or a reset`, async () => {
    for (const [, again] of ways) {
      const given = await begin();
      given.asked.length = 0;
      const before = given.build();
      await given.edit(head('b'));
      await given.pass(3_600);
      await given.loseJob();
      await given.pass(day);
      assert.equal(given.build(), before);
      assert.equal([given.asked, given.looksIn()], [[], null]);
      await again(given);
      assert.is(given.status().phase, 'Running');
      await given.end();
    }
  });

spec('BLD-087 the result of a build stays in its status after its Job, its pods and its log are deleted', async () => {
  const given = await ended('Succeeded');
  assert.match(JSON.stringify(given.job()?.spec), '"ttlSecondsAfterFinished":3600');
  const before = given.status();
  await given.loseJob();
  await given.pass(day);
  assert.equal(given.status(), before);
  assert.is(given.status().imageDigest, digest('1'));
  await given.end();
});

spec.run();
