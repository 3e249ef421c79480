import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Row } from '../../machines/table.ts';
import { type Parsed, parseTable, TableError } from '../tables/parse.ts';
import type { VerdictRow } from '../tables/sections.ts';

/** Where the tables stand, one file a lifecycle. */
export const tablesFolder = 'specs/tables';

/** A row that an id names: an arrow, a way into or out of being, or a verdict with its place in its table. */
export type Named = { readonly id: string; readonly at: string; readonly table: Parsed } & (
  | { readonly is: 'arrow' | 'absence'; readonly row: Row }
  | { readonly is: 'verdict'; readonly row: VerdictRow; readonly heading: string; readonly index: number }
);

/** The lifecycle a table is of: `build` of specs/tables/build.md. */
export const lifecycleOf = ({ file }: Pick<Parsed, 'file'>): string => basename(file, '.md');

/** Every row of a table that has an id. */
export function namedRows(table: Parsed): readonly Named[] {
  const at = ({ line }: { readonly line: number }) => `${table.file}:${line}`;
  const those = (is: 'arrow' | 'absence', rows: readonly Row[]) =>
    rows.map((row): Named => ({ id: row.id, at: at(row), table, is, row }));
  return [
    ...those('arrow', table.rows),
    ...those('absence', table.absence),
    ...table.verdicts.flatMap(({ name, rows }) =>
      rows.map((row, index): Named => ({ id: row.id, at: at(row), table, is: 'verdict', row, heading: name, index })),
    ),
  ];
}

/** The rows of some tables by their ids, those of one id in the order of the tables. */
export function rowsById(tables: readonly Parsed[]): ReadonlyMap<string, readonly Named[]> {
  const rows = new Map<string, Named[]>();
  for (const named of tables.flatMap(namedRows)) rows.set(named.id, [...(rows.get(named.id) ?? []), named]);
  return rows;
}

/** Every table that can be read, and what is wrong with the others. */
export interface Tables {
  readonly tables: readonly Parsed[];
  readonly faults: readonly string[];
}

/** Reads every table below a root. */
export function readTables(root: string): Tables {
  const tables: Parsed[] = [];
  const faults: string[] = [];
  const files = readdirSync(join(root, tablesFolder)).filter((name) => name.endsWith('.md'));
  for (const name of files.toSorted()) {
    const file = `${tablesFolder}/${name}`;
    try {
      tables.push(parseTable(readFileSync(join(root, file), 'utf8'), file));
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      faults.push(...error.faults);
    }
  }
  return { tables, faults };
}
