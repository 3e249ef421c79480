import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BadData } from '../badData.ts';

const ownerOnly = 0o700;

const isDir = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Makes a data directory and what is missing above it. Folder by folder: node's recursive way says `not found` whatever
 * stands in the way, or tries for ever. Returns those that were made, the innermost first.
 */
export function makeDataDir(path: string): readonly string[] {
  try {
    if (isDir(path)) return [];
    const above = dirname(path) === path ? [] : makeDataDir(dirname(path));
    mkdirSync(path, { mode: ownerOnly });
    return [path, ...above];
  } catch (error) {
    if (error instanceof BadData) throw error;
    throw new BadData(`the data directory cannot be made: ${wordsOf(error)}`);
  }
}

/** The names in a data directory. */
export function namesIn(dataDir: string): readonly string[] {
  try {
    return readdirSync(dataDir);
  } catch (error) {
    throw new BadData(`the data directory cannot be read: ${wordsOf(error)}`);
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Removes folders that were made in vain. */
export function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // Somebody put something into it meanwhile.
  }
}
