import * as assert from 'uvu/assert';
import type { BuildState } from '../../../../machines/names.ts';
import { buildEvents } from '../../../../rules/build/events.ts';
import type { BuildFacts } from '../../../../rules/build/facts.ts';
import { byState, decide, requeueAfterMs } from '../../../../rules/engine.ts';
import { known } from '../../../../rules/fact.ts';
import type { CheckRun } from '../../../../rules/gitAnswer.ts';
import { suite } from '../../../support/suite.ts';
import { fine } from '../../../lifecycles/build/facts.ts';

const spec = suite('build failure reasons');
const rules = byState(buildEvents);

const message = (state: BuildState, change: Partial<BuildFacts>): string => {
  const facts = { ...fine, ...change };
  const decision = decide(rules, state, facts);
  return decision.is === 'event' ? decision.rule.says(facts).text : decision.is;
};
const job = (outcome: 'failed' | 'succeeded' | 'active', failedPods = 0) =>
  known({ is: 'present', run: fine.run ?? '', outcome, failedPods } as const);
const refused = (code: number, status: string) => known({ is: 'refused', code, status } as const);
const checks = (...runs: readonly CheckRun[]) => ({
  waitForCI: true,
  checks: known({ is: 'found', value: runs } as const),
});
const run = (name: string, conclusion: string | null, status = 'completed'): CheckRun => ({ name, status, conclusion });
const both = ['WaitingForCI', 'FailedBeforeJob'] as const;

spec('BLD-130 the message of a failed or missing Job is builder Job failed', () => {
  assert.is(message('Running', { job: job('failed') }), 'builder Job failed');
  assert.is(message('Running', { job: known({ is: 'absent' }) }), 'builder Job failed');
});

spec('BLD-131 the message of a successful Job without a digest names the missing image digest', () => {
  assert.is(message('Running', { job: job('succeeded') }), 'Builder completed without an immutable image digest');
});

spec('BLD-132 a missing registry has the same message in every state', () => {
  for (const state of ['Pending', ...both] as const)
    assert.is(message(state, { registry: '' }), 'no container registry is set for builds');
});

spec('BLD-133 a 403 for check runs names the missing permission, and a 403 for the commit does not', () => {
  for (const state of both)
    assert.ok(
      message(state, { waitForCI: true, checks: refused(403, '403 Forbidden') }).startsWith(
        'Git host API returned 403 Forbidden: reading check runs needs the Checks: Read permission',
      ),
    );
  assert.is(message('Pending', { commit: refused(403, '403 Forbidden') }), 'Git host API returned 403 Forbidden');
});

spec('BLD-134 BLD-135 BLD-136 a refusal of the Git host is reported with its status', () => {
  for (const state of ['Pending', ...both] as const)
    for (const [code, status] of [
      [404, '404 Not Found'],
      [401, '401 Unauthorized'],
      [422, '422 Unprocessable Entity'],
    ] as const)
      assert.is(message(state, { commit: refused(code, status) }), `Git host API returned ${status}`);
  assert.is(
    message('WaitingForCI', { waitForCI: true, checks: refused(404, '404 Not Found') }),
    'Git host API returned 404 Not Found',
  );
});

spec('BLD-041 BLD-137 a missing connection is reported when a branch or checks must be read (decision 44)', () => {
  const text = 'GitHost connection reference is required to resolve a branch';
  assert.is(message('Pending', { connectionRef: '' }), text);
  assert.is(message('Pending', { connectionRef: '', revision: 'abc', waitForCI: true }), text);
  assert.is(message('WaitingForCI', { connectionRef: '' }), text);
  assert.is.not(message('Pending', { connectionRef: '', revision: 'abc' }), text);
});

spec('BLD-138 a check with another conclusion than success decides before pending ones (decision 2)', () => {
  for (const state of both) {
    assert.is(
      message(state, checks(run('unit', 'success'), run('e2e', 'failure'))),
      'GitHost check "e2e" concluded failure',
    );
    assert.is(
      message(state, checks(run('slow', null, 'queued'), run('e2e', 'skipped'))),
      'GitHost check "e2e" concluded skipped',
    );
    assert.is(message(state, checks(run('a "b"', 'neutral'))), 'GitHost check "a "b"" concluded neutral');
  }
});

spec('BLD-139 a context that leaves the repository is reported in every state before the Job', () => {
  for (const state of ['Pending', ...both] as const)
    for (const path of [{ context: '../secrets' }, { context: 'web', buildfile: '../../Buildfile' }])
      assert.is(message(state, path), 'build context path leaves the repository');
});

spec('a Git host that does not respond, or limits the rate, is reported with its reason', () => {
  assert.is(
    message('Pending', { commit: known({ is: 'silent', why: 'timeout' }) }),
    'Git host does not answer: timeout',
  );
  assert.is(message('Pending', { commit: known({ is: 'silent', why: '' }) }), 'Git host does not answer');
  assert.is(
    message('WaitingForCI', { commit: known({ is: 'limited', until: Date.UTC(2027, 0, 2, 3, 4, 5) }) }),
    'Git host limits the rate until 2027-01-02T03:04:05.000Z',
  );
});

spec('the message of a waiting build counts its completed checks', () => {
  for (const state of both) {
    assert.is(message(state, checks()), 'waiting for checks: the commit has no check run yet');
    assert.is(
      message(state, checks(run('a', 'success'), run('b', null, 'queued'))),
      'waiting for checks: 1 of 2 completed',
    );
  }
});

const looks = (state: BuildState, change: Partial<BuildFacts>) => {
  const facts = { ...fine, ...change };
  const decision = decide(rules, state, facts);
  if (decision.is !== 'event') return decision.is;
  const { look } = decision.rule;
  return look === undefined ? 'never' : requeueAfterMs(look, facts, facts.now);
};

spec(
  'BLD-113 BLD-114 BLD-115 BLD-116 the next check of a build is due after an interval that depends on its state and cause',
  () => {
    const failing = checks(run('e2e', 'failure'));
    assert.is(looks('WaitingForCI', checks()), 15_000);
    assert.is(looks('Running', { job: job('active') }), 5_000);
    assert.is(looks('FailedBeforeJob', { commit: refused(404, '404 Not Found') }), 30_000);
    assert.is(looks('FailedBeforeJob', failing), 30_000);
    assert.is(looks('WaitingForCI', failing), 30_000);
    assert.is(looks('FailedBeforeJob', { registry: '' }), 'never');
    assert.is(looks('Succeeded', {}), 'never');
    assert.is(looks('Failed', {}), 'never');
    assert.is(looks('Cancelled', {}), 'never');
    assert.is(looks('WaitingForCI', { commit: known({ is: 'limited', until: fine.now + 42 }) }), 42);
    assert.is(looks('WaitingForCI', { commit: known({ is: 'limited', until: fine.now }) }), 15_000);
  },
);

spec.run();
