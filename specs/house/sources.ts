import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's own root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of the program, in the order in which they may know each other. */
export const floors = ['crds', 'machines', 'rules', 'runtime', 'http', 'specs'] as const;

/** One source file: its path from the root, its text, and its code without comments. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly code: string;
}

/** Comments go; what stands in strings stays, for an import is one. */
const withoutComments = (text: string) => text.replace(/\/\*[^]*?\*\//g, '').replace(/(^|[\s;,{}()])\/\/.*$/gm, '$1');

/** Every TypeScript source of the repository. */
export const sources: readonly Source[] = floors
  .flatMap((floor) => readdirSync(join(root, floor), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
  .map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    return { path: relative(root, file), text, code: withoutComments(text) };
  });

/** The files of the program whose code says a word; its comments and the specs do not count. */
export const naming = (word: RegExp): readonly string[] =>
  sources.filter(({ path, code }) => !path.startsWith('specs/') && word.test(code)).map(({ path }) => path);

const importing = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"\s]+)['"]/g;

const importsIn = (path: string, code: string): readonly string[] =>
  [...code.matchAll(importing)].map(([, name = '']) => (name.startsWith('.') ? join(dirname(path), name) : name));

/** What a source imports: packages as they are named, files of ours by their path from the root. */
export const importsOf = ({ path, code }: Source): readonly string[] => importsIn(path, code);

/** What of it is left when the types are gone. */
export const loadsOf = ({ path, code }: Source): readonly string[] =>
  importsIn(path, code.replace(/\b(?:import|export) type\b[^;]*?\bfrom\s*['"][^'"]+['"]/g, ''));
