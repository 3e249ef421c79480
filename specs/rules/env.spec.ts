import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { envOf, readEnv, type Variables } from '../../rules/variables/env.ts';
import { isVariableName } from '../../rules/variables/name.ts';
import { unusableValue } from '../../rules/variableValue.ts';
import { growthOf, grows } from '../support/growth.ts';
import { suite } from '../support/suite.ts';

const env = suite('.env');

/** What one line, or several, give a variable; its name is A. */
const values: readonly (readonly [text: string, value: string])[] = [
  ['A=1', '1'],
  ['A=', ''],
  ['A=   ', ''],
  ['A = spaced out \t', 'spaced out'],
  ['  A=1', '1'],
  ['export A=1', '1'],
  ['export\tA = 1', '1'],
  ['A: 1', '1'],
  ['A:  b=c', 'b=c'],
  ['A=b: c', 'b: c'],
  ['A=1 # said', '1'],
  ['A=1\t# said', '1'],
  ['A= # said', ''],
  ['A=#fff', '#fff'],
  ['A=b#c', 'b#c'],
  ['A=postgres://me:secret@db:5432/shop?sslmode=require', 'postgres://me:secret@db:5432/shop?sslmode=require'],
  ['A=QmFzZTY0==', 'QmFzZTY0=='],
  [String.raw`A=C:\new\dir`, String.raw`C:\new\dir`],
  ['A=it is "so"', 'it is "so"'],
  ["A=it's", "it's"],
  ['A=\u00A0wide\u2003', '\u00A0wide\u2003'],
  ['A=one\u2028line', 'one\u2028line'],
  ['A="  kept  "', '  kept  '],
  ['A="1" # said', '1'],
  ['A="1"# said', '1'],
  ['A="a # b"', 'a # b'],
  [String.raw`A="one\ntwo\r\t\"\\\$x"`, 'one\ntwo\r\t"\\$x'],
  [String.raw`A="\d+\."`, String.raw`\d+\.`],
  ['A="one\ntwo\n"', 'one\ntwo\n'],
  ['A="one\r\ntwo"', 'one\ntwo'],
  ['A="one\rtwo"', 'one\ntwo'],
  ['A="C=3\nB=2"', 'C=3\nB=2'],
  ['A=\'$HOME \\n "x"\'', '$HOME \\n "x"'],
  [String.raw`A='it\'s'`, "it's"],
  [String.raw`A='C:\dir\'`, 'C:\\dir\\'],
  [String.raw`A='C:\dir\' # said`, 'C:\\dir\\'],
  ["A='one\ntwo'", 'one\ntwo'],
  ['A=`it\'s "so" \\n`', 'it\'s "so" \\n'],
  ['A=`one\ntwo`', 'one\ntwo'],
  ['\uFEFFA=1', '1'],
  ['# B=2\n\n   # C=3\nA=1\n', '1'],
];

env('every value form of dotenv and docker compose is read', () => {
  for (const [text, value] of values) {
    const { variables, problems } = readEnv(text);
    assert.equal([variables, problems], [[['A', value]], []], text);
  }
});

env('CR, LF and CRLF each end a line', () => {
  for (const end of ['\n', '\r\n', '\r'])
    assert.equal(readEnv(['A=1', 'B="x"', '', 'C=3'].join(end)).variables, [
      ['A', '1'],
      ['B', 'x'],
      ['C', '3'],
    ]);
});

const key = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQ',
  'QmFzZTY0',
  'Zg=',
  '-----END PRIVATE KEY-----',
];

env('a quoted key over several lines is one value, and an unquoted one leaves no extra variable', () => {
  for (const quote of ['"', "'", '`'])
    assert.equal(readEnv(`KEY=${quote}${key.join('\n')}${quote}\nB=2`), {
      variables: [
        ['KEY', key.join('\n')],
        ['B', '2'],
      ],
      problems: [],
      notes: [],
    });
  assert.equal(readEnv(`A=1\nKEY=${key.join('\n')}\nB=2`), {
    variables: [
      ['A', '1'],
      ['B', '2'],
    ],
    problems: ['line 2: the lines of "KEY" must be in quotes'],
    notes: [],
  });
});

const refused: readonly (readonly [text: string, problem: string, others?: Variables])[] = [
  ['A=1\n\nspring.datasource.url=x', 'line 3: "spring.datasource.url" is no name', [['A', '1']]],
  ['spring.datasource.url="x\nB=2"\nC=3', 'line 1: "spring.datasource.url" is no name', [['C', '3']]],
  ['1A=1', 'line 1: "1A" is no name'],
  ['my-key=1', 'line 1: "my-key" is no name'],
  ['=1', 'line 1: a name is missing'],
  ['https://shop.example/?a=b', 'line 1: "https://shop.example/?a" is no name'],
  ['A', 'line 1: "A" has no value'],
  ['export A', 'line 1: "A" has no value'],
  ['A:', 'line 1: "A:" is no name'],
  ['A:  # said', 'line 1: "A:  # said" is no name'],
  ['two words', 'line 1: "two words" is no name'],
  [`${'x'.repeat(201)}=1`, `line 1: "${'x'.repeat(40)}…" is no name`],
  ['A="open\nB=2', 'line 1: the quote of "A" is not closed, and nothing after it is read'],
  ["A=1\nB='", 'line 2: the quote of "B" is not closed, and nothing after it is read', [['A', '1']]],
  ['A="C:\\dir\\"', 'line 1: the quote of "A" is not closed, and nothing after it is read'],
  ['A="x" y\nB=2', 'line 1: text follows the closing quote of "A"', [['B', '2']]],
  ['A="x\nB="y"\nC=3', 'line 1: text follows the closing quote of "A"', [['C', '3']]],
  ['A=a\0b', 'line 1: "A": value holds a character that no variable can have'],
];

env('an invalid entry is reported with its line and ignored as a whole', () => {
  for (const [text, problem, others = []] of refused)
    assert.equal(readEnv(text), { variables: others, problems: [problem], notes: [] }, text);
});

env('a value that other parsers read differently is taken literally with a warning', () => {
  assert.equal(readEnv('A=1\nB=2\nA=3'), {
    variables: [
      ['A', '3'],
      ['B', '2'],
    ],
    problems: [],
    notes: ['line 3: "A" is given twice, and this value is taken'],
  });
  const note = 'line 1: "$" in "A" is taken as it is written';
  const dollars: Readonly<Record<string, readonly string[]>> = {
    'A=${B}/x': [note],
    'A="x$B"': [note],
    'A=$(date)': [note],
    'A=US$ 5': [],
    "A='${B}'": [],
    'A=`${B}`': [],
    'A="\\${B}"': [],
  };
  for (const [text, notes] of Object.entries(dollars)) assert.equal(readEnv(text).notes, notes, text);
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/).filter(isVariableName);
const piece = fc.oneof(
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  fc.constantFrom(
    ...' \t\r\n\u2028\u2029\uFEFF\u00A0\v#$=:\'"`\\'.split(''),
    '\r\n',
    ' #',
    '\\n',
    "\\'",
    '${A}',
    '-----BEGIN X-----',
  ),
);
const value = fc
  .array(piece, { maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => unusableValue(text) === null);
const variables = fc.uniqueArray(fc.tuple(name, value), { selector: ([of]) => of, maxLength: 6 });

env('any written variables are read back unchanged', () => {
  fc.assert(
    fc.property(variables, (given) => {
      assert.equal(readEnv(envOf(given)), { variables: given, problems: [], notes: [] });
    }),
    { numRuns: 3_000 },
  );
});

env('written variables are read back unchanged, and every line is accepted or reported', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, name), { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      const read = readEnv(text);
      assert.equal(readEnv(envOf(read.variables)).variables, read.variables);
      const message = text
        .replace(/^\uFEFF/, '')
        .split(/\r\n?|\n/)
        .some((line) => !/^[ \t]*(#|$)/.test(line));
      assert.is(read.variables.length + read.problems.length > 0, message);
    }),
    { numRuns: 2_000 },
  );
});

env('the parse time of variables is linear in their size for any content', () => {
  const lines = (line: string) => (size: number) => line.repeat(Math.ceil(size / line.length));
  const texts: Readonly<Record<string, (size: number) => string>> = {
    lines: lines('NAME=value # said\n'),
    'an open quote at the end': (size) => `${lines('NAME=value\n')(size)}KEY="open`,
    'an open quote at the begin': (size) => `KEY="${lines('NAME=value\n')(size)}`,
    'escaped quotes': (size) => `KEY="${lines('\\"')(size)}`,
    'quotes that may be the last of their line': (size) => `KEY='${lines("\\'  ")(size)}x`,
    backslashes: (size) => `KEY="${lines('\\')(size)}"`,
    blanks: (size) => `KEY=a${lines(' ')(size)}b`,
    colons: lines(':  '),
    'keys without quotes': lines('KEY=-----BEGIN X-----\n'),
    'the lines of a key': (size) => `KEY=-----BEGIN X-----\n${lines('QmFzZTY0\n')(size)}`,
    'odd names': lines('a.b=1\n'),
  };
  for (const [what, of] of Object.entries(texts)) {
    const growth = growthOf((size) => {
      const text = of(size);
      return () => void readEnv(text);
    }, 1_024 * 1_024);
    assert.not.ok(grows(growth), `${what}: ${growth.toFixed(1)} times for four times the bytes`);
  }
});

env.run();
