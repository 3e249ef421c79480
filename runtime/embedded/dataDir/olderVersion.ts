import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TryLock } from './tryLock.ts';
import { textIn } from './owner.ts';

/** A process id, and when that process was started: the lock of versions that let no kernel keep it. */
const olderLock = /^\d+ \d*$/;

/**
 * Whether an older version left the lock and still runs. Its process id says nothing in another PID namespace, but lmdb
 * has a lock of its own on the table of readers while it is open.
 */
export function isHeldByOlderVersion(dataDir: string, lockFile: number, tryLock: TryLock): boolean {
  const readers = join(dataDir, 'objects', 'objects.mdb-lock');
  if (!olderLock.test(textIn(lockFile)) || !statSync(readers, { throwIfNoEntry: false })) return false;
  const file = openSync(readers, 'r+');
  try {
    return !tryLock(file);
  } finally {
    closeSync(file);
  }
}
