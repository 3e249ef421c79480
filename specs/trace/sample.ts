import { createMachine } from 'xstate';
import type { AnySubject } from '../check/subject.ts';
import { parseTable } from '../tables/parse.ts';
import { parseSections } from './documents.ts';
import type { Lifecycle, Project } from './project.ts';
import { parseDecisions, parseRequirements } from './requirements.ts';
import { rowsById } from './tables.ts';
import type { Test } from './tests.ts';

/** The table of a door that rings before it opens. */
export const sampleTable = `# Door

## Arrows

| id | from | event | when | to | does | ensures | look | source | status |
|---|---|---|---|---|---|---|---|---|---|
| DOR-001 | Shut | rung | somebody rings | Open | greet | lamp | 5s | 000 Doors; decision 2 | stated |
| DOR-002 | Open | left | nobody is near | Shut | | | | 000 Doors | inferred |
| DOR-002a | any | kicked | by hand | same | | | | decision 9 | ours |

## Asked

| event | comes from |
|---|---|
| kicked | a visitor |

## Limits

| limit | value | source |
|---|---|---|
| waitMs | 10s | 000 Limits |

## Order

| state | rules in order |
|---|---|
| Shut | ringing knocking |
| Open | empty |

## Words

| rule | says | source |
|---|---|---|
| ringing | \`ding\` | 000 Doors |

## Ready

| id | reason | status | when | message | source |
|---|---|---|---|---|---|
| DOR-003 | Stuck | False | it does not move | \`stuck\` | 000 Doors |
| DOR-004 | Fine | True | else | \`fine\` | 000 Doors |

## Invariants

| invariant | kind | what holds | source |
|---|---|---|---|
| lampWhenOpen | always | an open door has its lamp on | 000 Doors |
`;

/** Where the door's table would stand. */
export const sampleFile = 'specs/tables/door.md';

const requirement = (id: string, kind: string, text: string, note = '') =>
  [id, id.slice(0, 3), '1 / Doors', kind, text, 'unit', note].join('\t');

const requirements = parseRequirements(
  [
    'id\tarea\tsource\tkind\trequirement\thow_to_check\tnote',
    requirement('DOR-001', 'transition', 'A ring opens the door.'),
    requirement('DOR-002', 'transition', 'An empty door shuts.'),
    requirement('DOR-003', 'message', 'A stuck door says so.', 'how is not told; decision 2'),
    requirement('DOR-004', 'message', 'Another door is fine.'),
    requirement('DOR-005', 'transition', 'A storm opens the door.'),
    requirement('KEY-001', 'field', 'A key has a number.'),
  ].join('\n'),
);
const decisions = parseDecisions('number\topen\tdecided\n2\tWho greets.\tthe lamp.\n');
const sections = parseSections('document\tline\tlevel\ttitle\n000\t12\t2\tDoors\n000\t40\t2\tLimits\n');

const machine = createMachine({
  id: 'door',
  initial: 'Shut',
  states: {
    Shut: { on: { rung: 'Open', kicked: 'Shut' } },
    Open: { on: { left: 'Shut', kicked: 'Open' } },
  },
});
const rule = (id: string, state: string, then: string) => ({ id, in: [state], then });

const lifecycle: Lifecycle = {
  subject: {
    name: 'door',
    machine,
    rules: [rule('ringing', 'Shut', 'rung'), rule('knocking', 'Shut', 'rung'), rule('empty', 'Open', 'left')],
    files: { machine: 'machines/door.ts', rules: 'rules/door.ts' },
    verdicts: { Ready: { file: 'rules/doorReady.ts' } },
  } as unknown as AnySubject,
  places: {
    arrows: {
      Shut: 'machines/door.ts:10',
      'Shut rung': 'machines/door.ts:11',
      'Shut kicked': 'machines/door.ts:5',
      Open: 'machines/door.ts:14',
      'Open left': 'machines/door.ts:15',
      'Open kicked': 'machines/door.ts:5',
    },
    rules: { ringing: 'rules/door.ts:20', knocking: 'rules/door.ts:30', empty: 'rules/door.ts:40' },
  },
  verdicts: { Ready: ['rules/doorReady.ts:7', 'rules/doorReady.ts:8'] },
};

const test = (line: number, title: string, came: Test['came'], ...ids: readonly string[]): Test => ({
  file: 'specs/door.spec.ts',
  line,
  ids,
  title,
  came,
});

/** A project of one door, for specs of what is told about it. */
export function sampleProject(table: string = sampleTable, change: Partial<Project> = {}): Project {
  const tables = [parseTable(table, sampleFile)];
  return {
    tables,
    faults: [],
    requirements: new Map(requirements.map((each) => [each.id, each])),
    decisions: new Map(decisions.map((each) => [each.number, each])),
    sections,
    rows: rowsById(tables),
    tests: [
      test(3, 'a ring opens it', 'passed', 'DOR-001'),
      test(9, 'it shuts', 'failed', 'DOR-002'),
      test(12, 'a key is numbered', 'skipped', 'KEY-001'),
    ],
    lifecycle: (name) => Promise.resolve(name === 'door' ? lifecycle : `specs/lifecycles/${name}.ts is not there`),
    ...change,
  };
}
