import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tablesFolder } from './tables.ts';

/** The texts of the tables by their files, and what to call where they were read. */
export interface Tabled {
  readonly called: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** The tables of a revision; in one line why they cannot be had. */
export function tablesAt(revision: string, root: string): Tabled | string {
  const git = (...args: readonly string[]) => spawnSync('git', [...args], { cwd: root, encoding: 'utf8' });
  const found = git('rev-parse', '--verify', '--quiet', '--short', '--end-of-options', `${revision}^{commit}`);
  if (found.error) return `git does not start: ${found.error.message}`;
  if (found.status !== 0 && git('rev-parse', '--git-dir').status !== 0) return `${root} is no git repository`;
  const hash = found.stdout.trim();
  if (found.status !== 0 || hash === '') return `git knows no revision "${revision}"`;
  const names = git('ls-tree', '-r', '--name-only', '-z', hash, '--', `${tablesFolder}/`).stdout.split('\0');
  const files = names.filter((name) => name.endsWith('.md'));
  const texts = files.map((file) => [file, git('show', `${hash}:${file}`).stdout] as const);
  return { called: hash, texts: new Map(texts) };
}

/** The tables as they stand in the files now. */
export function tablesNow(root: string): Tabled {
  const files = readdirSync(join(root, tablesFolder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${tablesFolder}/${name}`);
  return { called: 'now', texts: new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])) };
}
