import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import type { Change, Explanation, Machine, Transitions } from '../../../http/api.ts';
import { takenEvents, takenFirst } from '../../../http/dashboard/diagram/marks.ts';
import { diagramOf, labelOf } from '../../../http/dashboard/diagram/model.ts';
import { withParam } from '../../../http/dashboard/components/filter/query.ts';
import { lineLevel, segmentsOf, shownLines } from '../../../http/dashboard/components/log/level.ts';
import { nextRow } from '../../../http/dashboard/components/table/virtualTable.tsx';
import { attemptCountOf } from '../../../http/dashboard/model/attemptCount.ts';
import { excerptOf, isLong } from '../../../http/dashboard/model/excerpt.ts';
import { counted, countedSome } from '../../../http/dashboard/model/deletion.ts';
import { discardsOf, isDiscardable } from '../../../http/dashboard/model/discard.ts';
import { factLines } from '../../../http/dashboard/model/factLines.ts';
import { groupedMoves, machinesIn, ofMachine, seqOf } from '../../../http/dashboard/model/moves.ts';
import { instanceWords, isFinal } from '../../../http/dashboard/pages/instance/text.ts';
import { alsoOf } from '../../../http/dashboard/model/state.ts';
import { byState, countedStates, stateCounts } from '../../../http/dashboard/model/stateCounts.ts';
import { suite } from '../../support/suite.ts';
import { attempts, buildMachine, explanation, moves } from './gallery/fixtures.ts';
import { countedErrors, newestErrors } from '../../../http/dashboard/model/attempts.ts';

const parts = suite('shared parts');

type Move = Transitions['items'][number];
const at = (ms: number) => new Date(Date.parse('2026-11-23T00:00:00.000Z') + ms).toISOString();
const move = (seq: number, ms: number, machine = 'build'): Move => ({
  seq,
  machine,
  from: 'Pending',
  event: 'jobCreated',
  to: 'Running',
  by: 'operator',
  at: at(ms),
  text: '',
  outside: false,
});

parts('moves within a second of the newest are one group, without chaining', () => {
  const groups = groupedMoves([move(1, 0), move(2, 999), move(3, 1000), move(4, 2001)]);
  assert.equal(
    groups.map((group) => group.moves.map(seqOf)),
    [[4], [3, 2, 1]],
  );
  assert.equal(
    groups.map(({ until }) => until),
    [null, at(2001)],
  );
});

parts('grouping keeps every move, and a state lasts until the next move of its machine', () => {
  const some = fc.array(fc.record({ ms: fc.nat(5000), machine: fc.constantFrom('a', 'b') }), { maxLength: 20 });
  fc.assert(
    fc.property(some, (given) => {
      const all = given.toSorted((a, b) => a.ms - b.ms).map(({ ms, machine }, index) => move(index + 1, ms, machine));
      const groups = groupedMoves(all);
      assert.equal(
        groups.flatMap((group) => group.moves.map(seqOf)),
        all.map(({ seq }) => seq).toReversed(),
      );
      for (const { moves: own, until } of groups) {
        const next = all.find(({ seq, machine }) => seq > (own[0] ? seqOf(own[0]) : 0) && machine === own[0]?.machine);
        assert.is(until, next?.at ?? null);
      }
    }),
  );
  assert.equal(machinesIn(moves), ['build', 'draftDeploy']);
  assert.is(ofMachine(moves, 'draftDeploy').length, 1);
  assert.is(ofMachine(moves, '').length, moves.length);
});

parts('facts are shown as labels and values of any type', () => {
  const lines = factLines(
    {
      failedPods: { is: 'known', value: 2 },
      waitForCI: { is: 'known', value: false },
      limitMs: { is: 'known', value: 90_000 },
      startedAt: { is: 'known', value: '2026-11-23T00:00:00.000Z' },
      pods: { is: 'known', value: { is: 'present', items: [{ name: 'a', ready: true }], last: { code: 137 } } },
      nothing: { is: 'known', value: {} },
      digest: { is: 'unasked' },
      commit: { is: 'unknown', why: 'no answer' },
    },
    'not asked for yet',
  );
  assert.equal(
    lines.map(({ label, value }) => `${label}: ${value}`),
    [
      'Failed pods: 2',
      'Wait for ci: no',
      'Limit ms: 1 min 30 s',
      'Started at: 2026-11-23T00:00:00.000Z',
      'Pods: present',
      'Pods, items: a yes',
      'Pods, last, code: 137',
      'Nothing: none',
      'Digest: not asked for yet',
      'Commit: unknown: no answer',
    ],
  );
  assert.is(lines[3]?.at, '2026-11-23T00:00:00.000Z');
});

parts('a fact is never shown as JSON', () => {
  const values = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(values, (value) => {
      for (const line of factLines({ fact: { is: 'known', value } }, '')) assert.not.match(line.value, /[{}[\]"]/);
    }),
  );
});

parts('an attempt is counted when the machine limits its attempts', () => {
  const of = (state: string, facts: Explanation['facts'] = {}) => attemptCountOf({ ...explanation, state, facts });
  assert.equal(of('SecondAttempt'), { n: 2, of: 3 });
  assert.equal(of('Counting', { failures: { is: 'known', value: 2 } }), { n: 3, of: 5 });
  assert.equal(of('Running', { job: { is: 'known', value: { is: 'present', failedPods: 1 } } }), { n: 2, of: 3 });
  assert.is(of('Running', { job: { is: 'known', value: { is: 'absent' } } }), null);
  assert.is(of('Succeeded'), null);
});

parts('a long text is shortened between words and outside code spans', () => {
  const words = 'a message that goes on '.repeat(100).trim();
  assert.equal(['x'.repeat(360), 'x'.repeat(361)].map(isLong), [false, true]);
  assert.ok(excerptOf(words).length <= 280);
  assert.ok(words.startsWith(`${excerptOf(words)} `));
  assert.is(excerptOf('x'.repeat(2_000)).length, 140);
  assert.is(excerptOf(`${'word '.repeat(50)}\`code ${'more '.repeat(50)}\``).split('`').length, 1);
});

const asIs = { moves: [], machine: undefined };
const wordsOf = (of: Explanation, moves: Transitions['items'] = []) =>
  instanceWords({ ...asIs, explanation: of, moves });

parts('a resting instance is described by its last move when no explanation is known', () => {
  const rests = {
    ...explanation,
    decision: { is: 'rests' },
    tried: [],
    text: 'nothing to do now',
  } as unknown as Explanation;
  assert.is(wordsOf(rests).sentence, 'Nothing to do now');
  const move = { seq: 1, machine: rests.machine, to: rests.state, text: 'received: HTTP 200' };
  const moves = [move, { ...move, seq: 2, to: 'Elsewhere' }] as unknown as Transitions['items'];
  assert.is(wordsOf(rests, moves).sentence, 'Received: HTTP 200');
  const tried = [{ rule: 'r', event: 'e', held: 'yes', says: 'Push again.' }] as const;
  assert.is(wordsOf({ ...rests, tried, text: 'Push again.' }, moves).sentence, 'Push again.');
});

parts('a state is final when the API says so, without a next check', () => {
  const ended = { ...explanation, notes: [], decision: { is: 'rests' }, restsUntil: 'for good' } as Explanation;
  const machineWith = (final: boolean) => ({ states: [{ name: ended.state, final }] }) as unknown as Machine;
  assert.equal(
    [machineWith(true), machineWith(false), undefined].map((machine) => isFinal(ended, machine)),
    [true, false, false],
  );
  assert.is(isFinal({ ...ended, state: 'Elsewhere' }, machineWith(true)), false);
  const of = (final: boolean) => instanceWords({ ...asIs, explanation: ended, machine: machineWith(final) });
  assert.equal([of(true).due, of(true).notes[0]?.text], [null, 'This state is final (for good).']);
  assert.is(of(false).due?.label, 'Next check');
});

parts('the banner shows the next check, retry, rest, pause, or that only the leader knows', () => {
  const said = (over: Partial<Explanation>) => {
    const { due, notes } = wordsOf({ ...explanation, notes: [], ...over });
    return [due?.label ?? null, notes[0]?.text ?? ''];
  };
  assert.equal(said({}), ['Next check', 'The next check asks for `commit`.']);
  assert.equal(said({ failure: { text: 'no answer', count: 2 } }), [
    'Next try',
    'The attempt failed 2 times: no answer.',
  ]);
  assert.equal(said({ paused: true })[0], null);
  assert.match(String(said({ paused: true })[1]), /core\.platform\/paused/);
  const { nextCheckAt: _, ...quiet } = explanation;
  const next = [{ row: 'BLD-169', event: 'pushed', to: 'Pending', when: 'a push', command: true }];
  const rests = { ...quiet, notes: [], decision: { is: 'rests' } } as Explanation;
  assert.is(wordsOf(rests).notes[0]?.text, 'No automatic next step.');
  assert.is(wordsOf({ ...rests, restsUntil: 'a push', next }).notes[0]?.text, 'Rests until: a push.');
  assert.match(String(said({ nextCheckAt: null })[1]), /standby/);
});

const changes: readonly Change[] = [
  { path: 'spec.port', kind: 'settings', deployed: 80, saved: 8080 },
  { path: 'spec.source.git.context', kind: 'settings', deployed: null, saved: 'app' },
  { path: 'spec.config.A', kind: 'variables', deployed: 'old', saved: 'new' },
  { path: 'spec.config.B.C', kind: 'variables', deployed: null, saved: 'new' },
  { path: 'spec.secretData.KEY', kind: 'variables', deployed: null, saved: null },
  { path: 'spec.resources.limits.cpu', kind: 'settings', deployed: null, saved: '1' },
];

parts('a discard restores settings in one request, variables one by one, and no secret', () => {
  assert.equal(discardsOf('web', changes), [
    { method: 'PATCH', path: '/api/v1/apps/web', body: { port: 80, context: '' } },
    { method: 'POST', path: '/api/v1/apps/web/config/set', body: { key: 'A', value: 'old' } },
    { method: 'POST', path: '/api/v1/apps/web/config/delete', body: { key: 'B.C' } },
  ]);
  assert.equal(changes.map(isDiscardable), [true, true, true, true, false, false]);
});

parts('deleted objects are counted and at most five are named', () => {
  assert.is(counted('build', ['a']), '1 build: a');
  assert.is(counted('copy', 14, 'copies'), '14 copies');
  assert.is(counted('build', ['a', 'b', 'c', 'd', 'e', 'f', 'g']), '7 builds: a, b, c, d, e and 2 more');
  assert.equal(countedSome('build', []), []);
});

parts('an attempt keeps its newest twelve errors and counts equal ones', () => {
  const errors = newestErrors(attempts[0]?.errors ?? []);
  assert.is(errors.length, 12);
  assert.equal(
    countedErrors(errors).map(({ count }) => count),
    [1, 1, 1, 1, 1, 7],
  );
});

parts('log lines are filtered by level and text and keep their numbers', () => {
  assert.equal(['error: x', 'a warning', 'debug: y', 'plain', 'no errors, 1 warning'].map(lineLevel), [
    'error',
    'warn',
    'debug',
    'info',
    'warn',
  ]);
  const lines = ['plain', 'debug: y', 'warn', 'error: x'].map((text) => ({ text, level: lineLevel(text) }));
  const log = { lines, dropped: 10 };
  const numbers = (level: 'error' | 'warn' | 'info' | 'debug', search = '') =>
    shownLines(log, { level, search }).map(({ number }) => number);
  assert.equal([numbers('error'), numbers('warn'), numbers('info')], [[14], [13, 14], [11, 13, 14]]);
  assert.equal(numbers('debug'), [11, 12, 13, 14]);
  assert.equal(numbers('debug', 'WARN'), [13]);
  assert.equal(segmentsOf('abcab', 'AB'), ['', 'ab', 'c', 'ab', '']);
});

parts('the segments of a line join to the line, with every second one a match', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (text, search) => {
      const chunks = segmentsOf(text, search);
      assert.is(chunks.join(''), text);
      assert.ok(chunks.every((piece, index) => index % 2 === 0 || piece.toLowerCase() === search.toLowerCase()));
    }),
  );
});

parts('only the event of the last move in a merged arrow is marked and named first', () => {
  const model = diagramOf(buildMachine, new Set());
  const marks = {
    current: 'Running',
    moves: [{ from: 'WaitingForCI', to: 'Running', event: 'checksPassed' }],
    next: new Set<string>(),
  };
  const arrow = takenFirst(marks, model).arrows.find(({ from, to }) => from === 'WaitingForCI' && to === 'Running');
  assert.ok(arrow && arrow.rows.length > 1);
  assert.equal([...takenEvents(marks, arrow)], ['checksPassed']);
  assert.match(String(labelOf(arrow.rows, 1)[0]), /^checksPassed/);
});

parts('states are counted in table order, unreachable ones only when an instance is in them', () => {
  const counts = stateCounts(buildMachine, { Running: 2, Odd: 1 });
  assert.equal(
    counts.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]),
    [
      ['Running', 2],
      ['Odd', 1],
    ],
  );
  assert.ok(counts.some(({ state, count }) => state === 'Pending' && count === 0));
  assert.equal(
    countedStates(byState([{ state: 'b' }, { state: 'odd' }]), [
      ['a', 'A'],
      ['b', 'B'],
    ]),
    [{ state: 'b', shown: 'B', count: 1 }],
  );
});

parts('additional chips show retrying and paused', () => {
  assert.equal(alsoOf({ retrying: true, failures: 3, paused: true }), ['retrying 3', 'paused']);
  assert.equal(alsoOf({ retrying: true, failures: null, paused: false }), ['retrying']);
  assert.equal(alsoOf({ retrying: false, failures: 2, paused: false }), []);
});

parts('a key selects an existing row', () => {
  const from = { at: 3, page: 10, last: 5 };
  assert.equal(
    ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'x'].map((key) => nextRow(key, from)),
    [4, 2, 5, 0, 0, 5, null],
  );
});

parts('one address parameter is set without changing the others', () => {
  const here = { path: '/a', search: '?view=x&state=A,B' };
  assert.is(withParam(here, 'machine', 'build'), '/a?view=x&state=A,B&machine=build');
  assert.is(withParam(here, 'view', ''), '/a?state=A,B');
  assert.is(withParam({ path: '/a', search: '?view=x' }, 'view', ''), '/a');
});

parts.run();
