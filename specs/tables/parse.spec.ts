import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Row as ServedRow } from '../../http/api.ts';
import { tables } from '../../machines/tables.ts';
import { suite } from '../support/suite.ts';
import { arrowsOf, lookText, sameLook } from './arrows.ts';
import { compileTables } from './compile.ts';
import { parseTable, sectionAt, TableError } from './parse.ts';

const spec = suite('tables');

const head = '| id | from | event | when | to | does | ensures | look | source | status |\n|---|\n';
const fine = '| BLD-001 | A | b | c | D | | | | 000 | ours |';
const table = (...rows: readonly string[]) => `${head}${rows.join('\n')}\n`;
const beside = (columns: string, row: string) => `${table(fine)}\n## Beside\n\n${columns}\n|---|\n${row}\n`;

const refused: readonly (readonly [string, string, RegExp])[] = [
  ['a cell too few', table('| BLD-001 | A | b | c | D | | | | 000 |'), /t\.md:3: BLD-001: 9 cells instead of 10/],
  ['an id that is none', table('| B1 | A | b | c | D | | | | 000 | ours |'), /t\.md:3: "B1" is not an id/],
  ['a look that is none', table('| BLD-001 | A | b | c | D | | | soon | 000 | ours |'), /t\.md:3: look "soon"/],
  ['an unknown status', table('| BLD-001 | A | b | c | D | | | | 000 | maybe |'), /t\.md:3: status "maybe"/],
  ['any beside a state', table('| BLD-001 | any, A | b | c | D | | | | 000 | ours |'), /t\.md:3: from "any, A"/],
  ['no source', table('| BLD-001 | A | b | c | D | | | | | ours |'), /t\.md:3: source is empty/],
  ['absence among the arrows', table('| BLD-001 | (none) | b | c | D | | | | 000 | ours |'), /t\.md:3: absence/],
  [
    'an id twice',
    table('| BLD-001 | A | b | c | D | | | | 0 | ours |', '| BLD-001 | A | d | c | D | | | | 0 | ours |'),
    /t\.md:4: "BLD-001" stands in line 3/,
  ],
  [
    'an event that leads to two states',
    table('| BLD-001 | A | b | c | D | | | | 0 | ours |', '| BLD-002 | any | b | c | E | | | | 0 | ours |'),
    /t\.md:4: "A b" stands in line 3/,
  ],
  [
    'columns nobody knows',
    `${table(fine)}\n| a | b |\n|---|---|\n`,
    /t\.md:5: the columns "a, b" are those of no section; specs\/README\.md lists them/,
  ],
  [
    'a misspelt column',
    beside('| state | sleeps until |', '| D | ever |'),
    /^t\.md:7: column 2 is "sleeps until", should it be "rests until"\?$/,
  ],
  [
    'a misspelt column of the arrows',
    table(fine).replace('| event |', '| evnt |'),
    /^t\.md:1: column 3 is "evnt", should it be "event"\?$/,
  ],
  [
    'a column too few',
    `${table(fine).replaceAll('| source ', '')}${beside('| state | rests until |', '| D | ever |').slice(table(fine).length)}`,
    /^t\.md:1: the columns are "id, from, .*, look, status", should they be "id, .*, source, status"\?$/,
  ],
  ['no arrow', '# Nothing\n', /t\.md:1: no arrow/],
  ['a rest of no state', beside('| state | rests until |', '| Z | ever |'), /t\.md:9: no arrow names the state "Z"/],
  [
    'trouble in no state',
    beside('| state | what is wrong | source |', '| Z | all | 0 |'),
    /t\.md:9: no arrow names the state "Z"/,
  ],
  [
    'an event from elsewhere of no arrow',
    beside('| event | comes from |', '| z | me |'),
    /t\.md:9: no arrow names the event "z"/,
  ],
  [
    'a limit without a number',
    beside('| limit | value | source |', '| most | many | 0 |'),
    /t\.md:9: "many" is neither/,
  ],
  ['a deadline without a time', beside('| state | at most | since |', '| A | soon | b |'), /t\.md:9: no duration/],
  ['an order of no rules', beside('| state | rules in order |', '| A | One, two! |'), /t\.md:9: .*not a list of rules/],
  [
    'an invariant of no kind',
    beside('| invariant | kind | what holds | source |', '| one | mostly | x | 0 |'),
    /t\.md:9: kind "mostly" is none of always, never, eventually/,
  ],
  ['an empty cell', beside('| event | comes from |', '| b | |'), /t\.md:9: a cell is empty/],
  [
    'a verdict without a reason',
    beside('| id | reason | status | when | message | source |', '| BLD-009 | no reason | True | x | y | 0 |'),
    /t\.md:9: a verdict has an id/,
  ],
];
for (const [what, text, message] of refused)
  spec(`a table with ${what} is refused with its line`, () => {
    assert.throws(
      () => parseTable(text, 't.md'),
      (error: unknown) => error instanceof TableError && message.test(error.message),
    );
  });

spec('a missing entry is reported with the place where it belongs', () => {
  const { file, headings } = parseTable(`# T\n\n## Arrows\n\n${table(fine)}\n## Order\n`, 't.md');
  assert.is(sectionAt({ file, headings }, 'Order'), 't.md:9');
  assert.is(sectionAt({ file, headings }, 'Limits'), 't.md:1');
});

spec('every fault of a table is reported at once', () => {
  const text = table('| B1 | A | b | c | D | | | soon | 000 | maybe |');
  assert.throws(
    () => parseTable(text, 't.md'),
    (error: TableError) => error.faults.length === 3,
  );
});

spec('`any` and lists of states are expanded into arrows', () => {
  const small = parseTable(
    table(
      '| BLD-001 | A, B | go | x | same | | | 5s or reset | 0 | ours |',
      '| BLD-002 | any | stop | x | A | | | now | 0 | ours |',
    ),
    't.md',
  );
  assert.equal(
    arrowsOf(small).map(({ from, event, to, look, at }) => [from, event, to, look, at]),
    [
      ['A', 'go', 'A', '5s or reset', 't.md:3'],
      ['B', 'go', 'B', '5s or reset', 't.md:3'],
      ['A', 'stop', 'A', 'now', 't.md:4'],
      ['B', 'stop', 'A', 'now', 't.md:4'],
    ],
  );
});

spec('a requeue of a table is compared and reported in its written form', () => {
  const reset = () => undefined;
  assert.ok(sameLook('', undefined));
  assert.ok(sameLook('now', { afterMs: 0 }));
  assert.ok(sameLook('15s or reset', { afterMs: 15_000, reset }));
  assert.ok(sameLook('at limit', { at: 'limit' }));
  assert.not(sameLook('15s', { afterMs: 15_000, reset }));
  assert.not(sameLook('15s', { afterMs: 15_001 }));
  assert.not(sameLook('at limit', { at: 'expiry' }));
  assert.not(sameLook('5s', undefined));
  assert.equal(
    [undefined, { afterMs: 0 }, { afterMs: 5_001 }, { afterMs: 90_000, reset }, { at: 'limit' }].map(lookText),
    ['never', 'now', '5001 ms', '1m30s or reset', 'at limit'],
  );
});

spec('tables.json and names.ts of machines/ equal the compiled tables that the API serves', () => {
  for (const [file, text] of Object.entries(compileTables(new URL('.', import.meta.url).pathname)))
    assert.is(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), text, `${file}: run \`npm run build\``);
  const served: readonly ServedRow[] = tables.build.rows;
  assert.ok(served.length > 0);
});

spec.run();
