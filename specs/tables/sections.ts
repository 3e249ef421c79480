import type { AskedCommand, Deadline, Rest } from '../../machines/table.ts';
import { durationMs } from '../../rules/time.ts';

/** One row of a Markdown table: its cells, and the line it stands in. */
export interface Line {
  readonly line: number;
  readonly cells: readonly string[];
}

/** How one stored value is read as a state. */
interface LensRow {
  readonly stored: string;
  readonly readAs: string;
  readonly line: number;
}
interface AskedRow extends AskedCommand {
  readonly line: number;
}
/** An event that no rule names: who lets it happen. */
interface ElsewhereRow {
  readonly event: string;
  readonly by: string;
  readonly line: number;
}
interface RestRow extends Rest {
  readonly line: number;
}
interface DeadlineRow extends Deadline {
  readonly line: number;
}
/** What asks for a look: the rows that have it, or all; and why no event could wake them. */
export interface LookRow {
  readonly look: string;
  readonly rows: readonly string[];
  readonly because: string;
  readonly source: string;
  readonly line: number;
}
/** What wakes rows that wait without a look: kinds that are watched, or other machines of the object. */
export interface WokenRow {
  readonly rows: readonly string[];
  readonly by: readonly string[];
  readonly source: string;
  readonly line: number;
}
/** A state that means trouble, and what is wrong then. */
interface TroubleRow {
  readonly state: string;
  readonly wrong: string;
  readonly source: string;
  readonly line: number;
}
/** A number that the rules compare with; durations in ms. */
interface LimitRow {
  readonly name: string;
  readonly value: number;
  readonly source: string;
  readonly line: number;
}
/** The rules of one state in the order they are tried. */
interface OrderRow {
  readonly state: string;
  readonly rules: readonly string[];
  readonly line: number;
}
/** What a rule says, exactly; `<name>` stands for a part that the facts fill. */
interface WordsRow {
  readonly rule: string;
  readonly says: string;
  readonly source: string;
  readonly line: number;
}
/** One row of a verdict table; `<name>` in its message stands for a part that the facts fill. */
export interface VerdictRow {
  readonly id: string;
  readonly reason: string;
  readonly status: string;
  readonly when: string;
  readonly message: string;
  /** What the message does to a row of failures: waiting, counted or permanent; - for nothing. */
  readonly counts: string;
  /** Why it holds: reasons of causes, or `copies`, `kept`, `draft`; - for nothing. */
  readonly cause: string;
  readonly source: string;
  readonly line: number;
}
/** The rows of one verdict table, in the order checked. */
export interface VerdictTable {
  readonly name: string;
  readonly rows: readonly VerdictRow[];
}
/** Something that holds over every life of an instance. */
interface InvariantRow {
  readonly name: string;
  readonly kind: string;
  readonly holds: string;
  readonly source: string;
  readonly line: number;
}

/** What a table says beside its arrows. */
export interface Sections {
  readonly lens: readonly LensRow[];
  readonly asked: readonly AskedRow[];
  readonly elsewhere: readonly ElsewhereRow[];
  readonly rests: readonly RestRow[];
  readonly deadlines: readonly DeadlineRow[];
  readonly looks: readonly LookRow[];
  readonly woken: readonly WokenRow[];
  readonly trouble: readonly TroubleRow[];
  readonly limits: readonly LimitRow[];
  readonly order: readonly OrderRow[];
  readonly words: readonly WordsRow[];
  readonly verdicts: readonly VerdictTable[];
  readonly invariants: readonly InvariantRow[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : never };
interface Reading {
  readonly into: Writable<Sections>;
  readonly fault: (line: number, what: string) => void;
}
interface Section {
  read(heading: string, rows: readonly Line[], reading: Reading): void;
}

export const isState = (name: string): boolean => /^[A-Z][A-Za-z]*$/.test(name);
export const isName = (name: string): boolean => /^[a-z][A-Za-z]*$/.test(name);
const isRuleId = (name: string) => /^[a-z][a-z0-9-]*$/.test(name);
const kinds = ['always', 'never', 'eventually'];
const weights = ['waiting', 'counted', 'permanent', '-'];
const conditionStatuses = ['True', 'False', 'Unknown', '-'];

const isDuration = (text: string) => /^[1-9]\d*[smh]$/.test(text);
const isNumber = (text: string) => /^\d+$/.test(text);

/** Reads the rows of one section: what each is, and what is wrong with it. */
const section = <K extends keyof Sections>(
  name: K,
  itemOf: (line: Line) => Sections[K][number],
  wrong: (item: Sections[K][number], cells: readonly string[]) => string | false,
): Section => ({
  read(_heading, rows, { into, fault }) {
    for (const row of rows) {
      const item = itemOf(row);
      const what = row.cells.includes('') ? 'a cell is empty' : wrong(item, row.cells);
      if (what !== false) fault(row.line, what);
      else (into[name] as Sections[K][number][]).push(item);
    }
  },
});

const unquoted = (cell: string) => cell.replace(/^`(.*)`$/, '$1');

const verdictOf = ({ cells, line }: Line): VerdictRow => {
  const [id = '', reason = '', status = '', when = '', message = '', source = ''] = cells;
  return { id, reason, status, when, message: unquoted(message), counts: '-', cause: '-', source, line };
};
/** A verdict of Ready: what its message does to a row of failures, and why it holds, before the last column. */
const readyVerdictOf = ({ cells, line }: Line): VerdictRow => {
  const [counts = '', cause = ''] = cells.slice(-3, -1);
  return { ...verdictOf({ cells: cells.toSpliced(-3, 2), line }), counts, cause };
};
const isVerdict = ({ id, reason, status, when, message, counts, source }: VerdictRow) =>
  isRowId(id) &&
  /^([A-Z][A-Za-z]*|-)$/.test(reason) &&
  conditionStatuses.includes(status) &&
  weights.includes(counts) &&
  [when, message, source].every((text) => text !== '');

const isRowId = (name: string) => /^[A-Z]{2,3}-\d{3}[a-z]?$/.test(name);
const nameList = (text: string) => text.split(/,\s*/);
const ruleList = (text: string) => text.split(/[,\s]+/).filter((id) => id !== '');

const verdictSection = (rowOf: (line: Line) => VerdictRow): Section => ({
  read(heading, lines, { into, fault }) {
    const rows = lines.map(rowOf);
    for (const row of rows.filter((row) => !isVerdict(row)))
      fault(
        row.line,
        'a verdict has an id, a CamelCase reason or -, a status True, False, Unknown or -, counts waiting, counted, permanent or -, and no empty cell',
      );
    into.verdicts.push({ name: heading, rows });
  },
});

/** The sections of a table's file, by their columns. */
export const sectionOf: Readonly<Record<string, Section>> = {
  'stored, read as': section(
    'lens',
    ({ cells: [stored = '', readAs = ''], line }) => ({ stored, readAs, line }),
    ({ readAs }) => !isState(readAs) && `"${readAs}" is not a state`,
  ),
  'command, asked by': section(
    'asked',
    ({ cells: [command = '', by = ''], line }) => ({ command, by, line }),
    ({ command }) => !isName(command) && `command "${command}" is not a name`,
  ),
  'event, comes from': section(
    'elsewhere',
    ({ cells: [event = '', by = ''], line }) => ({ event, by, line }),
    ({ event }) => !isName(event) && `event "${event}" is not a name`,
  ),
  'state, rests until': section(
    'rests',
    ({ cells: [state = '', until = ''], line }) => ({ state, until, line }),
    ({ state }) => !isState(state) && `"${state}" is not a state`,
  ),
  'state, at most, since': section(
    'deadlines',
    ({ cells: [state = '', atMost = '', since = ''], line }) => ({
      state,
      atMostMs: isDuration(atMost) ? durationMs(atMost) : 0,
      since,
      line,
    }),
    ({ state, atMostMs }) =>
      (!isState(state) && `"${state}" is not a state`) || (atMostMs === 0 && 'no duration such as 10m'),
  ),
  'look, rows, because, source': section(
    'looks',
    ({ cells: [look = '', rows = '', because = '', source = ''], line }) => ({
      look,
      rows: nameList(rows),
      because,
      source,
      line,
    }),
    ({ rows }) =>
      !rows.every((id) => id === 'all' || isRowId(id)) && `"${rows.join(', ')}" is neither all nor a list of rows`,
  ),
  'rows, woken by, source': section(
    'woken',
    ({ cells: [rows = '', by = '', source = ''], line }) => ({
      rows: nameList(rows),
      by: nameList(by),
      source,
      line,
    }),
    ({ rows, by }) =>
      (!rows.every(isRowId) && `"${rows.join(', ')}" is not a list of rows`) ||
      (!by.every((one) => isState(one) || isName(one)) && `"${by.join(', ')}" is not a list of kinds or machines`),
  ),
  'state, what is wrong, source': section(
    'trouble',
    ({ cells: [state = '', wrong = '', source = ''], line }) => ({ state, wrong, source, line }),
    ({ state }) => !isState(state) && `"${state}" is not a state`,
  ),
  'limit, value, source': section(
    'limits',
    ({ cells: [name = '', value = '', source = ''], line }) => ({
      name,
      value: isDuration(value) ? durationMs(value) : Number(value),
      source,
      line,
    }),
    ({ name }, [, value = '']) =>
      (!isName(name) && `limit "${name}" is not a name`) ||
      (!isNumber(value) && !isDuration(value) && `"${value}" is neither a number nor a duration such as 10m`),
  ),
  'state, rules in order': section(
    'order',
    ({ cells: [state = '', rules = ''], line }) => ({ state, rules: ruleList(rules), line }),
    ({ state, rules }) =>
      (!isState(state) && state !== '(none)' && `"${state}" is not a state`) ||
      (!rules.every(isRuleId) && `"${rules.join(', ')}" is not a list of rules`),
  ),
  'rule, says, source': section(
    'words',
    ({ cells: [rule = '', sentence = '', source = ''], line }) => ({ rule, says: unquoted(sentence), source, line }),
    ({ rule }) => !isRuleId(rule) && `"${rule}" is not a rule`,
  ),
  'invariant, kind, what holds, source': section(
    'invariants',
    ({ cells: [name = '', kind = '', holds = '', source = ''], line }) => ({ name, kind, holds, source, line }),
    ({ name, kind }) =>
      (!isName(name) && `invariant "${name}" is not a name`) ||
      (!kinds.includes(kind) && `kind "${kind}" is none of ${kinds.join(', ')}`),
  ),
  'id, reason, status, when, message, source': verdictSection(verdictOf),
  'id, reason, status, when, message, counts, cause, source': verdictSection(readyVerdictOf),
};
