import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build, type BuildState } from '../../machines/build.ts';
import { buildEvents } from '../../rules/build/events.ts';
import type { BuildFacts } from '../../rules/build/facts.ts';
import { byState, decide } from '../../rules/engine.ts';
import { type Fact, known, unasked, unknown } from '../../rules/fact.ts';
import { hasArrow } from '../../runtime/step.ts';
import { anyFacts, fine, knownFacts, states } from './facts.ts';

const spec = suite('build rules');
const rules = byState(buildEvents);
const settings = { numRuns: 6_000 };
const anyState = fc.constantFrom(...states);

/** Decision 35, per state, by hand: swapping two rules changes one of these lists. */
const precedence: Readonly<Record<BuildState, string>> = {
  Pending:
    'cancel-spent cancel-requested own-job leftover-job other-job no-registry context-leaves no-connection ' +
    'connection-not-ready commit-refused commit-silent commit-resolved checks-awaited start-cleared job-created',
  WaitingForCI:
    'cancel-requested own-job no-registry context-leaves no-connection connection-not-ready commit-refused ' +
    'commit-silent commit-resolved checks-refused checks-silent check-failed checks-pending start-cleared ' +
    'job-created-after-wait checks-passed',
  FailedBeforeJob:
    'own-job still-no-registry context-still-leaves still-no-connection connection-not-ready commit-refused ' +
    'commit-still-silent commit-resolved checks-refused checks-still-silent check-still-failed checks-pending ' +
    'start-cleared cause-cleared',
  Running: 'cancel-requested job-vanished job-failed job-progressed digest-found digest-missing',
  Succeeded: 'log-archived rests-succeeded',
  Failed: 'log-archived rests-failed',
  Cancelled: 'cancelled-job rests-cancelled',
  Unrecognised: '',
};

spec('decision 35: the order of the rules is the documents', () => {
  for (const state of states)
    assert.is((rules.get(state) ?? []).map(({ id }) => id).join(' '), precedence[state], state);
});

const valueOf = <T>(fact: Fact<T>): T => {
  if (fact.is !== 'known') throw new Error('the fact is not known');
  return fact.value;
};

/** Whether a path, read from the repository's root, is ever above it. */
function climbsOut(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/').filter((name) => name !== '' && name !== '.')) {
    depth += part === '..' ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}

/** What the documents say of a build that has no Job yet; null where nothing stands in the way of its start. */
function hindrance(state: 'Pending' | 'WaitingForCI' | 'FailedBeforeJob', facts: BuildFacts): string | null {
  const again = state === 'FailedBeforeJob';
  if (facts.registry === '') return again ? 'settingStayedWrong' : 'registryMissing';
  if (climbsOut(facts.context)) return again ? 'settingStayedWrong' : 'contextEscaped';
  if (facts.connectionRef === '' && (facts.revision === '' || facts.waitForCI))
    return again ? 'settingStayedWrong' : 'connectionUnset';
  if (facts.connectionRef !== '' && valueOf(facts.connection) !== 'ready') return 'connectionNotReady';
  const commit = valueOf(facts.commit);
  if (commit.is === 'refused') return 'gitHostRefused';
  if (commit.is !== 'found') return 'gitHostSilent';
  if (facts.sourceRevision === '') return 'commitResolved';
  if (state === 'Pending') return facts.waitForCI ? 'checksAwaited' : null;
  const checks = valueOf(facts.checks);
  if (checks.is === 'notAwaited') return null;
  if (checks.is === 'refused') return 'gitHostRefused';
  if (checks.is !== 'found') return 'gitHostSilent';
  if (checks.value.some(({ status, conclusion }) => status === 'completed' && conclusion !== 'success'))
    return again ? 'checkStayedFailed' : 'checkFailed';
  const all = checks.value.length > 0 && checks.value.every(({ status }) => status === 'completed');
  return all ? null : 'checksPending';
}

/** The documents and decision 35 once more, as one function: what happened, over facts that are all known. */
function happened(state: BuildState, facts: BuildFacts): string {
  const job = valueOf(facts.job);
  const log = valueOf(facts.log);
  switch (state) {
    case 'Pending':
    case 'WaitingForCI':
    case 'FailedBeforeJob': {
      if (state === 'Pending' && facts.cancelRequested && facts.resetFrom === 'Cancelled') return 'cancelSpent';
      if (state !== 'FailedBeforeJob' && facts.cancelRequested) return 'cancelFound';
      if (facts.run !== null && job.is === 'present' && job.run === facts.run) return 'ownJobFound';
      if (state === 'Pending' && job.is === 'present') return facts.phase === '' ? 'leftoverJobFound' : 'otherJobFound';
      const hindered = hindrance(state, facts);
      if (hindered !== null) return hindered;
      if (facts.run === null) return 'startCleared';
      if (state === 'FailedBeforeJob') return 'causeCleared';
      return state === 'WaitingForCI' && facts.waitForCI ? 'checksPassed' : 'jobCreated';
    }
    case 'Running':
      if (facts.cancelRequested) return 'cancelFound';
      if (job.is === 'absent' || job.run !== facts.run) return 'jobVanished';
      if (job.outcome === 'failed') return 'jobFailed';
      if (job.outcome === 'active') return 'jobProgressed';
      return valueOf(facts.digest) === null ? 'digestMissing' : 'digestFound';
    case 'Succeeded':
      return log === 'archived' ? 'logArchived' : log === 'waiting' ? 'nothing' : 'restedSucceeded';
    case 'Failed':
      return log === 'archived' ? 'logArchived' : 'restedFailed';
    case 'Cancelled':
      return job.is === 'present' ? 'cancelledJobFound' : 'restedCancelled';
    case 'Unrecognised':
      return 'nothing';
  }
}

spec('over known facts the rules say what the documents say, and every rule is met', () => {
  const met = new Set<string>();
  const check = (state: BuildState, facts: BuildFacts) => {
    const decision = decide(rules, state, facts);
    const wanted = happened(state, facts);
    if (decision.is === 'event') met.add(decision.rule.id);
    assert.is(decision.is === 'event' ? decision.rule.then : decision.is, wanted);
  };
  fc.assert(fc.property(anyState, knownFacts, check), settings);
  // A build that is ready to start is rare among random ones: start from there.
  const start = fc.record({ run: fc.constantFrom(null, fine.run), waitForCI: fc.boolean() });
  fc.assert(
    fc.property(anyState, start, knownFacts, (state, changed, { checks, digest, cancelRequested }) => {
      check(state, { ...fine, ...changed, checks, digest });
      const job = known({ is: 'present', run: fine.run ?? '', outcome: 'succeeded', failedPods: 0 } as const);
      check(state, { ...fine, ...changed, digest, job, cancelRequested });
    }),
    { numRuns: 1_000 },
  );
  assert.equal(
    buildEvents.map(({ id }) => id).filter((id) => !met.has(id)),
    [],
  );
});

spec('whatever is unasked or unreadable, there is one decision, its words are text, and no rule throws', () => {
  fc.assert(
    fc.property(anyState, anyFacts, (state, facts) => {
      const decision = decide(rules, state, facts);
      if (decision.is === 'event') {
        assert.ok(hasArrow(build, state, decision.rule.then), `${state} ${decision.rule.then}`);
        assert.type(decision.rule.says(facts), 'string');
        const resetAt = decision.rule.look?.reset?.(facts);
        assert.ok(resetAt === undefined || Number.isFinite(resetAt));
      } else if (decision.is !== 'nothing')
        assert.is(facts[decision.fact].is, decision.is === 'ask' ? 'unasked' : 'unknown');
      assert.equal(decide(rules, state, facts), decision);
    }),
    settings,
  );
});

spec('facts that could not be read never move a build', () => {
  const away = unknown('the API does not answer');
  const blind = { ...fine, connection: away, commit: away, checks: away, job: away, digest: away, log: away };
  for (const state of states.filter((one) => one !== 'Unrecognised'))
    assert.is(decide(rules, state, blind).is, 'unknown', state);
});

spec('BLD-088 the Git host is asked only by a state that gets that far', () => {
  const nothing = { ...fine, commit: unasked, checks: unasked };
  const asks = (state: BuildState, facts: BuildFacts) => {
    const decision = decide(rules, state, facts);
    return decision.is === 'ask' ? decision.fact : decision.is;
  };
  assert.is(asks('Pending', nothing), 'commit');
  assert.is(asks('Pending', { ...nothing, cancelRequested: true }), 'event');
  assert.is(asks('Pending', { ...nothing, registry: '' }), 'event');
  assert.is(asks('WaitingForCI', { ...nothing, connection: known('notReady') }), 'event');
  assert.is(asks('WaitingForCI', { ...nothing, commit: fine.commit, waitForCI: true }), 'checks');
  for (const state of ['Succeeded', 'Failed', 'Cancelled'] as const) assert.is(asks(state, nothing), 'event', state);
});

spec('every rule is for a state, yields an arrow there, and no two share an id', () => {
  assert.is(new Set(buildEvents.map(({ id }) => id)).size, buildEvents.length);
  for (const { id, in: where, then } of buildEvents) {
    assert.ok(where.length > 0, id);
    for (const state of where) assert.ok(hasArrow(build, state, then), `${id}: ${state} ${then}`);
  }
});

spec.run();
