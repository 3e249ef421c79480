import * as fc from 'fast-check';
import type { BuildState } from '../../../machines/names.ts';
import type { BuildAsked, BuildFacts, ChecksSeen, JobSeen } from '../../../rules/build/facts.ts';
import type { Blocker } from '../../../rules/build/blockers.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import type { CheckRun, GitAnswer } from '../../../rules/gitAnswer.ts';

export const states: readonly BuildState[] = [
  'Pending',
  'WaitingForCI',
  'Running',
  'Succeeded',
  'Failed',
  'FailedBeforeJob',
  'Cancelled',
  'Unrecognised',
];

/** Facts that let a build start at once; a test changes what it is about. */
export const fine: BuildFacts = {
  now: 1_800_000_000_000,
  asked: null,
  found: null,
  phase: 'Pending',
  run: '2027-01-15T08:00:00.000Z',
  cancelRequested: false,
  resetFrom: null,
  registry: 'registry.local/apps/shop',
  context: '',
  buildfile: '',
  revision: '',
  sourceRevision: 'c'.repeat(40),
  pushes: { head: 'c'.repeat(40), deliveries: ['one'] },
  waitForCI: false,
  connectionRef: 'host',
  connection: known('ready'),
  commit: known({ is: 'found', value: 'c'.repeat(40) }),
  checks: known({ is: 'notAwaited' }),
  job: known({ is: 'absent' }),
  hindrance: null,
  digest: known(null),
  log: known('settled'),
};

const invalid = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '../..',
  '"><script>',
  '${x}',
  '%s',
  'ＦＵＬＬ',
  '🚢',
  'x'.repeat(5_000),
  '__proto__',
);
const text = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('', 'a') }, invalid, fc.string());
const runs = ['2027-01-15T08:00:00.000Z', '2027-01-15T08:00:00.001Z', ''];

const checkRun: fc.Arbitrary<CheckRun> = fc.record({
  name: text,
  status: fc.constantFrom('completed', 'completed', 'in_progress', 'queued', 'COMPLETED', ''),
  conclusion: fc.constantFrom('success', 'success', 'success', 'failure', 'neutral', 'skipped', 'SUCCESS', '', null),
});
const passing: fc.Arbitrary<CheckRun> = fc.constant({ name: 'test', status: 'completed', conclusion: 'success' });

const answer = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<GitAnswer<T>> =>
  fc.oneof(
    { weight: 4, arbitrary: value.map((found) => ({ is: 'found', value: found }) as const) },
    fc.record({ is: fc.constant('refused' as const), code: fc.constantFrom(401, 403, 404, 422), status: text }),
    fc.record({ is: fc.constant('silent' as const), why: text }),
    fc.record({ is: fc.constant('limited' as const), until: fc.integer({ min: 0, max: 4_000_000_000_000 }) }),
  );

const job: fc.Arbitrary<JobSeen> = fc.oneof(
  fc.constant({ is: 'absent' } as const),
  fc.record({
    is: fc.constant('present' as const),
    run: fc.constantFrom(...runs),
    outcome: fc.constantFrom('active' as const, 'failed' as const, 'succeeded' as const),
    failedPods: fc.integer({ min: 0, max: 3 }),
  }),
);

const blocker: fc.Arbitrary<Blocker> = fc.record({
  is: fc.constantFrom('unplaced', 'waits', 'ended', 'refused', 'notOwn'),
  pod: text,
  container: text,
  reason: text,
  says: text,
});

const checks: fc.Arbitrary<ChecksSeen> = fc.oneof(
  fc.constant({ is: 'notAwaited' } as const),
  answer(fc.oneof(fc.array(checkRun, { maxLength: 4 }), fc.array(passing, { minLength: 1, maxLength: 120 }))),
);

/** Nearly always a pass, because commands and external changes each depend on few facts. */
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, value);
const commit = fc.constantFrom('c'.repeat(40), 'd'.repeat(40));
const asked: fc.Arbitrary<BuildAsked> = fc.oneof(
  fc.constantFrom<BuildAsked>({ is: 'rebuild' }, { is: 'cancel' }),
  fc.record({
    is: fc.constant('push' as const),
    what: fc.constantFrom('main was pushed', '🚢'),
    head: commit,
    delivery: fc.constantFrom('', 'one', 'two'),
    over: fc.option(commit),
  }),
);

const facts = (fact: <T>(value: fc.Arbitrary<T>) => fc.Arbitrary<Fact<T>>): fc.Arbitrary<BuildFacts> =>
  fc.record<BuildFacts>({
    now: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    asked: rarely(asked),
    found: rarely(fc.constantFrom(...states)),
    phase: fc.constantFrom('', 'Pending', 'Failed', 'nonsense'),
    run: fc.constantFrom(null, ...runs),
    cancelRequested: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    resetFrom: fc.constantFrom(null, 'Cancelled', 'Succeeded', 'Running'),
    registry: fc.oneof({ weight: 5, arbitrary: fc.constant('r/a') }, text),
    context: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('', 'web', '/web/') },
      fc.constantFrom('..', 'a/../..'),
      text,
    ),
    buildfile: fc.constantFrom('', '', 'Buildfile', '../Buildfile', '../../../x'),
    revision: text,
    sourceRevision: fc.oneof(fc.constant('c'.repeat(40)), text),
    pushes: fc.record({
      head: fc.oneof(fc.constant(''), commit),
      deliveries: fc.subarray(['one', 'three', `found ${'c'.repeat(40)}`]),
    }),
    waitForCI: fc.boolean(),
    connectionRef: fc.oneof({ weight: 4, arbitrary: fc.constant('host') }, text),
    connection: fact(
      fc.constantFrom(
        'ready' as const,
        'ready' as const,
        'ready' as const,
        'ready' as const,
        'absent' as const,
        'notReady' as const,
        'noToken' as const,
      ),
    ),
    commit: fact(answer(text)),
    checks: fact(checks),
    job: fact(job),
    hindrance: fc.option(blocker),
    digest: fact(fc.constantFrom(null, `sha256:${'d'.repeat(64)}`)),
    log: fact(fc.constantFrom('settled' as const, 'archived' as const, 'waiting' as const, 'gone' as const)),
  });

const anyKnown = facts((value) => value.map((it) => known(it)));

/** A build that is ready to start, or whose Job is done, is rare among random ones, so some start there. */
const nearlyFine: fc.Arbitrary<BuildFacts> = fc
  .record({
    run: fc.constantFrom(null, fine.run),
    waitForCI: fc.boolean(),
    done: fc.boolean(),
    checked: fc.boolean(),
    drawn: anyKnown,
  })
  .map(
    ({ run, waitForCI, done, checked, drawn: { checks: drawnChecks, digest, log, cancelRequested, resetFrom } }) => ({
      ...fine,
      run,
      waitForCI,
      checks: checked
        ? known({ is: 'found', value: [{ name: 'test', status: 'completed', conclusion: 'success' }] })
        : drawnChecks,
      digest,
      log,
      cancelRequested: cancelRequested && resetFrom !== null,
      resetFrom,
      job: done
        ? known({ is: 'present', run: fine.run ?? '', outcome: 'succeeded', failedPods: 0 } as const)
        : fine.job,
    }),
  );

/** Known facts. */
export const knownFacts = fc.oneof(anyKnown, nearlyFine);

/** Facts of which some are unasked and some unknown. */
export const anyFacts = facts((value) =>
  fc.oneof({ weight: 4, arbitrary: value.map((it) => known(it)) }, fc.constant(unasked), text.map(unknown)),
);
