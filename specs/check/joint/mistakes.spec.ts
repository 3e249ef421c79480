import * as assert from 'uvu/assert';
import { joint as database } from '../../lifecycles/joint/database.ts';
import { joint as databaseBackup } from '../../lifecycles/joint/databaseBackup.ts';
import { joint as project } from '../../lifecycles/joint/project.ts';
import { joint as service } from '../../lifecycles/joint/service.ts';
import { isChosen } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';
import type { Message } from '../../../rules/words.ts';
import type { AnyRule } from '../run.ts';
import { exploreJoint } from './explore.ts';
import type { AnyJoint } from './joint.ts';
import type { AnyPart } from './steps.ts';
import { brokenLife } from './text.ts';

const spec = suite('planted mistakes in joint machines');

/** A joint world with one machine changed. */
const part = (of: AnyJoint, name: string, change: (part: AnyPart) => AnyPart): AnyJoint => ({
  ...of,
  parts: of.parts.map((each) => (each.subject.name === name ? change(each) : each)),
});
const rules = (of: AnyJoint, name: string, change: (rules: readonly AnyRule[]) => readonly AnyRule[]): AnyJoint =>
  part(of, name, (each) => ({ ...each, subject: { ...each.subject, rules: change(each.subject.rules) } }));
const without = (of: AnyJoint, name: string, id: string): AnyJoint =>
  rules(of, name, (those) => those.filter((rule) => rule.id !== id));
const rule = (of: AnyJoint, name: string, id: string, change: Partial<AnyRule>): AnyJoint =>
  rules(of, name, (those) => those.map((each) => (each.id === id ? { ...each, ...change } : each)));
const action = (of: AnyJoint, name: string, does: AnyPart['does']): AnyJoint =>
  part(of, name, (each) => ({ ...each, does: { ...each.does, ...does } }));
/** A joint world in which a command goes to another machine. */
const asks = (of: AnyJoint, command: string, machine: string): AnyJoint => ({
  ...of,
  commands: { ...of.commands, [command]: { facts: { asked: command }, machine } },
});
const same = (world: unknown) => world;
const facts = (of: AnyJoint, name: string, change: (facts: Record<string, unknown>) => object): AnyJoint =>
  part(of, name, (each) => ({
    ...each,
    facts: (world, deciding) => change(each.facts(world, deciding) as Record<string, unknown>),
  }));

type Mistake = readonly [what: string, of: AnyJoint, broken: string, worlds?: number];

/** Mistakes around any resource that is deployed, whose own machine bears its name. */
const ofDeployed = (of: AnyJoint): readonly Mistake[] => [
  ['every pass counts what it meets', without(of, 'provisionRetry', 'failed-too-soon'), 'countsOnceInHalfAMinute'],
  [
    'the end of a row forgets when a failure last counted',
    action(of, 'provisionRetry', {
      clearRow: (world: unknown) => {
        const { row } = world as { readonly row: object };
        return { ...(world as object), row: { ...row, gaveUp: false, failures: 0, clock: null, recent: false } };
      },
    }),
    'countsOnceInHalfAMinute',
  ],
  [
    'the object steps before what counts',
    { ...of, parts: [of.parts[0], of.parts[2], of.parts[1]].flatMap((each) => each ?? []) },
    'givenUpTogether',
  ],
  [
    'the object does not follow what was given up',
    without(without(without(of, of.name, 'permanent-error'), of.name, 'failures-exhausted'), of.name, 'given-up-found'),
    'givenUpTogether',
  ],
  [
    'what is due is applied before it is looked whether it was given up',
    rules(of, of.name, (those) => [
      ...those.filter(({ id }) => id === 'workload-due'),
      ...those.filter(({ id }) => id !== 'workload-due'),
    ]),
    'givenUpTouchesNothing',
    40_000,
  ],
  [
    'Retry is asked of it, whose pass applies a workload',
    rule(asks(of, 'retry', of.name), of.name, 'workload-due', { answers: ['retry'] }),
    'commandsTouchNothing',
  ],
  [
    'a deploy is asked of it, which is being deleted',
    rule(asks(of, 'deploy', of.name), of.name, 'deleted', { answers: ['deploy'] }),
    'deletedAnswersNothing',
  ],
  [
    'a deploy is answered whether or not it is being deleted',
    rule(of, 'draftDeploy', 'deployed-again', { when: () => true }),
    'deletedAnswersNothing',
  ],
  [
    'Retry is answered whether or not it is being deleted',
    rule(of, 'provisionRetry', 'retry-asked', { when: () => true }),
    'deletedAnswersNothing',
  ],
  ['a deploy without room opens the gate', without(of, 'draftDeploy', 'unschedulable'), 'refusedChangesNothing'],
  [
    'nobody looks whether it was deployed again',
    without(of, 'provisionRetry', 'redeploy-found'),
    'deployBringsBothOut',
  ],
  ['a deploy is found and never taken up', action(of, 'provisionRetry', { takeUpDeploy: same }), 'deployIsTakenUp'],
  ['the object stays given up after Retry', without(of, of.name, 'retry-asked'), 'retryBringsBothOut'],
  [
    'the object runs its spec, whatever the gate says',
    facts(of, of.name, (known) => ({
      ...known,
      gate: known['gate'] === 'PendingChanges' ? 'Ungated' : known['gate'],
    })),
    'waitingNeverRuns',
    40_000,
  ],
  ['a draft keeps what runs', part(of, of.name, (each) => ({ ...each, ensures: {} })), 'draftRunsNothing'],
  [
    'a deletion ends while something runs',
    part(
      action(rule(of, of.name, 'workload-deleted', { when: () => true }), of.name, {
        deleteWorkload: same,
      }),
      of.name,
      (each) => ({ ...each, ensures: {} }),
    ),
    'endLeavesNothing',
  ],
  [
    'nothing ends the life of what was deleted',
    rule(of, of.name, 'workload-deleted', { when: () => false }),
    'settles',
  ],
  [
    'a row goes on after the fifth failure',
    without(without(of, 'provisionRetry', 'fifth-failure'), 'provisionRetry', 'lasted-too-long'),
    'fifthEnds',
    100_000,
  ],
];

const mistakes: readonly Mistake[] = [
  ...ofDeployed(database),
  ...ofDeployed(service),
  [
    'failing pods count without an attempt',
    facts(service, 'provisionRetry', (known) => {
      const outcome = known['outcome'] as { readonly value: { readonly counts?: string; readonly says?: Message } };
      const isPods = outcome.value.says?.text === 'Service failed to start';
      return isPods ? { ...known, outcome: { is: 'known', value: { ...outcome.value, counts: 'permanent' } } } : known;
    }),
    'servedIsNotGivenUp',
  ],
  [
    'an attempt goes on in a service that is ready',
    action(service, 'service', { succeedAttempt: same }),
    'readyEndsTheAttempt',
  ],
  [
    'every pass counts what a project meets',
    without(project, 'provisionRetry', 'failed-too-soon'),
    'countsOnceInHalfAMinute',
  ],
  [
    'a row of a project goes on after the fifth failure',
    without(without(project, 'provisionRetry', 'fifth-failure'), 'provisionRetry', 'lasted-too-long'),
    'fifthEnds',
  ],
  ['a project does not follow what was given up', without(project, 'projectReady', 'gave-up'), 'givenUpTogether'],
  [
    'what is missing is set up before it is looked whether it was given up',
    rules(project, 'projectReady', (those) => [
      ...those.filter(({ id }) => id === 'pieces-missing'),
      ...those.filter(({ id }) => id !== 'pieces-missing'),
    ]),
    'givenUpSetsUpNothing',
  ],
  [
    'namespaces are set up again while the project goes',
    without(project, 'projectReady', 'deleted'),
    'deletedSetsUpNothing',
  ],
  [
    'a temporary error counts',
    facts(project, 'provisionRetry', (known) => {
      const outcome = known['outcome'] as { readonly value: { readonly counts?: string } };
      const counts = outcome.value.counts === 'waiting' ? 'permanent' : outcome.value.counts;
      return { ...known, outcome: { is: 'known', value: { ...outcome.value, ...(counts ? { counts } : {}) } } };
    }),
    'temporaryNeverGivesUp',
  ],
  [
    'an edit of a project that was given up is not seen',
    without(project, 'provisionRetry', 'generation-changed'),
    'editBringsBothOut',
  ],
  [
    'a project that was given up never comes back',
    without(without(project, 'projectReady', 'spec-changed'), 'projectReady', 'stays-failed'),
    'givenUpTogether',
  ],
  [
    'a database with backups is deleted like any other',
    without(databaseBackup, 'database', 'deleted-with-backups'),
    'savedBeforeGone',
  ],
  [
    'the archive goes when the last backup begins',
    action(databaseBackup, 'database', {
      startFinalBackup: (world: unknown) => ({ ...(world as object), archive: false }),
    }),
    'archiveOutlivesTheLastBackup',
  ],
  [
    'a database is protected before its first backup',
    without(databaseBackup, 'databaseBackup', 'no-backup-yet'),
    'protectedHasBackup',
  ],
  [
    'a draft has backups',
    facts(databaseBackup, 'databaseBackup', (known) => ({ ...known, enabled: true })),
    'draftHasNoBackups',
  ],
  [
    'nobody makes an archive',
    part(databaseBackup, 'databaseBackup', (each) => ({ ...each, ensures: {} })),
    'archiveOfWhatIsSaid',
  ],
  [
    'an archive is made whatever becomes of its database',
    part(databaseBackup, 'databaseBackup', (each) => ({
      ...each,
      ensures: { archiveKept: (world: unknown) => ({ ...(world as object), archive: true }) },
    })),
    'deletedGetsNoArchive',
  ],
  [
    'backups put their database back',
    part(databaseBackup, 'databaseBackup', (each) => ({
      ...each,
      ensures: { archiveKept: (world: unknown) => ({ ...(world as object), phase: 'Provisioning' }) },
    })),
    'backupsTouchNothing',
  ],
  [
    'nobody sees that backups were turned off',
    without(databaseBackup, 'databaseBackup', 'turned-off'),
    'offSaysNothing',
    12_000,
  ],
  [
    'nobody sees that the first backup finished',
    without(databaseBackup, 'databaseBackup', 'first-finished'),
    'safeInTheEnd',
    12_000,
  ],
  [
    'a last backup is awaited for ever',
    without(without(databaseBackup, 'database', 'backup-waited-out'), 'database', 'backup-finished'),
    'deletionEnds',
    12_000,
  ],
  ['a wait is not looked at as one', without(project, 'projectReady', 'cluster-not-ready'), 'settles', 100_000],
];

for (const [what, of, invariant, worlds = 6_000] of mistakes.filter((_, at) => isChosen(at, 30)))
  spec(`${of.name}: ${what} is reported as a violation of ${invariant}`, () => {
    const { brokenInvariants, broken, searched } = exploreJoint(of, worlds, invariant);
    assert.ok(
      brokenInvariants.has(invariant),
      `${[...brokenInvariants].join(', ') || 'nothing'} is broken, in ${searched.worlds} worlds\n${broken.map(brokenLife).join('\n')}`,
    );
    assert.ok(broken.every(({ fault }) => fault.text !== ''));
  });

spec('an action that does not write what its lens reads is reported with its row', () => {
  const { broken } = exploreJoint(action(database, 'provisionRetry', { giveUpAtOnce: same }), 3_000);
  assert.match(
    broken.map(brokenLife).join('\n'),
    /KND-063 leads to ProvisionFailed, and what is stored then reads Clean/,
  );
});

spec('every joint invariant is broken by a planted mistake', () => {
  const promised = [database, databaseBackup, service, project].flatMap((of) =>
    Object.keys(of.invariants).map((name) => `${of.name} ${name}`),
  );
  const broken = new Set(mistakes.map(([, of, invariant]) => `${of.name} ${invariant}`));
  assert.equal(
    promised.filter((each) => !broken.has(each)),
    [],
  );
});

spec.run();
