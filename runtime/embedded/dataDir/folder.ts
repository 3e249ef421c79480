import { readdirSync, rmdirSync } from 'node:fs';
import { BadData } from '../badData.ts';
import { makeFolder } from '../makeFolder.ts';

/** The access rights of a data directory. */
export const ownerOnly = 0o700;

/** Makes a data directory and what is missing above it. Returns those that were made, the innermost first. */
export function makeDataDir(path: string): readonly string[] {
  try {
    return makeFolder(path, ownerOnly);
  } catch (error) {
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
