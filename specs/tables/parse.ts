import type { Row } from '../../machines/table.ts';
import { markdownTables, type MarkdownTable } from './markdown.ts';

/** How one stored value is read as a state. */
export interface LensRow {
  readonly stored: string;
  readonly readAs: string;
  readonly line: number;
}

/** A transition table as it was written down. */
export interface Parsed {
  readonly file: string;
  readonly rows: readonly Row[];
  readonly absence: readonly Row[];
  readonly lens: readonly LensRow[];
}

/** What is wrong with a table, each fault with its file and line. */
export class TableError extends Error {
  override readonly name = 'TableError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const columns = 'id, from, event, when, to, does, ensures, look, source, status';
const lensColumns = 'stored, read as';
const statuses = ['stated', 'inferred', 'ours'];
const absences = ['(none)', '(deleted)'];

const listed = (cell: string) => (cell === '' ? [] : cell.split(',').map((item) => item.trim()));

function rowOf(cells: readonly string[], line: number): Row {
  const [id = '', from = '', event = '', when = '', to = '', does = '', ensures = '', ...rest] = cells;
  const [look = '', source = '', status = ''] = rest;
  return {
    id,
    from: listed(from),
    event,
    when,
    to,
    does: listed(does),
    ensures: listed(ensures),
    look,
    source,
    status,
    line,
  };
}

const isState = (name: string) => /^[A-Z][A-Za-z]*$/.test(name);
const isName = (name: string) => /^[a-z][A-Za-z]*$/.test(name);
const isLook = (look: string) => /^(|now|[1-9]\d*[smh]( or reset)?)$/.test(look);

/** What is wrong with one row by itself. */
function faultsOf(row: Row): readonly string[] {
  const { id, from, event, when, to, does, ensures, look, source, status } = row;
  const fromAny = from.length === 1 && from[0] === 'any';
  const checks: readonly (readonly [boolean, string])[] = [
    [/^[A-Z]{3}-\d{3}[a-z]?$/.test(id), `"${id}" is not an id such as BLD-001`],
    [from.length > 0, 'from is empty'],
    [
      fromAny || from.every((state) => isState(state) || absences.includes(state)),
      `from "${from.join(', ')}" is no list of states, and not \`any\` alone`,
    ],
    [new Set(from).size === from.length, `from "${from.join(', ')}" names a state twice`],
    [isName(event), `event "${event}" is not a name`],
    [when !== '', 'when is empty'],
    [to === 'same' || isState(to) || absences.includes(to), `to "${to}" is not a state`],
    [does.every(isName), `does "${does.join(', ')}" is not a list of names`],
    [ensures.every(isName), `ensures "${ensures.join(', ')}" is not a list of names`],
    [isLook(look), `look "${look}" is none of: empty, now, 5s, 15s or reset`],
    [source !== '', 'source is empty'],
    [statuses.includes(status), `status "${status}" is none of ${statuses.join(', ')}`],
  ];
  return checks.filter(([fine]) => !fine).map(([, fault]) => fault);
}

const isAbsent = ({ from, to }: Row) => [...from, to].some((state) => absences.includes(state));

/** Every state a table names: in its rows, and in the lens. */
export const statesOf = ({ rows, absence, lens }: Pick<Parsed, 'rows' | 'absence' | 'lens'>): readonly string[] =>
  [
    ...new Set([...rows, ...absence].flatMap(({ from, to }) => [...from, to]).concat(lens.map(({ readAs }) => readAs))),
  ].filter(isState);

/** The states a row leads from, `any` taken apart. */
export const fromOf = (row: Row, states: readonly string[]): readonly string[] =>
  row.from[0] === 'any' ? states : row.from;

/** Reads a table; a malformed one is refused with every fault, each as `file:line: what`. */
export function parseTable(text: string, file: string): Parsed {
  const faults: string[] = [];
  const fault = (line: number, what: string) => void faults.push(`${file}:${line}: ${what}`);
  const rows: Row[] = [];
  const absence: Row[] = [];
  const lens: LensRow[] = [];

  const readArrows = (table: MarkdownTable) => {
    const absent = table.heading === 'Absence';
    for (const { line, cells } of table.rows) {
      if (cells.length !== table.columns.length) {
        fault(line, `${cells.length} cells instead of ${table.columns.length}`);
        continue;
      }
      const row = rowOf(cells, line);
      for (const what of faultsOf(row)) fault(line, what);
      if (isAbsent(row) !== absent)
        fault(line, absent ? 'neither from nor to is absence' : 'absence has its own table');
      (absent ? absence : rows).push(row);
    }
  };
  const readLens = (table: MarkdownTable) => {
    for (const { line, cells } of table.rows) {
      const [stored = '', readAs = ''] = cells;
      if (cells.length !== 2 || stored === '' || readAs === '')
        fault(line, 'a row of the lens has two cells, none empty');
      lens.push({ stored, readAs, line });
    }
  };

  for (const table of markdownTables(text)) {
    const named = table.columns.join(', ');
    if (named === columns) readArrows(table);
    else if (named === lensColumns) readLens(table);
    else fault(table.line, `columns "${named}" are neither "${columns}" nor "${lensColumns}"`);
  }
  if (rows.length === 0) fault(1, 'no arrow');
  for (const [line, what] of doubled({ rows, absence, lens })) fault(line, what);
  if (faults.length > 0) throw new TableError(faults);
  return { file, rows, absence, lens };
}

/** Ids that stand twice, and events that lead from one state to two. */
function doubled(table: Pick<Parsed, 'rows' | 'absence' | 'lens'>): readonly (readonly [number, string])[] {
  const states = statesOf(table);
  const seen = new Map<string, number>();
  const found: (readonly [number, string])[] = [];
  for (const row of [...table.rows, ...table.absence])
    for (const key of [row.id, ...fromOf(row, states).map((from) => `${from} ${row.event}`)]) {
      const first = seen.get(key);
      if (first !== undefined) found.push([row.line, `"${key}" stands in line ${first} already`]);
      else seen.set(key, row.line);
    }
  return found;
}
