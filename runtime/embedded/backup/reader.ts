import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether lmdb would take this process for another one that has the objects of a data directory open. It knows processes
 * by their id, and locks the byte of that number; in two PID namespaces two processes may have the same.
 */
export async function isReaderElsewhere(dataDir: string): Promise<boolean> {
  const readers = join(dataDir, 'objects', 'objects.mdb-lock');
  if (!statSync(readers, { throwIfNoEntry: false })) return false;
  const { kernelLock } = await import('../dataDir/kernelLock.ts');
  const file = openSync(readers, 'r+');
  try {
    return !kernelLock(file, process.pid);
  } finally {
    closeSync(file);
  }
}
