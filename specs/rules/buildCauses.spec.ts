import * as assert from 'uvu/assert';
import type { StoredCause } from '../../crds/cause.ts';
import { type BuildStanding, causesOfBuildIn } from '../../rules/build/causes.ts';
import type { Blocker } from '../../rules/build/blockers.ts';
import { digestMissing } from '../../rules/build/commit.ts';
import { endOfRun } from '../../rules/build/runCauses.ts';
import { recordedCauses } from '../../rules/cause/record.ts';
import { known, unasked } from '../../rules/fact.ts';
import type { CheckRun } from '../../rules/gitAnswer.ts';
import type { StartingPod } from '../../rules/pods.ts';
import { textFor } from '../../rules/words.ts';
import { fine } from '../lifecycles/build/facts.ts';
import { suite } from '../support/suite.ts';

const spec = suite('causes of builds');

const self = { kind: 'CoreBuild', name: 'shop-build-1', namespace: 'core-system' };
const connection = { kind: 'CoreGitHostConnection', name: 'host', namespace: 'core-system' };
const job = { kind: 'Job', name: 'shop-build-1-builder', namespace: 'core-system' };

const standing: BuildStanding = {
  state: 'WaitingForCI',
  self,
  facts: fine,
  repository: 'demo/shop',
  isAtEmbeddedHost: true,
  connectionReady: { reason: 'TokenRefused', message: '' },
  job,
  jobFailure: '',
  failedPods: 0,
  end: () => null,
  imageOf: (container) => `${container}:1`,
  failureReason: '',
  recorded: [],
};

type Facts = Partial<BuildStanding['facts']>;
const findAll = ({ facts = {}, ...more }: Partial<Omit<BuildStanding, 'facts'>> & { readonly facts?: Facts }) =>
  causesOfBuildIn({ ...standing, ...more, facts: { ...fine, ...facts } });
const find = (given: Parameters<typeof findAll>[0]) => findAll(given)[0];
const told = (given: Parameters<typeof findAll>[0]) => {
  const cause = find(given);
  return cause && [cause.reason, cause.message.text, cause.on.kind];
};

const unresolved: Facts = { sourceRevision: '', pushes: { head: '', deliveries: [] } };
const refused = (code: number, status: string) => known({ is: 'refused', code, status } as const);
const missing: Facts = { ...unresolved, commit: refused(404, '404 Not Found') };

spec('BLD-158 a 404 of the embedded Git host before any commit waits for the first push', () => {
  for (const state of ['FailedBeforeJob', 'WaitingForCI'] as const)
    assert.equal(told({ state, facts: missing }), ['FirstPushAwaited', 'nothing was pushed yet', 'CoreBuild']);
  const [recorded] = recordedCauses([], { found: findAll({ facts: missing }), gaveUp: false }, 0).causes;
  assert.is(recorded?.severity, 'waiting');
});

spec('BLD-158 any other refusal names repository and who is at fault', () => {
  const gone = ['GitHostRefused', 'Git host API returned 404 Not Found for demo/shop', 'CoreBuild'];
  assert.equal(told({ isAtEmbeddedHost: false, facts: missing }), gone);
  assert.equal(told({ facts: { ...missing, revision: 'abc' } }), gone, 'of a named commit');
  assert.equal(told({ facts: { ...missing, pushes: { head: 'abc', deliveries: [] } } }), gone, 'after a push');
  assert.equal(told({ facts: { commit: refused(401, '401 Unauthorized') } }), [
    'GitHostRefused',
    'Git host API returned 401 Unauthorized for demo/shop',
    'CoreGitHostConnection',
  ]);
  const checks = told({ facts: { waitForCI: true, checks: refused(403, '403 Forbidden') } });
  assert.match(checks?.[1] ?? '', 'returned 403 Forbidden for demo/shop: reading check runs needs');
  assert.is(checks?.[2], 'CoreGitHostConnection');
});

spec('BLD-158 the repository is hidden from viewers', () => {
  const cause = find({ facts: { commit: refused(422, '422 Unprocessable Entity') } });
  assert.ok(cause && !textFor(cause.message, 'observer')?.includes('demo/shop'));
});

spec('BLD-153 BLD-181 a silent or limiting Git host is a cause of the connection, and of no failure', () => {
  assert.equal(told({ facts: { commit: known({ is: 'silent', why: 'timeout' }) } }), [
    'GitHostSilent',
    'the Git host does not answer: timeout',
    'CoreGitHostConnection',
  ]);
  const until = Date.parse('2027-01-15T08:00:00Z');
  assert.equal(
    told({ facts: { commit: known({ is: 'limited', until }) } })?.[1],
    ['the Git host limits the rate until 2027-01-15T08:00:00.000Z'].join(),
  );
});

const run = (name: string, conclusion: string | null): CheckRun => ({
  name,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
});
const checks = (...runs: readonly CheckRun[]): Facts => ({
  waitForCI: true,
  checks: known({ is: 'found', value: runs }),
});

spec('BLD-155 checks that have not ended are named and counted', () => {
  assert.equal(told({ facts: checks(run('unit', 'success'), run('e2e', null), run('lint', null)) }), [
    'ChecksPending',
    '1 of 3 checks ended; waiting for "e2e", "lint"',
    'CoreBuild',
  ]);
  assert.is(told({ facts: checks() })?.[1], 'the commit has no check run yet');
});

spec('BLD-157 BLD-161 failed checks are named with their conclusions', () => {
  const facts = checks(run('unit', 'failure'), run('e2e', null), run('lint', 'skipped'));
  assert.equal(told({ state: 'FailedBeforeJob', facts }), [
    'ChecksFailed',
    'check "unit" concluded failure, check "lint" concluded skipped',
    'CoreBuild',
  ]);
});

spec('BLD-149 BLD-150 BLD-151 BLD-162 a setting that stops a build is its own cause', () => {
  for (const state of ['FailedBeforeJob', 'Pending'] as const) {
    assert.equal(told({ state, facts: { registry: '' } })?.slice(0, 2), [
      'RegistryMissing',
      'no container registry is set for builds',
    ]);
    assert.equal(told({ state, facts: { context: '../../..' } })?.slice(0, 2), [
      'SpecInvalid',
      'build context path leaves the repository',
    ]);
    assert.equal(told({ state, facts: { connectionRef: '' } })?.slice(0, 2), [
      'GitConnectionNotReady',
      'GitHost connection reference is required to resolve a branch',
    ]);
  }
});

spec('BLD-187 a connection that is not ready is named with its own message', () => {
  const facts: Facts = { connection: known('notReady') };
  const cause = find({ facts, connectionReady: { reason: 'TokenRefused', message: 'Secret "t" lacks "token"' } });
  assert.is(cause?.message.text, 'Git host connection "host" is not ready: Secret "t" lacks "token"');
  assert.equal(cause?.on, connection);
  assert.is(textFor(cause?.message ?? { text: '' }, 'viewer'), 'Git host connection "…" is not ready: …');
  assert.is(told({ facts: { connection: known('noToken') } })?.[1], 'Git host connection "host" has no token');
});

spec('BLD-187 a connection that is new or whose token is being renewed is waited for, and is no failure', () => {
  const facts: Facts = { connection: known('notReady') };
  const severityAt = (reason: string | null) =>
    find({ facts, connectionReady: reason === null ? null : { reason, message: '' } })?.severity;
  assert.equal([null, 'TokenRenewing', 'TokenRefused'].map(severityAt), ['waiting', 'waiting', undefined]);
});

const blocker = (of: Partial<Blocker>): Blocker => ({
  is: 'waits',
  pod: 'p',
  container: 'builder',
  reason: '',
  says: 'words',
  ...of,
});
const running = (of: Partial<Blocker> | null, more: Partial<BuildStanding> = {}) =>
  told({ ...more, state: 'Running', facts: { hindrance: of && blocker(of) } });

spec('BLD-163 what blocks a running Job is the cause of the build, on its Job', () => {
  assert.equal(running({ is: 'unplaced' }), ['Unschedulable', 'no node takes the copy: words', 'Job']);
  assert.equal(running({ is: 'refused', says: 'pods "x" is forbidden: exceeded quota: q' })?.[0], 'QuotaExceeded');
  assert.equal(running({ is: 'refused' }), ['PodsRefused', 'the cluster refuses the copies: words', 'Job']);
  assert.equal(running({ reason: 'FailedMount' }), ['VolumeFailed', 'a volume cannot be mounted: words', 'Job']);
  assert.equal(running({ reason: 'ImagePullBackOff' }), [
    'ImagePullFailed',
    'image "builder:1" cannot be pulled: ImagePullBackOff: words',
    'Job',
  ]);
  assert.is(running({ reason: 'CreateContainerConfigError', container: 'git' })?.[0], 'ContainerConfigMissing');
  assert.is(running({ is: 'notOwn' })?.[0], 'ForeignObject');
});

const pod = (status: object): StartingPod => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'builder', resources: { limits: { memory: '1Gi' } } }] },
  status: { phase: 'Failed', ...status },
});
const ended = (exitCode: number, message: string, reason = 'Error') =>
  pod({ containerStatuses: [{ name: 'builder', state: { terminated: { exitCode, reason, message } } }] });
const endOf = (pods: readonly StartingPod[], secrets: readonly string[] = []) => {
  const end = endOfRun(pods, () => secrets);
  return { end: () => end };
};

spec('BLD-163 a Job that retries runs, with the end of its last pod', () => {
  assert.equal(running(null), ['BuildRunning', `commit ${'c'.repeat(12)} is being built`, 'CoreBuild']);
  const retried = find({
    state: 'Running',
    failedPods: 2,
    ...endOf([ended(1, 'error: no space')]),
    facts: { hindrance: blocker({ is: 'ended', reason: 'exit code 1' }) },
  });
  assert.match(retried?.message.text ?? '', 'is being built; container "builder" of pod "p" ended with exit code 1');
  assert.equal([retried?.count, retried?.exitCode, retried?.logLine], [2, 1, 'error: no space']);
});

const failed = (more: Partial<BuildStanding>) => find({ state: 'Failed', ...more });

spec('BLD-164 a failed build names container, exit code and the last error line, without secrets', () => {
  const message = 'error: push with hunter2hunter2 refused\nbye\n';
  const cause = failed(endOf([ended(3, message)], ['hunter2hunter2']));
  assert.is(cause?.reason, 'BuildFailed');
  assert.is(cause?.message.text, `build of ${'c'.repeat(12)} failed in container builder: exit code 3`);
  assert.equal([cause?.exitCode, cause?.logLine, cause?.on], [3, 'error: push with *** refused', self]);
});

spec('BLD-164 a builder that was killed for memory or evicted says so', () => {
  const killed = failed(endOf([ended(137, '', 'OOMKilled')]));
  assert.equal([killed?.reason, killed?.exitCode], ['OutOfMemory', 137]);
  assert.match(killed?.message.text ?? '', 'memory limit of 1Gi');
  const evicted = failed(endOf([pod({ reason: 'Evicted', message: 'low on disk' })]));
  assert.equal(
    [evicted?.reason, evicted?.message.text],
    ['PodsRefused', 'a pod of the build was evicted: low on disk'],
  );
});

spec('BLD-164 a failed build keeps its cause when Job and pods are gone, until it starts over', () => {
  const found = [failed(endOf([ended(3, 'boom')]))].flatMap((cause) => cause ?? []);
  const recorded: readonly StoredCause[] = recordedCauses([], { found, gaveUp: false }, 0).causes;
  const later = recordedCauses(recorded, { found: findAll({ state: 'Failed', recorded }), gaveUp: false }, 1e7);
  assert.equal(later.causes, recorded);
  assert.is(find({ state: 'Pending', recorded })?.reason, 'BuildRunning');
});

spec('BLD-164 BLD-183 without pods the cause says what the Job says, or that it is gone', () => {
  const commit = 'c'.repeat(12);
  assert.is(failed({ jobFailure: 'DeadlineExceeded' })?.message.text, `build of ${commit} failed: DeadlineExceeded`);
  assert.is(failed({})?.message.text, `build of ${commit} failed: its Job is gone`);
});

spec('BLD-166 a build without a digest names the output that is missing', () => {
  const cause = failed({ failureReason: digestMissing.text });
  assert.is(cause?.reason, 'SettingRefused');
  assert.match(cause?.message.text ?? '', 'wrote no sha256 digest to /dev/termination-log');
});

spec('BLD-182 a failure stays while the Git host is silent', () => {
  const found = findAll({ state: 'FailedBeforeJob', facts: missing, isAtEmbeddedHost: false });
  const recorded = recordedCauses([], { found, gaveUp: false }, 0).causes;
  const facts: Facts = { ...unresolved, commit: known({ is: 'silent', why: 'timeout' }) };
  assert.equal(
    findAll({ state: 'FailedBeforeJob', facts, recorded }).map(({ reason }) => reason),
    ['GitHostRefused', 'GitHostSilent'],
  );
  const kept = findAll({ state: 'FailedBeforeJob', facts: { ...unresolved, commit: unasked }, recorded });
  assert.equal(
    kept.map(({ reason }) => reason),
    ['GitHostRefused'],
    'a fact that was not asked for',
  );
});

spec('BLD-153 a pass that asks nobody keeps what the Git host answered last', () => {
  const found = findAll({ facts: { commit: known({ is: 'silent', why: 'timeout' }) } });
  const recorded = recordedCauses([], { found, gaveUp: false }, 0).causes;
  const unknown = { ...unresolved, commit: unasked };
  assert.is(find({ facts: unknown, recorded })?.reason, 'GitHostSilent');
  assert.is(find({ facts: unknown })?.reason, 'BuildRunning');
  assert.is(find({ recorded })?.reason, 'BuildRunning', 'once it has answered');
});

spec('BLD-168 BLD-165 a cancelled build waits for somebody, and one that succeeded has no cause', () => {
  assert.is(find({ state: 'Cancelled' })?.reason, 'BuildCancelled');
  assert.equal(findAll({ state: 'Succeeded' }), []);
});

spec.run();
