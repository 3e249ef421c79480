import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { HistoryEntry } from '../../crds/kind.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { gaps } from '../../runtime/step/audit.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { tableOf } from '../check/check.ts';
import { lifecycleNames } from '../check/lifecycles.ts';
import { suite } from '../support/suite.ts';
import { userBuild, makeTestEnvironment, until } from '../support/environment.ts';
import { auditText, faultsOf } from './audit.ts';
import { NoRecording, readRecordings, type Recorded } from './sources.ts';
import { auditTables } from './tables.ts';
import { spoilings, tracesOf } from './traces.ts';

const spec = suite('audit');
const tables = auditTables(lifecycleNames());
const tolerance = { now: Date.UTC(2027, 0, 2), lateMs: 60_000 };
const recorded = (history: readonly HistoryEntry[], rest: Partial<Recorded> = {}): Recorded => ({
  name: 'one',
  history,
  states: {},
  ...rest,
});
const wrong = (history: readonly HistoryEntry[], rest: Partial<Recorded> = {}) =>
  faultsOf(recorded(history, rest), tables, tolerance);

for (const name of tables.keys()) {
  const traces = tracesOf(tableOf(name), name);
  spec(`${name}: a life allowed by the table passes, and every altered one is reported`, () => {
    fc.assert(
      fc.property(traces, (moves) => assert.equal(wrong(moves), [])),
      { numRuns: 50 },
    );
    for (const spoiling of spoilings)
      fc.assert(
        fc.property(traces, fc.nat(), (moves, at) => {
          const places = spoiling.where(moves.length);
          if (places.length === 0) return;
          const spoilt = spoiling.spoil(moves, places[at % places.length] ?? 0);
          assert.ok(wrong(spoilt).length > 0, spoiling.what);
        }),
        { numRuns: 50 },
      );
  });
}

spec('an exceeded deadline is reported, while the state lasts and afterwards', () => {
  for (const [machine, { deadlines, ...table }] of tables)
    for (const { state, atMostMs } of deadlines) {
      const inbound = table.rows.find(({ to, from }) => to === state && !from.includes(state));
      if (!inbound) continue;
      const entered: HistoryEntry = {
        seq: 1,
        machine,
        from: inbound.from[0] ?? '',
        event: inbound.event,
        to: state,
        by: 'operator',
        text: '',
        at: new Date(tolerance.now - atMostMs - 2 * tolerance.lateMs).toISOString(),
      };
      const told = wrong([entered], { states: { [machine]: state } }).map(({ is }) => is);
      assert.ok(told.includes('overrun'), `${machine} ${state}`);
    }
});

const history = (...moves: readonly (readonly [from: string, event: string, to: string, minute: number])[]) =>
  moves.map(([from, event, to, minute], index): HistoryEntry => ({
    seq: index + 1,
    machine: 'build',
    from,
    event,
    to,
    by: 'operator',
    text: '',
    at: new Date(Date.UTC(2027, 0, 1, 0, minute)).toISOString(),
  }));
const told = (moves: readonly HistoryEntry[], rest: Partial<Recorded> = {}) => wrong(moves, rest).map(({ is }) => is);

spec('an illegal step names the rows that have its event', () => {
  const [fault] = wrong(history(['Pending', 'checkFailed', 'FailedBeforeJob', 0]));
  assert.match(
    fault?.text ?? '',
    /Pending checkFailed → FailedBeforeJob .* rows with this event: BLD-157 \(specs\/tables\/build\.md:\d+\)/,
  );
});

spec('a late requeue is reported', () => {
  const claimed = ['Pending', 'startCleared', 'Pending'] as const;
  assert.equal(told(history([...claimed, 0], ['Pending', 'jobCreated', 'Running', 1])), []);
  assert.equal(told(history([...claimed, 0], ['Pending', 'jobCreated', 'Running', 3])), ['late']);
});

spec('the audit does not report a pass that only waited as missing', () => {
  const begun = ['Draft', 'gateOpened', 'Provisioning'] as const;
  const moves = history([...begun, 0], ['Provisioning', 'provisioned', 'Ready', 5]);
  assert.equal(told(moves.map((move) => ({ ...move, machine: 'objectStore' }))), []);
});

spec('the state of the object and its next check must agree with its last move', () => {
  const moves = history(['Pending', 'jobCreated', 'Running', 0]);
  assert.equal(told(moves, { states: { build: 'Running' }, requeueAtMs: tolerance.now }), []);
  assert.equal(told(moves, { states: { build: 'Succeeded' } }), ['broken']);
  assert.equal(told(moves, { states: { build: 'Running' }, requeueAtMs: tolerance.now - 120_000 }), ['late']);
});

spec('an external change without an arrow is reported', () => {
  assert.equal(told(history(['Running', 'movedOutside', 'Unrecognised', 0])), ['outside']);
});

spec('older moves than the newest twenty may be missing, later ones may not', () => {
  const twenty = history(
    ...Array.from({ length: 20 }, (_, at) => ['Pending', 'commitResolved', 'Pending', at] as const),
  ).map((move, at) => ({ ...move, seq: at + 31 }));
  assert.equal(told(twenty), []);
  assert.equal(told(twenty.slice(0, 19)), ['gap']);
  assert.equal(told(twenty.map((move, at) => (at === 10 ? { ...move, seq: 99 } : move))).includes('gap'), true);
});

spec('the history recorded by a running operator passes', async () => {
  const world = makeTestEnvironment();
  world.cluster.put(builds, userBuild('fine'));
  world.cluster.put(builds, userBuild('failing'));
  const started = await world.start();
  for (const [name, outcome] of [
    ['fine', 'Complete'],
    ['failing', 'Failed'],
  ] as const) {
    await until(() => world.build(name)?.status?.phase === 'Running', `${name} runs`);
    world.endJob(name, outcome);
  }
  await until(
    () => world.build('fine')?.status?.phase === 'Succeeded' && world.build('failing')?.status?.phase === 'Failed',
    'both ended',
  );
  await started.crash();
  for (const name of ['fine', 'failing']) {
    const build = world.build(name);
    const moves = build ? historyOf(build) : [];
    assert.ok(moves.length >= 3);
    const now = Date.now();
    assert.equal(
      faultsOf(recorded(moves, { states: { build: moves.at(-1)?.to ?? '' } }), tables, { now, lateMs: 60_000 }),
      [],
    );
  }
});

spec('the number of missing moves is reported', () => {
  const told = (...seqs: readonly number[]) =>
    gaps(seqs.map((seq) => ({ ...history(['Pending', 'commitResolved', 'Pending', 0])[0], seq }) as HistoryEntry)).map(
      ({ text }) => text,
    );
  assert.equal(told(1, 3, 6), ['1 move is missing before move 3', '2 moves are missing before move 6']);
});

spec('an audit without moves fails', () => {
  assert.equal(auditText([], tables, tolerance), { lines: ['nothing was audited: no move is recorded here'], exit: 1 });
  assert.is(auditText([recorded([])], tables, tolerance).exit, 1);
  const fine = auditText([recorded(history(['Pending', 'jobCreated', 'Running', 0]))], tables, tolerance);
  assert.equal(fine, { lines: ['1 move of 1 object audited: every one is an arrow of its table'], exit: 0 });
});

spec('journals and kubectl output are read, and any other file is refused by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-audit-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const moves = history(['Pending', 'jobCreated', 'Running', 0]);
  const line = JSON.stringify({ kind: 'CoreBuild', name: 'gone', uid: 'u', deletedAt: 'x', history: moves });
  file('2027-01-01.ndjson', `${line}\n{"kind":"Core`);
  assert.equal(readRecordings(folder), [{ name: 'gone', history: moves, states: {} }]);
  const list = file(
    'list.json',
    JSON.stringify({ kind: 'List', items: [{ metadata: { name: 'b' }, status: { history: moves } }] }),
  );
  assert.equal(readRecordings(list), [{ name: 'b', history: moves, states: {} }]);
  for (const [text, why] of [
    ['{', /bad\.json is no JSON/],
    ['[]', /bad\.json is no object/],
    ['{"a":1}', /neither a journal nor/],
    ['{"metadata":{},"status":{"history":[{"seq":"1"}]}}', /holds moves without seq/],
  ] as const)
    assert.throws(
      () => readRecordings(file('bad.json', text)),
      (error: unknown) => error instanceof NoRecording && why.test(error.message),
    );
  assert.throws(() => readRecordings(join(folder, 'absent')), /cannot be read/);
  rmSync(folder, { recursive: true });
});

spec.run();
