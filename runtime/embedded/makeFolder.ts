import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Makes a folder and what is missing above it, one by one: node's recursive way reports `not found` whatever is in the
 * way, and never returns where a folder above was unlinked. Returns those that were made, the innermost first.
 */
export function makeFolder(path: string, mode = 0o777): readonly string[] {
  if (isFolder(path)) return [];
  const above = dirname(path) === path ? [] : makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (isFolder(path)) return above;
    throw error;
  }
  return [path, ...above];
}
