import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '../../machines/table.ts';
import { parseTable, TableError } from './parse.ts';

const idsOf = ({ rows, absence }: Table) => [...rows, ...absence].map(({ id }) => id);

/** The text of machines/tables.json: every table of a folder by its file's name, one row a line. */
export function compileTables(folder: string): string {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .toSorted();
  const tables = files.map((file): readonly [string, Table] => {
    const { rows, absence } = parseTable(readFileSync(join(folder, file), 'utf8'), `specs/tables/${file}`);
    return [file.replace(/\.md$/, ''), { rows, absence }];
  });
  const ids = tables.flatMap(([name, table]) => idsOf(table).map((id) => ({ id, name })));
  const twice = ids.filter(({ id }, index) => ids.findIndex((other) => other.id === id) !== index);
  if (twice.length > 0)
    throw new TableError(twice.map(({ id, name }) => `specs/tables/${name}.md: ${id} stands in another table`));
  const list = (rows: Table['rows']) =>
    rows.length === 0 ? '[]' : `[\n${rows.map((row) => `      ${JSON.stringify(row)}`).join(',\n')}\n    ]`;
  const text = tables.map(
    ([name, { rows, absence }]) =>
      `  ${JSON.stringify(name)}: {\n    "rows": ${list(rows)},\n    "absence": ${list(absence)}\n  }`,
  );
  return `{\n${text.join(',\n')}\n}\n`;
}
