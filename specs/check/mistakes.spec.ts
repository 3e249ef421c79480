import * as assert from 'uvu/assert';
import { lifecycle } from '../lifecycles/consoleSession.ts';
import { seldom } from '../support/seldom.ts';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { conformance } from './conformance.ts';
import { brokenText, explore } from './explore.ts';
import { invalidFaults, rulesOverFacts } from './facts.ts';
import type { Fault } from './outcome.ts';
import { mutate } from './mutate.ts';
import { unproven } from './proven.ts';
import type { Run } from './run.ts';
import { stateFaults } from './states.ts';
import {
  aRule,
  arrow,
  changed,
  type Changes,
  config,
  row,
  rule,
  state,
  swapped,
  table,
  verdict,
  withRules,
} from './mistaken.ts';
import { limitFaults, orderFaults, wordsFaults } from './transcribed.ts';
import { verdicts } from './verdicts.ts';
import { nothing } from '../../rules/words.ts';

const spec = suite('planted mistakes in a lifecycle');
const seldomly = seldom(spec, 3);

const structure = (run: Run) => [...conformance(run), ...stateFaults(run), ...orderFaults(run), ...wordsFaults(run)];
const over = (run: Run) => rulesOverFacts(run).faults;
const lives = (run: Run) => explore(run).broken.map((broken) => brokenText(run, broken));
const said = (run: Run) => verdicts(run).faults;

type Mistake = readonly [what: string, find: (run: Run) => readonly Fault[], changes: Changes, tells: RegExp];

const mistakes: readonly Mistake[] = [
  [
    'a row without an arrow',
    structure,
    row('CON-069', (each) => ({ ...each, from: ['Active', 'Attached'] })),
    /consoleSession\.md:\d+ machines\/consoleSession\.ts:\d+ CON-069 Active terminalEnded → Closed: the machine has no such arrow/,
  ],
  [
    'an arrow without a row',
    structure,
    row('CON-069', () => null),
    /machines\/consoleSession\.ts:\d+ specs\/tables\/consoleSession\.md:\d+ the machine has an arrow Attached terminalEnded → Closed, no row/,
  ],
  [
    'another target',
    structure,
    arrow('Attached', 'terminalEnded', { target: 'Expired', actions: ['close', 'logClosed'] }),
    /CON-069 Attached terminalEnded → Closed: the machine goes to Expired/,
  ],
  [
    'an action forgotten',
    structure,
    arrow('Attached', 'terminalEnded', { target: 'Closed', actions: 'close' }),
    /CON-069 .*the row does close, logClosed, the machine close$/m,
  ],
  [
    'actions in another order',
    structure,
    arrow('Attached', 'terminalEnded', { target: 'Closed', actions: ['logClosed', 'close'] }),
    /CON-069 .*the machine logClosed, close/,
  ],
  [
    'an ensure forgotten',
    structure,
    state('Closed', { meta: {} }),
    /consoleSession\.md:\d+ .* machines\/consoleSession\.ts:\d+ Closed lacks noTerminal, which the rows CON-069, CON-070, CON-073, CON-073a ensure$/,
  ],
  [
    'an ensure too many',
    structure,
    state('Attached', { meta: { ensures: ['noTerminal'] } }),
    /Attached ensures noTerminal, the rows CON-068c, CON-071, CON-071c, CON-072 terminalOpen$/m,
  ],
  [
    'another look',
    structure,
    row('CON-067a', (each) => ({ ...each, look: '2s' })),
    /consoleSession\.md:\d+ rules\/consoleSession\/events\.ts:\d+ CON-067a .*looks again 2s, the rule attach-waits 1s/,
  ],
  [
    'another moment',
    structure,
    row('CON-068b', (each) => ({ ...each, look: 'at expiry' })),
    /CON-068b Active limitAhead → Active: the row looks again at expiry, the rule limit-ahead at limit$/m,
  ],
  [
    'one look of many rules',
    structure,
    {
      rules: lifecycle.rules.map((each) =>
        each.look && 'at' in each.look ? { ...each, look: { ...each.look, at: 'expiry' } } : each,
      ),
    },
    /^.* the rows CON-\d+\w?, .* look again at limit, the rules limit-ahead, terminal-limit-ahead, attach-granted, attach-origin, holder-dead, attach-unfit, attach-second at expiry$/,
  ],
  [
    'a rule in a state too many',
    structure,
    rule('attach-late', (each) => ({ ...each, in: ['Expired', 'Closed', 'Active'] })),
    /rules\/consoleSession\/events\.ts:\d+ specs\/tables\/consoleSession\.md:\d+ the rule attach-late yields lateAttachRefused in Active, no row/,
  ],
  [
    'a rule in a state too few',
    structure,
    rule('attach-late', (each) => ({ ...each, in: ['Expired'] })),
    /CON-073 Closed .*no rule yields lateAttachRefused in Closed/,
  ],
  [
    'a command that no rule answers',
    structure,
    rule('terminal-ended', (each) => ({ ...each, answers: ['attach'] })),
    /consoleSession\.md:\d+ \S+ no rule answers the command endTerminal/,
  ],
  [
    'a rule that answers a command which is not written down',
    structure,
    rule('terminal-ended', (each) => ({ ...each, answers: ['endTerminal', 'hangUp'] })),
    /the rule terminal-ended answers the command hangUp, which "Asked" does not name/,
  ],
  [
    'a rule that finds what happened behind one that answers',
    structure,
    withRules(aRule({ in: ['Attached'], then: 'limitReached', finds: true })),
    /Attached: the rule new-rule finds what happened already, and stands behind attach-origin, which answers a command/,
  ],
  [
    'a state that cannot be reached',
    structure,
    { ...row('CON-070', () => null), ...row('CON-069', () => null) },
    /CON-070|no way leads to the state|no row/,
  ],
  [
    'a state that waits for ever',
    structure,
    row('CON-067', (each) => ({ ...each, look: '' })),
    /CON-067 Pending activated → Active: Active waits without a look/,
  ],
  [
    'looks that nothing asks for',
    structure,
    { table: { ...table, looks: [] } },
    /CON-067a: looks again 1s, and "Looks" does not say what asks for it$/m,
  ],
  [
    'a reason for a look that no row has',
    structure,
    {
      table: {
        ...table,
        looks: [...table.looks, { look: '1s', rows: ['CON-067'], because: 'x', source: 'x', line: 9 }],
      },
    },
    /consoleSession\.md:9 "Looks" says what asks for 1s of CON-067, which does not look so/,
  ],
  [
    'an event that wakes what does not wait',
    structure,
    { table: { ...table, woken: [{ rows: ['CON-067a'], by: ['Pod'], source: 'x', line: 9 }] } },
    /consoleSession\.md:9 "Woken" says what wakes CON-067a, which does not wait without a look/,
  ],
  [
    'a sink that does not say that it rests',
    structure,
    { table: { ...table, rests: table.rests.filter((rest) => rest.state !== 'Closed') } },
    /nothing leads out of Closed/,
  ],
  [
    'a deadline that nobody keeps',
    structure,
    {
      table: {
        ...table,
        deadlines: [{ state: 'Closed', atMostMs: 1, since: 'x', line: 9 }],
      },
    },
    /consoleSession\.md:9 Closed has a deadline, and no rule leads out of it/,
  ],
  [
    'a deadline that is no limit',
    structure,
    { table: { ...table, deadlines: [{ state: 'Active', atMostMs: 960_000, since: 'x', line: 9 }] } },
    /consoleSession\.md:9 Active lasts 16m at most, and no limit of the table says so/,
  ],
  [
    'a machine that begins where no instance does',
    structure,
    { machine: { ...config, initial: 'Active' } },
    /the machine begins in Active, an instance in Pending/,
  ],
  [
    'a claim that leads on',
    structure,
    row('CON-070', (each) => ({ ...each, does: ['claimEnd', ...each.does] })),
    /consoleSession\.md:\d+ CON-070 Attached streamEnded → Closed: a claim is the first action of its row and leads nowhere/,
  ],
  [
    'a claim behind another action',
    structure,
    row('CON-072', (each) => ({ ...each, does: ['logOpened', 'claimEnd'] })),
    /CON-072 Attached secondAttachRefused → Attached: a claim is the first action of its row and leads nowhere/,
  ],
  [
    'two rules swapped',
    structure,
    swapped('attach-unfit'),
    /consoleSession\.md:\d+ .* Active: rule 3 should be attach-unfit, it is attach-granted\n {4}written {2}limit-reached attach-origin \[attach-unfit attach-granted\] limit-ahead\n {4}tried {4}limit-reached attach-origin \[attach-granted attach-unfit\] limit-ahead$/m,
  ],
  [
    'an order that is not written down',
    structure,
    { table: { ...table, order: table.order.filter((each) => each.state !== 'Closed') } },
    /consoleSession\.md:\d+ rules\/consoleSession\/events\.ts:\d+ the order of the rules of Closed is not written down: attach-origin-elsewhere attach-late/,
  ],
  [
    'words for a rule nobody has',
    structure,
    { table: { ...table, words: [{ rule: 'attach-early', says: 'x', source: 'x', line: 3 }] } },
    /consoleSession\.md:3 .*no rule is called attach-early/,
  ],
  [
    'a condition negated',
    over,
    rule('limit-reached', (each) => ({ ...each, when: (facts) => !each.when(facts) })),
    /rules\/consoleSession\/events\.ts:\d+ Active: the documents say limit\w+, the rules .*, over the facts\n {4}\w+: /,
  ],
  [
    'a gap',
    over,
    {
      ...rule('limit-ahead', () => null),
      subject: { ...lifecycle, documents: (of, facts) => only(lifecycle.documents(of, facts), 'limitAhead', of) },
    },
    /no rule names what happened, and Active does not rest/,
  ],
  [
    'a rule that never holds',
    over,
    withRules(aRule({ in: ['Closed'], when: () => false })),
    /the rule new-rule never held over 30000 facts in Closed/,
  ],
  [
    'a rule that says nothing',
    over,
    rule('attach-late', (each) => ({ ...each, says: () => nothing })),
    /the rule attach-late says nothing/,
  ],
  [
    'other words than those written down',
    over,
    { table: { ...table, words: [{ rule: 'limit-reached', says: 'Session timed out', source: 'x', line: 3 }] } },
    /the rule limit-reached should say "Session timed out", it says "Session timeout"/,
  ],
  [
    'a moment that is none',
    over,
    rule('limit-ahead', (each) => ({ ...each, look: { at: 'limit', moment: () => Number.NaN } })),
    /limit-ahead looks again at a moment that is none/,
  ],
  [
    'a rule that throws',
    invalidFaults,
    rule('attach-late', (each) => ({
      ...each,
      when: () => {
        throw new Error('boom');
      },
    })),
    /rules\/consoleSession\/events\.ts:\d+ Expired: the rule attach-late throws "boom", over the facts\n/,
  ],
  [
    'a rule that throws over facts that are known',
    over,
    rule('attach-late', (each) => ({
      ...each,
      says: () => {
        throw new Error('boom');
      },
    })),
    /events\.ts:\d+ .*Expired: the rule attach-late throws "boom", over the facts\n(?: {4}.+\n)* {4}asked: {"is":"attach",.+}\n/,
  ],
  [
    'documents that do not know a state',
    over,
    {
      table: { ...table, rests: [...table.rests, { state: 'Frozen', until: 'x', line: 1 }] },
      machine: { ...config, states: { ...config.states, Frozen: {} } },
    },
    /specs\/lifecycles\/consoleSession\/documents\.ts:\d+ specs\/lifecycles\/consoleSession\/documents\.ts knows no state Frozen$/m,
  ],
  [
    'a limit off by one',
    (run) => limitFaults(run, { ...lifecycle.limits?.values, commandMaxWords: 9 }),
    {},
    /consoleSession\.md:\d+ rules\/consoleSession\/limits\.ts:\d+ the limit commandMaxWords should be 8, it is 9/,
  ],
  [
    'a limit that is not written down',
    (run) => limitFaults(run, { ...lifecycle.limits?.values, other: 3_000 }),
    {},
    /consoleSession\.md:\d+ rules\/consoleSession the limit other = 3s \(3000\) is not written down/,
  ],
  [
    'a message with another letter',
    said,
    verdict('Create', 0, { message: () => 'Your viewer role can not open consoles.' }),
    /consoleSession\.md:\d+ rules\/consoleSession\/create\.ts:\d+ Create: CON-063 should say "Your viewer role cannot open consoles\.", it says .*\n {4}caller: "viewer"\n {4}… targetNamed, pod, commandWords$/m,
  ],
  [
    'a verdict with another reason',
    said,
    verdict('Create', 0, { reason: 'Refused' }),
    /CON-063: verdict 1 should be ViewerRefused False, it is Refused False/,
  ],
  [
    'a verdict with another condition',
    said,
    verdict('Create', 0, { when: () => false }),
    /Create: the documents say CON-063, the rules CON-\d+/,
  ],
  [
    'a verdict table without rules',
    said,
    { subject: { ...lifecycle, verdicts: {} } },
    /consoleSession\.md:\d+ rules\/consoleSession the verdict table "Create" has no rules/,
  ],
];

/** The documents with one event missing, as if a spec author had forgotten a case. */
function only(event: string | null, forgotten: string, state: string): string | null {
  return state === 'Active' && event === forgotten ? null : event;
}

const tell = (faults: readonly Fault[]) => faults.map(({ at, text }) => `${at.join(' ')} ${text}`).join('\n');

spec('the unchanged lifecycle has no faults', () => {
  const run = changed({});
  assert.is(tell([...structure(run), ...over(run), ...invalidFaults(run), ...said(run), ...lives(run)]), '');
});

for (const [what, find, changes, tells] of mistakes.filter((_, at) => isChosen(at, 30)))
  spec(`the checker reports ${what}`, () => {
    const told = tell(find(changed(changes)));
    assert.match(told, tells, told);
  });

seldomly('an invariant that cannot be broken is named', () => {
  const model = { ...lifecycle.model, invariants: { ...lifecycle.model.invariants, idle: { never: () => false } } };
  assert.equal(unproven(changed({ subject: { ...lifecycle, model } })), ['idle']);
});

seldomly(
  'a life that violates an invariant is reported step by step, shortest first, with the changes of each step',
  () => {
    const opened = { from: ['Attached'], event: 'secondAttachRefused', to: 'same', does: ['holdTerminal'] };
    const run = changed({
      ...row('CON-072', (each) => ({ ...each, ...opened })),
      ...arrow('Attached', 'secondAttachRefused', { target: 'Attached', actions: 'holdTerminal' }),
    });
    const [fault] = lives(run);
    assert.match(fault?.text ?? '', /^never oneTerminal is broken: two terminals are open in one session\n/);
    assert.match(fault?.text ?? '', /# {2}what happened +state +what it changed\n +0 +at first +\(none\)/);
    assert.match(fault?.text ?? '', /pass: attach-second → secondAttachRefused +Attached +.*open=2/);
    assert.is(fault?.text.split('\n').length, 10, fault?.text);
  },
);

spec('a pass that changes nothing and requeues at once is reported', () => {
  const run = changed(row('CON-068b', (each) => ({ ...each, look: 'now' })));
  assert.match(tell(lives(run)), /CON-068b changes nothing and requeues at once/);
});

seldomly('a mutant of a limit survives when no fact equals the limit', () => {
  const edgeless = lifecycle.facts.filter((facts) => (facts as { commandWords: number }).commandWords !== 9);
  const caught = (facts: typeof edgeless) =>
    mutate(changed({ subject: { ...lifecycle, facts, verdicts: {} } })).find(({ text }) =>
      text.startsWith('limit commandMaxWords 9 '),
    )?.caughtBy;
  assert.is(caught(lifecycle.facts), 'rules');
  assert.is(caught(edgeless), null);
});

spec.run();
