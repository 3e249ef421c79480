import { type Parsed, statesOf } from './parse.ts';

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted();

const widest = 120;

/** A union of names, in as many lines as it takes; `never` where there are none. */
function union(begin: string, names: readonly string[]): string {
  if (names.length === 0) return `${begin} never;`;
  const lines = [begin];
  for (const [index, name] of names.entries()) {
    const one = `${index === 0 ? '' : '| '}'${name}'`;
    const last = lines.at(-1) ?? '';
    if (last.length + one.length + 2 > widest) lines.push(`  ${one}`);
    else lines[lines.length - 1] = `${last} ${one}`;
  }
  return `${lines.join('\n')};`;
}

const typeOf = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** The names of one table, as the types that its machine, its rules and its controller are held to. */
function typesOf(name: string, table: Parsed): string {
  const rows = [...table.rows, ...table.absence];
  const type = `export type ${typeOf(name)}`;
  return [
    union(`${type}State =`, statesOf(table)),
    union(`${type}Event = { readonly type:`, sorted(rows.map(({ event }) => event))).replace(/;$/, ' };'),
    union(`${type}Action =`, sorted(rows.flatMap(({ does }) => does))),
    union(`${type}Ensure =`, sorted(rows.flatMap(({ ensures }) => ensures))),
    '',
  ].join('\n');
}

const entryOf = (name: string): string => {
  const type = typeOf(name);
  return `  readonly ${name}: { state: ${type}State; event: ${type}Event; action: ${type}Action; ensure: ${type}Ensure };\n`;
};

/** The text of machines/names.ts: the states, events, actions and ensures of every table. */
export const namesText = (tables: readonly (readonly [string, Parsed])[]): string =>
  `// Compiled from specs/tables by \`npm run build\`.

${tables.map(([name, table]) => typesOf(name, table)).join('\n')}
/** The names of each table, by the name of its machine. */
export interface Names {
${tables.map(([name]) => entryOf(name)).join('')}}
`;
