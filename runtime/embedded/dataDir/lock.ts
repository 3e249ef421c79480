import { closeSync, constants, existsSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadData } from '../badData.ts';
import { isHeldByOlderVersion } from './olderVersion.ts';
import { ownerIn, writeOwner } from './owner.ts';
import type { TryLock } from './tryLock.ts';

/** The file of a data directory that its holder has locked. A process that is killed leaves it behind, unlocked. */
export const lockName = 'lock';

/**
 * Takes a data directory for this process, or refuses when another process holds it. The kernel keeps the lock, so it
 * holds across PID namespaces and ends with the process, however that ends. Returns what releases it.
 */
export async function lockDataDir(dataDir: string, given?: TryLock): Promise<() => void> {
  const tryLock = explained(dataDir, given ?? (await kernelLock()));
  const path = join(dataDir, lockName);
  const isNew = !existsSync(path);
  try {
    const file = take(dataDir, path, tryLock);
    return () => {
      // Removed before it is unlocked: a start that has it open already sees that the name is gone and opens it anew.
      rmSync(path, { force: true });
      closeSync(file);
    };
  } catch (why) {
    if (isNew && !(why instanceof InUse)) rmSync(path, { force: true });
    throw why;
  }
}

/** Another process holds the lock, and the file is its own. */
class InUse extends BadData {}

/** Loaded when it is needed: a system for which the package brings no library can do all that needs no lock. */
async function kernelLock(): Promise<TryLock> {
  try {
    return (await import('./kernelLock.ts')).kernelLock;
  } catch (error) {
    throw new BadData(`there is no library for file locks on ${process.platform} ${process.arch}: ${wordsOf(error)}`);
  }
}

const explained =
  (dataDir: string, tryLock: TryLock): TryLock =>
  (file) => {
    try {
      return tryLock(file);
    } catch (error) {
      throw noLocks(dataDir, wordsOf(error));
    }
  };

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const noLocks = (dataDir: string, words: string) =>
  new BadData(`${dataDir} lies on a file system that keeps no locks (${words}): choose another --data-dir`);

const inUse = (dataDir: string, owner: string) =>
  new InUse(`${dataDir} is in use by ${owner}; stop it, or choose another --data-dir`);

const readWrite = constants.O_RDWR | constants.O_CREAT;

function take(dataDir: string, path: string, tryLock: TryLock): number {
  const file = openSync(path, readWrite, 0o600);
  try {
    if (!tryLock(file)) throw inUse(dataDir, ownerIn(file));
    if (hasName(file, path)) {
      checkExcludes(dataDir, path, tryLock);
      if (isHeldByOlderVersion(dataDir, file, tryLock)) throw inUse(dataDir, 'an older version of Core');
      writeOwner(file);
      return file;
    }
  } catch (why) {
    closeSync(file);
    throw why;
  }
  closeSync(file);
  return take(dataDir, path, tryLock);
}

/** Whether an open file is still the one of that name: who stops removes it. */
function hasName(file: number, path: string): boolean {
  const named = statSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(file);
  return named?.dev === dev && named.ino === ino;
}

/** Some file systems grant every lock that is asked for. */
function checkExcludes(dataDir: string, path: string, tryLock: TryLock): void {
  const second = openSync(path, readWrite);
  try {
    if (tryLock(second)) throw noLocks(dataDir, 'it grants one lock twice');
  } finally {
    closeSync(second);
  }
}
