import { type MarkdownTable, markdownTables } from '../tables/markdown.ts';

/** What one sort of table says of its rows: how a row is called, and a verb for each of its cells. */
interface Sort {
  readonly is:
    | 'arrow'
    | 'lens'
    | 'asked'
    | 'elsewhere'
    | 'rest'
    | 'look'
    | 'woken'
    | 'trouble'
    | 'deadline'
    | 'limit'
    | 'order'
    | 'words'
    | 'invariant'
    | 'verdict';
  readonly columns: string;
  readonly called: (row: Cells) => string;
  /** By column; a column without one is the key. */
  readonly verbs: Readonly<Record<string, string>>;
}

/** One row of a table of any sort, its cells by their columns. */
export interface Cells {
  readonly sort: Sort;
  readonly heading: string;
  readonly key: string;
  readonly line: number;
  /** Its place in its table. */
  readonly index: number;
  readonly cells: Readonly<Record<string, string>>;
}

const cell =
  (column: string, before = '') =>
  ({ cells }: Cells) =>
    `${before}${cells[column] ?? ''}`;

/** Every sort of table that a file may hold, by its columns. */
const sorts: readonly Sort[] = [
  {
    is: 'arrow',
    columns: 'id, from, event, when, to, does, ensures, look, source, status',
    called: ({ cells }) => `${cells['from']} ${cells['event']}`,
    verbs: {
      from: 'leads from',
      event: 'is called',
      when: 'happens when',
      to: 'leads to',
      does: 'does',
      ensures: 'ensures',
      look: 'looks again',
      source: 'comes from',
      status: 'is',
    },
  },
  {
    is: 'verdict',
    columns: 'id, reason, status, when, message, source',
    called: ({ heading, cells }) => `${heading} ${cells['reason']}`,
    verbs: {
      reason: 'has the reason',
      status: 'has the status',
      when: 'holds when',
      message: 'says',
      source: 'comes from',
    },
  },
  {
    is: 'verdict',
    columns: 'id, reason, status, when, message, counts, cause, source',
    called: ({ heading, cells }) => `${heading} ${cells['reason']}`,
    verbs: {
      reason: 'has the reason',
      status: 'has the status',
      when: 'holds when',
      message: 'says',
      counts: 'counts as',
      cause: 'has the cause',
      source: 'comes from',
    },
  },
  { is: 'lens', columns: 'stored, read as', called: cell('stored', 'stored '), verbs: { 'read as': 'is read as' } },
  { is: 'asked', columns: 'command, asked by', called: cell('command'), verbs: { 'asked by': 'is asked by' } },
  { is: 'elsewhere', columns: 'event, comes from', called: cell('event'), verbs: { 'comes from': 'comes from' } },
  { is: 'rest', columns: 'state, rests until', called: cell('state'), verbs: { 'rests until': 'rests until' } },
  {
    is: 'look',
    columns: 'look, rows, because, source',
    called: ({ cells }) => `the look ${cells['look']} of ${cells['rows']}`,
    verbs: { look: 'is', rows: 'is of', because: 'is there because', source: 'comes from' },
  },
  {
    is: 'woken',
    columns: 'rows, woken by, source',
    called: cell('rows'),
    verbs: { 'woken by': 'are woken by', source: 'come from' },
  },
  {
    is: 'trouble',
    columns: 'state, what is wrong, source',
    called: cell('state', 'trouble in '),
    verbs: { 'what is wrong': 'means that', source: 'comes from' },
  },
  {
    is: 'deadline',
    columns: 'state, at most, since',
    called: cell('state'),
    verbs: { 'at most': 'lasts at most', since: 'is counted since' },
  },
  {
    is: 'limit',
    columns: 'limit, value, source',
    called: cell('limit', 'the limit '),
    verbs: { value: 'is', source: 'comes from' },
  },
  {
    is: 'order',
    columns: 'state, rules in order',
    called: cell('state', 'the order in '),
    verbs: { 'rules in order': 'is' },
  },
  {
    is: 'words',
    columns: 'rule, says, source',
    called: cell('rule', 'the rule '),
    verbs: { says: 'says', source: 'comes from' },
  },
  {
    is: 'invariant',
    columns: 'invariant, kind, what holds, source',
    called: cell('invariant', 'the invariant '),
    verbs: { kind: 'holds', 'what holds': 'says', source: 'comes from' },
  },
];

/** The columns of every sort of table. */
export const knownColumns: readonly string[] = sorts.map(({ columns }) => columns);

/** Every row of every known table of a text; tables of other columns are no part of the specification. */
export const cellsIn = (text: string): readonly Cells[] => markdownTables(text).flatMap(rowsOf);

function rowsOf({ columns, heading, rows }: MarkdownTable): readonly Cells[] {
  const sort = sorts.find((each) => each.columns === columns.join(', '));
  if (!sort) return [];
  return rows.map(({ line, cells }, index) => ({
    sort,
    heading,
    key: cells[0] ?? '',
    line,
    index,
    cells: Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])),
  }));
}

/** The names in a cell that lists some. */
export const listedIn = (text: string): readonly string[] => text.split(/[,\s]+/).filter((name) => name !== '');
