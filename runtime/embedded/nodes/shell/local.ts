import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Execution, Exit, Stdio } from '../../api/podProcesses.ts';
import type { Store, Stored } from '../../store.ts';
import { environmentOf } from './environment.ts';
import { containerIn } from './simulated.ts';

const pathHere = '/usr/local/bin:/usr/bin:/bin';
const scriptProgram = '/usr/bin/script';
const graceMs = 2_000;
const sizeWithinMs = 300;
const signalExit: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 };

/** Runs commands as processes of this machine, each in an empty folder that goes when it ends. */
export function localExec(store: Store) {
  return async (pod: Stored, name: string, execution: Execution): Promise<Exit> => {
    const folder = mkdtempSync(join(tmpdir(), 'core-exec-'));
    const env = {
      ...Object.fromEntries(environmentOf(store, pod, containerIn(pod, name))),
      PATH: pathHere,
      HOME: folder,
    };
    try {
      if (execution.stdio.tty) await firstSize(execution.stdio);
      return await runHere(execution, folder, env);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** A client tells its size right after it came, if at all. */
function firstSize({ onResize }: Stdio): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, sizeWithinMs);
    onResize(() => {
      clearTimeout(timer);
      done();
    });
  });
}

function runHere(
  { command, stdio }: Execution,
  folder: string,
  given: Readonly<Record<string, string>>,
): Promise<Exit> {
  const { stdin, stdout, stderr, gone, tty } = stdio;
  if (tty && !existsSync(scriptProgram))
    return Promise.resolve({ is: 'failed', why: 'this machine has no terminal for a command: leave out --tty' });
  const env = tty ? { ...given, TERM: 'xterm', SHELL: '/bin/sh' } : given;
  const [program = '', ...args] = tty ? inTerminal(command, stdio.size()) : command;
  // Of a process group of its own, so that all it started goes with it.
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise((done) => {
    const killGroup = (signal: 'SIGTERM' | 'SIGKILL') => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // The last of the group is gone already.
      }
    };
    const leave = () => {
      killGroup('SIGTERM');
      setTimeout(killGroup, graceMs, 'SIGKILL').unref();
    };
    gone.addEventListener('abort', leave, { once: true });
    if (gone.aborted) leave();
    child.once('error', (why) => done({ is: 'failed', why: `failed to start ${command[0] ?? ''}: ${why.message}` }));
    child.stdin.on('error', () => {});
    if (stdin) stdin.pipe(child.stdin);
    else child.stdin.end();
    child.stdout.pipe(stdout, { end: false });
    child.stderr.pipe(tty ? stdout : stderr, { end: false });
    child.once('exit', () => killGroup('SIGKILL'));
    child.once('close', (code, signal) => {
      gone.removeEventListener('abort', leave);
      stdin?.unpipe(child.stdin);
      done({ is: 'exited', code: code ?? signalExit[signal ?? ''] ?? 1 });
    });
  });
}

const inQuotes = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The command in a terminal that `script` opens; its size is the one at the start. */
function inTerminal(command: readonly string[], size: { readonly rows: number; readonly columns: number } | null) {
  const sized = size ? `stty rows ${size.rows} cols ${size.columns}; ` : '';
  return [scriptProgram, '-qefc', `${sized}exec ${command.map(inQuotes).join(' ')}`, '/dev/null'];
}
