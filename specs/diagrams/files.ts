import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseTable, TableError } from '../tables/parse.ts';
import { mermaidOf } from './mermaid.ts';
import { pictured } from './pictured.ts';
import { svgOf } from './svg.ts';

/** Where tables are read and diagrams are written, from a root. */
const tablesIn = 'specs/tables';
const diagramsIn = 'machines/diagrams';
const home = fileURLToPath(new URL('../..', import.meta.url));

/** The files that the tables ask for, and the tables that cannot be drawn. */
export interface Wanted {
  readonly files: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

/** The diagrams of one table, by the name of their file. */
const filesOf = (text: string, file: string): readonly (readonly [string, string])[] => {
  const picture = pictured(parseTable(text, file));
  return [
    [`${diagramsIn}/${picture.name}.mmd`, mermaidOf(picture)],
    [`${diagramsIn}/${picture.name}.svg`, svgOf(picture, 'file')],
  ];
};

/** Every diagram as its table says now. */
export function wantedDiagrams(root = home): Wanted {
  const files = new Map<string, string>();
  const faults: string[] = [];
  for (const name of readdirSync(join(root, tablesIn))
    .filter((name) => name.endsWith('.md'))
    .toSorted())
    try {
      const file = `${tablesIn}/${name}`;
      for (const [path, text] of filesOf(readFileSync(join(root, file), 'utf8'), file)) files.set(path, text);
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      faults.push(...error.faults);
    }
  return { files, faults };
}

const present = (root: string): readonly string[] =>
  existsSync(join(root, diagramsIn))
    ? readdirSync(join(root, diagramsIn))
        .map((name) => `${diagramsIn}/${name}`)
        .toSorted()
    : [];

const isCurrent = (root: string, path: string, text: string) =>
  existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8') === text;

const again = '`npm run diagrams` writes it';

/** Each diagram that is missing, not current or left over, and each table that cannot be drawn, in words. */
export function staleDiagrams(root = home): readonly string[] {
  const { files, faults } = wantedDiagrams(root);
  const there = present(root);
  const tableOf = (path: string) => path.replace(diagramsIn, tablesIn).replace(/\.\w+$/, '.md');
  return [
    ...faults,
    ...[...files]
      .filter(([path, text]) => !isCurrent(root, path, text))
      .map(([path]) =>
        there.includes(path)
          ? `${path}: is not what ${tableOf(path)} says now: ${again}`
          : `${path}: is missing, ${tableOf(path)} has no picture: ${again}`,
      ),
    ...(faults.length > 0 ? [] : there.filter((path) => !files.has(path))).map(
      (path) => `${path}: is left over, there is no ${tableOf(path)}: remove it`,
    ),
  ];
}

/** Writes every diagram that is not current and removes those left over; says what changed. */
export function writeDiagrams(
  root = home,
): Wanted & { readonly written: readonly string[]; readonly removed: readonly string[] } {
  const wanted = wantedDiagrams(root);
  mkdirSync(join(root, diagramsIn), { recursive: true });
  const written = [...wanted.files].filter(([path, text]) => !isCurrent(root, path, text));
  for (const [path, text] of written) writeFileSync(join(root, path), text);
  const removed = wanted.faults.length > 0 ? [] : present(root).filter((path) => !wanted.files.has(path));
  for (const path of removed) rmSync(join(root, path));
  return { ...wanted, written: written.map(([path]) => path), removed };
}
