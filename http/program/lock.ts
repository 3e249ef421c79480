import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadSetting } from './settings.ts';

/** When a process was started, in clock ticks since boot; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // The number of a dead process may have been given to another one.
  return start === '' || startOf(pid) === start;
}

/**
 * Takes a data directory for this process. One that a living process holds is refused; the lock of a dead one is taken
 * over. Returns what gives it back.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, 'lock');
  const own = `${path}.${process.pid}`;
  try {
    // Written before it gets its name: whoever finds a lock finds its owner in it.
    writeFileSync(own, `${process.pid} ${startOf(process.pid)}`, { mode: 0o600 });
    for (let tries = 0; tries < 3; tries++) {
      if (isLinked(own, path)) return () => rmSync(path, { force: true });
      takeAside(path, dataDir);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new BadSetting(`${dataDir} could not be locked`);
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a dead process. */
function takeAside(path: string, dataDir: string): void {
  const found = readFileSync(path, 'utf8');
  const [pid = '', start = ''] = found.split(' ');
  if (pid !== '' && isAlive(Number(pid), start))
    throw new BadSetting(`${dataDir} is in use by process ${pid}; stop it, or choose another --data-dir`);
  const aside = `${path}.${process.pid}.old`;
  renameSync(path, aside);
  // Another one that starts may have taken it over in between: then that lock is put back.
  if (readFileSync(aside, 'utf8') !== found) isLinked(aside, path);
  rmSync(aside, { force: true });
}
