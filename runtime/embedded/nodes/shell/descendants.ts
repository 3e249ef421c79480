import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { sep } from 'node:path';

const mostRounds = 20;

/** Kills what was started with a folder as its home, in whatever group or session it is by now. */
export function killAllAtHome(folder: string): void {
  for (let round = 0; round < mostRounds; round += 1) {
    const pids = pidsAtHome(folder);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
  }
}

/** Signals a process, or a group by its negative number; one that is gone needs none. */
export function kill(pid: number, signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

/** Where the system lists its processes as files; elsewhere none are found. */
function pidsAtHome(folder: string): readonly number[] {
  return filesIn('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isAtHome(pid, folder));
}

function filesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** By its environment, which a program may have exchanged, or by where it stands. */
function isAtHome(pid: number, folder: string): boolean {
  return (
    isSo(() => readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`HOME=${folder}`)) ||
    isSo(standsThere)
  );
  function standsThere() {
    const path = readlinkSync(`/proc/${pid}/cwd`);
    return path === folder || path.startsWith(folder + sep);
  }
}

/** What cannot be read belongs to somebody else, or is over. */
function isSo(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
