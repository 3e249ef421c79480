import type { Row } from '../../machines/table.ts';
import type { LookRow, WokenRow } from '../tables/sections.ts';
import type { Parsed } from '../tables/parse.ts';
import { grouped } from './grouped.ts';
import type { Fault } from './outcome.ts';
import { sectionAt } from '../tables/parse.ts';

const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'states', at, text });
const rowsOf = ({ rows, absence }: Parsed) => [...rows, ...absence];
/** A row that looks again at once goes on with its own work, and waits for nothing. */
const isTimed = ({ look }: Row) => look !== '' && look !== 'now';
const explains = ({ look, rows }: LookRow, row: Row) =>
  look === row.look && (rows.includes('all') || rows.includes(row.id));

/** Whether an event wakes what a row leaves waiting. */
export const isWoken = ({ woken }: Parsed, id: string): boolean => woken.some(({ rows }) => rows.includes(id));

/** Looks for which "Looks" gives no reason, reasons for looks that no row has, and events of rows that need none. */
export const lookFaults = (table: Parsed): readonly Fault[] => [
  ...unexplained(table),
  ...table.looks.flatMap((reason) => idle(table, reason)),
  ...table.woken.flatMap((one) => needless(table, one)),
];

const unexplained = (table: Parsed): readonly Fault[] =>
  grouped(
    rowsOf(table).filter((row) => isTimed(row) && !table.looks.some((reason) => explains(reason, row))),
    ({ look }) => look,
  ).map((rows) =>
    fault(
      `${rows.map(({ id }) => id).join(', ')}: looks again ${rows[0].look}, and "Looks" does not say what asks for it`,
      ...rows.map(({ line }) => `${table.file}:${line}`),
      sectionAt(table, 'Looks'),
    ),
  );

function idle(table: Parsed, reason: LookRow): readonly Fault[] {
  const { look, rows, line } = reason;
  const explained = rowsOf(table).filter((row) => explains(reason, row));
  const wrong = rows.filter((id) => (id === 'all' ? explained.length === 0 : !explained.some((row) => row.id === id)));
  return wrong.map((id) =>
    fault(`"Looks" says what asks for ${look} of ${id}, which does not look so`, `${table.file}:${line}`),
  );
}

function needless(table: Parsed, { rows, line }: WokenRow): readonly Fault[] {
  const rests = new Set(table.rests.map(({ state }) => state));
  const waits = ({ look, to, from }: Row) =>
    look === '' && (to === 'same' ? from : [to]).some((state) => !rests.has(state));
  return rows
    .filter((id) => !rowsOf(table).some((row) => row.id === id && waits(row)))
    .map((id) => fault(`"Woken" says what wakes ${id}, which does not wait without a look`, `${table.file}:${line}`));
}
