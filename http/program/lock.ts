import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, hasNoLinks } from '../../runtime/embedded/nameOnce.ts';
import { BadSetting } from './settings.ts';

const emptyTries = 20;
const emptyWaitMs = 25;

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
      if (isNamed(own, path)) return () => rmSync(path, { force: true });
      takeAside(path, dataDir);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new BadSetting(`${dataDir} could not be locked`);
}

/** Whether a lock got its name, with all that it says; false where there is one. */
function isNamed(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasNoLinks(error)) return isMade(readFileSync(from, 'utf8'), to);
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Where there are no links a lock is empty for a moment. It is ours once it can be read under its name. */
function isMade(text: string, path: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return readFileSync(path, 'utf8') === text;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    throw error;
  }
}

/** What a lock says; one that is empty is given time to be written. */
function saidBy(path: string): string {
  for (let tries = 0; ; tries += 1) {
    const text = readFileSync(path, 'utf8');
    if (text !== '' || tries === emptyTries) return text;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, emptyWaitMs);
  }
}

/** Removes the lock of a dead process. */
function takeAside(path: string, dataDir: string): void {
  const found = saidBy(path);
  const [pid = '', start = ''] = found.split(' ');
  if (pid !== '' && isAlive(Number(pid), start))
    throw new BadSetting(`${dataDir} is in use by process ${pid}; stop it, or choose another --data-dir`);
  const aside = `${path}.${process.pid}.old`;
  renameSync(path, aside);
  // Another one that starts may have taken it over in between: then that lock is put back.
  if (readFileSync(aside, 'utf8') !== found) isNamed(aside, path);
  rmSync(aside, { force: true });
}
