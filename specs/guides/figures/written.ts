import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/product.ts';

/** The text of a file, by its path from the root. */
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What a file says that cannot be imported: the group of a pattern. */
export function written(path: string, pattern: RegExp): string {
  const [, found] = pattern.exec(textOf(path)) ?? [];
  if (found === undefined) throw new Error(`${path} has nothing like ${String(pattern)}`);
  return found;
}

/** The same as a number. */
export const numberWritten = (path: string, pattern: RegExp): number =>
  Number(written(path, pattern).replaceAll('_', ''));

/** How often a file has what a pattern says. */
export const countIn = (path: string, pattern: RegExp): number => [...textOf(path).matchAll(pattern)].length;
