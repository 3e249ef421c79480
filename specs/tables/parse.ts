import type { Row } from '../../machines/table.ts';
import { columnsText, meantColumns } from './columns.ts';
import { headingLines, markdownTables, type MarkdownTable } from './markdown.ts';
import { isName, isState, type Line, type Sections, sectionOf } from './sections.ts';

/** A transition table as it was written down, with everything that stands beside it. */
export interface Parsed extends Sections {
  readonly file: string;
  /** The line of each heading. */
  readonly headings: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
  readonly absence: readonly Row[];
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
const knownColumns = [columns, ...Object.keys(sectionOf)];
const statuses = ['stated', 'inferred', 'ours'];
const absences = ['(none)', '(deleted)'];

const listed = (cell: string) => (cell === '' ? [] : cell.split(',').map((item) => item.trim()));

function rowOf({ cells, line }: Line): Row {
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

const isLook = (look: string) => /^(|now|[1-9]\d*[smh]( or reset)?|at [a-z][A-Za-z]*)$/.test(look);

/** What is wrong with one row by itself. */
function faultsOf(row: Row): readonly string[] {
  const { id, from, event, when, to, does, ensures, look, source, status } = row;
  const fromAny = from.length === 1 && from[0] === 'any';
  const checks: readonly (readonly [boolean, string])[] = [
    [/^[A-Z]{2,3}-\d{3}[a-z]?$/.test(id), `"${id}" is not an id such as BLD-001`],
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
    [isLook(look), `look "${look}" is none of: empty, now, 5s, 15s or reset, at limit`],
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

/** Where a section begins, or the table when it has no such section: what is not written down would stand there. */
export const sectionAt = ({ file, headings }: Pick<Parsed, 'file' | 'headings'>, heading: string): string =>
  `${file}:${headings[heading] ?? 1}`;

/** The states a row leads from, `any` taken apart. */
export const fromOf = (row: Row, states: readonly string[]): readonly string[] =>
  row.from[0] === 'any' ? states : row.from;

/** Reads a table; a malformed one is refused with every fault, each as `file:line: what`. */
export function parseTable(text: string, file: string): Parsed {
  const faults: string[] = [];
  const fault = (line: number, what: string) => void faults.push(`${file}:${line}: ${what}`);
  const rows: Row[] = [];
  const absence: Row[] = [];
  const sections = {
    lens: [],
    asked: [],
    elsewhere: [],
    rests: [],
    deadlines: [],
    looks: [],
    woken: [],
    trouble: [],
    limits: [],
    order: [],
    words: [],
    verdicts: [],
    invariants: [],
  };

  const readArrows = (table: MarkdownTable) => {
    const absent = table.heading === 'Absence';
    for (const given of wellFormed(table, fault)) {
      const row = rowOf(given);
      for (const what of faultsOf(row)) fault(row.line, what);
      if (isAbsent(row) !== absent)
        fault(row.line, absent ? 'neither from nor to is absence' : 'absence has its own table');
      (absent ? absence : rows).push(row);
    }
  };

  const written = markdownTables(text);
  for (const table of written) {
    const meant = meantColumns(table.columns, knownColumns);
    if (meant !== table.columns.join(', ')) fault(table.line, columnsText(table.columns, meant));
    if (!isReadable(table)) continue;
    if (meant === columns) readArrows(table);
    else if (meant !== null) sectionOf[meant]?.read(table.heading, wellFormed(table, fault), { into: sections, fault });
  }
  const parsed = { file, headings: headingLines(text), rows, absence, ...sections };
  // What could not be read names nothing: no other fault is to follow from it.
  const isWhole = written.every((table) => isReadable(table) && table.rows.every((row) => isFull(table, row)));
  if (rows.length === 0 && isWhole) fault(1, 'no arrow');
  for (const [line, what] of [...doubled(parsed), ...(isWhole ? unknownNames(parsed) : [])]) fault(line, what);
  if (faults.length > 0) throw new TableError(faults);
  return parsed;
}

/** A table whose columns are misspelt is read as what it was meant to be, as long as none is missing. */
const isReadable = ({ columns: written }: MarkdownTable): boolean =>
  meantColumns(written, knownColumns)?.split(', ').length === written.length;

const isFull = ({ columns: those }: MarkdownTable, { cells }: Line): boolean => cells.length === those.length;

/** The rows that have as many cells as there are columns. */
const wellFormed = (table: MarkdownTable, fault: (line: number, what: string) => void): readonly Line[] =>
  table.rows.filter((row) => {
    if (isFull(table, row)) return true;
    const { line, cells } = row;
    const [id = ''] = cells;
    fault(
      line,
      `${/^[A-Z]{2,3}-\d{3}[a-z]?/.exec(id)?.[0] ?? (id || 'a row')}: ${cells.length} cells instead of ${table.columns.length}`,
    );
    return false;
  });

type Fault = readonly [line: number, what: string];

/** Ids that stand twice, and events that lead from one state to two. */
function doubled(table: Parsed): readonly Fault[] {
  const states = statesOf(table);
  const seen = new Map<string, number>();
  const found: Fault[] = [];
  for (const row of [...table.rows, ...table.absence])
    for (const key of [row.id, ...fromOf(row, states).map((from) => `${from} ${row.event}`)]) {
      const first = seen.get(key);
      if (first !== undefined) found.push([row.line, `"${key}" stands in line ${first} already`]);
      else seen.set(key, row.line);
    }
  return found;
}

/** States and events that stand beside the arrows and that no arrow names. */
function unknownNames(table: Parsed): readonly Fault[] {
  const states = statesOf(table);
  const events = [...table.rows, ...table.absence].map(({ event }) => event);
  const named = [
    ...table.rests,
    ...table.deadlines,
    ...table.trouble,
    ...table.order.filter(({ state }) => state !== '(none)'),
  ];
  return [
    ...named
      .filter(({ state }) => !states.includes(state))
      .map(({ line, state }): Fault => [line, `no arrow names the state "${state}"`]),
    ...table.elsewhere
      .filter(({ event }) => !events.includes(event))
      .map(({ line, event }): Fault => [line, `no arrow names the event "${event}"`]),
  ];
}
