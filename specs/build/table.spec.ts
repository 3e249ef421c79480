import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row as ServedRow } from '../../http/api.ts';
import { build } from '../../machines/build.ts';
import type { Row } from '../../machines/table.ts';
import { tables } from '../../machines/tables.ts';
import { buildEvents } from '../../rules/build/events.ts';
import { writes } from '../../runtime/controllers/build/writes.ts';
import { ensures } from '../../runtime/controllers/build/ensures.ts';
import { statesOf as statesOfMachine } from '../../runtime/step.ts';
import { arrowsOf } from '../tables/arrows.ts';
import { compileTables } from '../tables/compile.ts';
import { type Compared, differences } from '../tables/conformance.ts';
import { type Parsed, parseTable, statesOf } from '../tables/parse.ts';

const spec = suite('build table');
const folder = new URL('../tables/', import.meta.url);
const file = 'specs/tables/build.md';
const text = readFileSync(new URL('build.md', folder), 'utf8');
const table = parseTable(text, file);

/** Asked for by the REST API or the webhook; or found done by hand. */
const unruled = ['cancelAsked', 'pushed', 'rebuildAsked', 'resetFound'];
const compared: Compared = { table, machine: build, rules: buildEvents, unruled };

const everyRow =
  'BLD-147 BLD-148 BLD-149 BLD-150 BLD-151 BLD-151a BLD-152 BLD-153 BLD-154 BLD-154a BLD-155 BLD-156 BLD-157 BLD-158 ' +
  'BLD-159 BLD-160 BLD-161 BLD-162 BLD-163 BLD-164 BLD-165 BLD-166 BLD-167 BLD-168 BLD-169 BLD-170 BLD-171 BLD-172 ' +
  'BLD-173 BLD-174 BLD-175 BLD-177 BLD-178 BLD-179 BLD-180 BLD-181 BLD-182 BLD-183 BLD-184 BLD-185 BLD-186 BLD-187';

spec(`${everyRow} the machine is its table, row by row and arrow by arrow`, () => {
  assert.is(differences(compared).join('\n'), '');
  assert.equal(table.rows.map(({ id }) => id).toSorted(), everyRow.split(' ').toSorted());
});

spec('BLD-146 BLD-176 appearing and disappearing stand apart from the arrows', () => {
  assert.equal(
    table.absence.map(({ id, from, to }) => [id, from.join(' '), to]),
    [
      ['BLD-146', '(none)', 'Pending'],
      ['BLD-176', 'Succeeded Failed FailedBeforeJob Cancelled', '(deleted)'],
    ],
  );
});

spec('BLD-054 BLD-055 every stored phase reads as a state of the machine', () => {
  assert.equal(statesOf(table).toSorted(), statesOfMachine(build).toSorted());
  assert.ok(table.lens.every(({ readAs }) => statesOfMachine(build).includes(readAs)));
});

spec('every action and every ensure of the table is one the controller brings about', () => {
  const named = (of: (row: Row) => readonly string[]) => [...new Set(table.rows.flatMap(of))].toSorted();
  assert.equal(
    named(({ does }) => does),
    Object.keys(writes).toSorted(),
  );
  assert.equal(
    named((row) => row.ensures),
    Object.keys(ensures).toSorted(),
  );
});

spec('machines/tables.json is what the tables compile to, and what the API serves', () => {
  const stored = readFileSync(new URL('../../machines/tables.json', import.meta.url), 'utf8');
  assert.is(stored, compileTables(new URL('.', folder).pathname), 'run `npm run build`');
  const served: readonly ServedRow[] = tables.build.rows;
  assert.equal(served, table.rows);
  assert.equal(tables.build.absence, table.absence);
});

/** The table with one row changed, or without it. */
const changed = (id: string, change: (row: Row) => Row | null): Parsed => ({
  ...table,
  rows: table.rows.flatMap((row) => (row.id === id ? (change(row) ?? []) : [row])),
});

const breaks: readonly (readonly [string, Partial<Compared>, RegExp])[] = [
  ['a row taken away', { table: changed('BLD-157', () => null) }, /no row for .*WaitingForCI checkFailed/],
  [
    'a row too many',
    { table: changed('BLD-172', (row) => ({ ...row, from: ['Failed', 'Running'] })) },
    /BLD-172 \(specs\/tables\/build\.md:\d+\) Running restedFailed/,
  ],
  [
    'another target',
    { table: changed('BLD-158', (row) => ({ ...row, to: 'WaitingForCI' })) },
    /BLD-158 .*goes to FailedBeforeJob/,
  ],
  [
    'an action less',
    { table: changed('BLD-165', (row) => ({ ...row, does: ['succeed'] })) },
    /BLD-165 .*countFailedPods, succeed, not succeed/,
  ],
  [
    'actions in another order',
    { table: changed('BLD-157', (row) => ({ ...row, does: row.does.toReversed() })) },
    /BLD-157 .*does recordChecks, fail/,
  ],
  [
    'another ensure',
    { table: changed('BLD-167', (row) => ({ ...row, ensures: ['noOtherJob'] })) },
    /BLD-167 .*ensures noJob, not noOtherJob/,
  ],
  [
    'another look',
    { table: changed('BLD-163', (row) => ({ ...row, look: '15s' })) },
    /BLD-163 .*job-progressed looks again in 5000 ms, not 15000 ms/,
  ],
  [
    'a limit forgotten',
    { table: changed('BLD-181', (row) => ({ ...row, look: '15s' })) },
    /BLD-181 .*15000 ms or reset, not 15000 ms/,
  ],
  [
    'a state forgotten',
    { table: changed('BLD-178', (row) => ({ ...row, from: ['Pending'] })) },
    /no row for .*startCleared/,
  ],
  [
    'a rule taken away',
    { rules: buildEvents.filter(({ id }) => id !== 'job-vanished') },
    /BLD-183 .*no rule yields jobVanished in Running/,
  ],
  [
    'a rule in one state more',
    {
      rules: buildEvents.map((rule) =>
        rule.id === 'job-failed' ? { ...rule, in: ['Running', 'Cancelled'] as const } : rule,
      ),
    },
    /no row for the rule job-failed: Cancelled jobFailed/,
  ],
  ['a command that a rule yields', { unruled: [...unruled, 'jobFailed'] }, /BLD-164 .*the rule job-failed yields/],
];
for (const [what, change, message] of breaks)
  spec(`the comparison tells of ${what}`, () =>
    assert.match(differences({ ...compared, ...change }).join('\n'), message),
  );

const line = (row: string) =>
  `| id | from | event | when | to | does | ensures | look | source | status |\n|---|\n${row}\n`;
const refused: readonly (readonly [string, string, RegExp])[] = [
  ['a cell too few', '| BLD-001 | A | b | c | D | | | | 000 |', /t\.md:3: 9 cells/],
  ['an id that is none', '| B1 | A | b | c | D | | | | 000 | ours |', /t\.md:3: "B1" is not an id/],
  ['a look that is none', '| BLD-001 | A | b | c | D | | | soon | 000 | ours |', /t\.md:3: look "soon"/],
  ['an unknown status', '| BLD-001 | A | b | c | D | | | | 000 | maybe |', /t\.md:3: status "maybe"/],
  ['any beside a state', '| BLD-001 | any, A | b | c | D | | | | 000 | ours |', /t\.md:3: from "any, A"/],
  ['no source', '| BLD-001 | A | b | c | D | | | | | ours |', /t\.md:3: source is empty/],
  ['absence among the arrows', '| BLD-001 | (none) | b | c | D | | | | 000 | ours |', /t\.md:3: absence/],
  [
    'an id twice',
    '| BLD-001 | A | b | c | D | | | | 0 | ours |\n| BLD-001 | A | d | c | D | | | | 0 | ours |',
    /t\.md:4: "BLD-001" stands in line 3/,
  ],
  [
    'an event that leads to two states',
    '| BLD-001 | A | b | c | D | | | | 0 | ours |\n| BLD-002 | any | b | c | E | | | | 0 | ours |',
    /t\.md:4: "A b" stands in line 3/,
  ],
];
for (const [what, row, message] of refused)
  spec(`a table with ${what} is refused with its line`, () => {
    assert.throws(() => parseTable(line(row), 't.md'), message);
  });

spec('a table without the known columns, or without an arrow, is refused', () => {
  assert.throws(() => parseTable('| a | b |\n|---|---|\n', 't.md'), /t\.md:1: columns "a, b"[^]*no arrow/);
});

spec('`any` and lists are taken apart into arrows', () => {
  const small = parseTable(
    line(
      '| BLD-001 | A, B | go | x | same | | | 5s or reset | 0 | ours |\n| BLD-002 | any | stop | x | A | | | now | 0 | ours |',
    ),
    't.md',
  );
  assert.equal(
    arrowsOf(small).map(({ from, event, to, look }) => [from, event, to, look]),
    [
      ['A', 'go', 'A', { afterMs: 5000, orReset: true }],
      ['B', 'go', 'B', { afterMs: 5000, orReset: true }],
      ['A', 'stop', 'A', { afterMs: 0, orReset: false }],
      ['B', 'stop', 'A', { afterMs: 0, orReset: false }],
    ],
  );
});

spec.run();
