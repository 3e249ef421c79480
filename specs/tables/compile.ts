import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '../../machines/table.ts';
import { claimsOf } from './claims.ts';
import { namesText } from './names.ts';
import { type Parsed, parseTable, statesOf, TableError } from './parse.ts';

const idsOf = ({ rows, absence }: Parsed) => [...rows, ...absence].map(({ id }) => id);

/** Every table of a folder, by its file's name. */
function readTables(folder: string): readonly (readonly [string, Parsed])[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .toSorted();
  const tables = files.map((file): readonly [string, Parsed] => [
    file.replace(/\.md$/, ''),
    parseTable(readFileSync(join(folder, file), 'utf8'), `specs/tables/${file}`),
  ]);
  const ids = tables.flatMap(([name, table]) => idsOf(table).map((id) => ({ id, name })));
  const twice = ids.filter(({ id }, index) => ids.findIndex((other) => other.id === id) !== index);
  if (twice.length > 0)
    throw new TableError(twice.map(({ id, name }) => `specs/tables/${name}.md: ${id} stands in another table`));
  return tables;
}

/** As much of a table as the program knows. */
const compiled = (table: Parsed): Table => ({
  states: statesOf(table),
  rows: table.rows,
  absence: table.absence,
  claims: claimsOf(table),
  rests: table.rests.map(({ state, until }) => ({ state, until })),
  asked: table.asked.map(({ command, by }) => ({ command, by })),
  deadlines: table.deadlines.map(({ state, atMostMs, since }) => ({ state, atMostMs, since })),
  trouble: table.trouble.map(({ state }) => state),
});

const list = (items: readonly unknown[]) =>
  items.length === 0 ? '[]' : `[\n${items.map((item) => `      ${JSON.stringify(item)}`).join(',\n')}\n    ]`;

/** One row a line. */
const tableText = (table: Table) =>
  Object.entries(table)
    .map(([section, items]) => `    ${JSON.stringify(section)}: ${list(items as readonly unknown[])}`)
    .join(',\n');

/** What the tables of a folder compile to: the text of each file, by its path. */
export function compileTables(folder: string): Readonly<Record<string, string>> {
  const tables = readTables(folder);
  const data = tables.map(([name, table]) => `  ${JSON.stringify(name)}: {\n${tableText(compiled(table))}\n  }`);
  return {
    'machines/tables.json': `{\n${data.join(',\n')}\n}\n`,
    'machines/names.ts': namesText(tables),
  };
}
