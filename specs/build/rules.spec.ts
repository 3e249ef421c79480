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

type Said = string | null;
const firstOf = (facts: BuildFacts, ...say: readonly ((facts: BuildFacts) => Said)[]): string => {
  for (const one of say) {
    const said = one(facts);
    if (said !== null) return said;
  }
  return 'nothing';
};

const cancelled = ({ cancelRequested }: BuildFacts): Said => (cancelRequested ? 'cancelFound' : null);
const spentCancel = ({ cancelRequested, resetFrom }: BuildFacts): Said =>
  cancelRequested && resetFrom === 'Cancelled' ? 'cancelSpent' : null;
const ownJob = ({ run, job }: BuildFacts): Said => {
  const seen = valueOf(job);
  return run !== null && seen.is === 'present' && seen.run === run ? 'ownJobFound' : null;
};
const otherJob = ({ job, phase }: BuildFacts): Said => {
  if (valueOf(job).is === 'absent') return null;
  return phase === '' ? 'leftoverJobFound' : 'otherJobFound';
};
const wrongSetting = ({ registry, context, buildfile, connectionRef, revision, waitForCI }: BuildFacts): Said => {
  if (registry === '') return 'registryMissing';
  if (climbsOut(context) || climbsOut(`${context}/${buildfile}`)) return 'contextEscaped';
  return connectionRef === '' && (revision === '' || waitForCI) ? 'connectionUnset' : null;
};
const stillWrong = (facts: BuildFacts): Said => (wrongSetting(facts) === null ? null : 'settingStayedWrong');
const unconnected = ({ connectionRef, connection }: BuildFacts): Said =>
  connectionRef !== '' && valueOf(connection) !== 'ready' ? 'connectionNotReady' : null;
const noAnswer = ({ is }: { readonly is: string }): Said => {
  if (is === 'refused') return 'gitHostRefused';
  return is === 'found' || is === 'notAwaited' ? null : 'gitHostSilent';
};
const unresolved = ({ commit, sourceRevision }: BuildFacts): Said =>
  noAnswer(valueOf(commit)) ?? (sourceRevision === '' ? 'commitResolved' : null);
const unchecked =
  (failing: string) =>
  ({ checks }: BuildFacts): Said => {
    const seen = valueOf(checks);
    if (seen.is !== 'found') return noAnswer(seen);
    const completed = seen.value.filter(({ status }) => status === 'completed');
    if (completed.some(({ conclusion }) => conclusion !== 'success')) return failing;
    return seen.value.length === 0 || completed.length < seen.value.length ? 'checksPending' : null;
  };
const unclaimed = ({ run }: BuildFacts): Said => (run === null ? 'startCleared' : null);
const jobEnded = ({ run, job, digest }: BuildFacts): Said => {
  const seen = valueOf(job);
  if (seen.is === 'absent' || seen.run !== run) return 'jobVanished';
  if (seen.outcome !== 'succeeded') return seen.outcome === 'failed' ? 'jobFailed' : 'jobProgressed';
  return valueOf(digest) === null ? 'digestMissing' : 'digestFound';
};
const archived = ({ log }: BuildFacts): Said => (valueOf(log) === 'archived' ? 'logArchived' : null);

/** The documents and decision 35 once more, state by state: the first that says something is what happened. */
const documents: Readonly<Record<BuildState, (facts: BuildFacts) => string>> = {
  Pending: (facts) =>
    firstOf(facts, spentCancel, cancelled, ownJob, otherJob, wrongSetting, unconnected, unresolved, ({ waitForCI }) =>
      waitForCI ? 'checksAwaited' : (unclaimed(facts) ?? 'jobCreated'),
    ),
  WaitingForCI: (facts) =>
    firstOf(
      facts,
      cancelled,
      ownJob,
      wrongSetting,
      unconnected,
      unresolved,
      unchecked('checkFailed'),
      unclaimed,
      ({ waitForCI }) => (waitForCI ? 'checksPassed' : 'jobCreated'),
    ),
  FailedBeforeJob: (facts) =>
    firstOf(
      facts,
      ownJob,
      stillWrong,
      unconnected,
      unresolved,
      unchecked('checkStayedFailed'),
      unclaimed,
      () => 'causeCleared',
    ),
  Running: (facts) => firstOf(facts, cancelled, jobEnded),
  Succeeded: (facts) => firstOf(facts, archived, ({ log }) => (valueOf(log) === 'waiting' ? null : 'restedSucceeded')),
  Failed: (facts) => firstOf(facts, archived, () => 'restedFailed'),
  Cancelled: (facts) => (valueOf(facts.job).is === 'present' ? 'cancelledJobFound' : 'restedCancelled'),
  Unrecognised: () => 'nothing',
};

spec('over known facts the rules say what the documents say, and every rule is met', () => {
  const met = new Set<string>();
  const check = (state: BuildState, facts: BuildFacts) => {
    const decision = decide(rules, state, facts);
    const wanted = documents[state](facts);
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
