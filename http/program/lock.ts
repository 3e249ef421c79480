import { closeSync, mkdirSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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

const isDir = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Folder by folder: node's recursive way says `not found` whatever stands in the way, or tries for ever. */
function makeDataDir(path: string): void {
  if (isDir(path)) return;
  if (dirname(path) !== path) makeDataDir(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (isDir(path)) return;
    const why = error instanceof Error ? error.message : String(error);
    throw new BadSetting(`the data directory cannot be made: ${why}`);
  }
}

/**
 * Takes the data directory for this process. One that a living process holds is refused; the lock of a dead one is
 * taken over. Returns what gives it back.
 */
export function lockDataDir(dataDir: string): () => void {
  makeDataDir(resolve(dataDir));
  const path = join(dataDir, 'lock');
  const mine = `${process.pid} ${startOf(process.pid)}`;
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, mine);
      closeSync(file);
      return () => unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [pid = '', start = ''] = readFileSync(path, 'utf8').split(' ');
    if (pid !== '' && isAlive(Number(pid), start))
      throw new BadSetting(`${dataDir} is in use by process ${pid}; stop it, or choose another --data-dir`);
    unlinkSync(path);
  }
  throw new BadSetting(`${dataDir} could not be locked`);
}
