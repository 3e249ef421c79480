import { closeSync, linkSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { CommandFailure, exits } from '../exits.ts';
import type { Clock } from '../io.ts';

const maxWaitsMs = 10_000;
const pauseMs = 20;
/** So long a lock may be without the number of its holder. */
const maxUnsignedMs = 2_000;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function take(path: string): boolean {
  try {
    const lock = openSync(path, 'wx', 0o600);
    writeSync(lock, String(process.pid));
    closeSync(lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

/** Takes away the lock of a process that died. Another one's, taken meanwhile, is put back. */
function breakDead(path: string, now: number): void {
  try {
    const holder = readFileSync(path, 'utf8');
    const isUnsigned = !/^\d+$/.test(holder);
    if (isUnsigned ? now - statSync(path).mtimeMs < maxUnsignedMs : isAlive(Number(holder))) return;
    const aside = `${path}.${process.pid}`;
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, path);
    unlinkSync(aside);
  } catch {
    // Somebody else was faster.
  }
}

/** Runs alone among the processes that take the same lock. */
export async function locked<T>(path: string, clock: Clock, run: () => T): Promise<T> {
  const until = clock.monotonic() + maxWaitsMs;
  while (!take(path)) {
    if (clock.monotonic() > until)
      throw new CommandFailure(exits.otherError, `another command has been writing ${path} for too long`);
    breakDead(path, clock.now());
    await clock.sleep(pauseMs);
  }
  try {
    return run();
  } finally {
    unlinkSync(path);
  }
}
