import { spawn } from 'node:child_process';
import { accessSync, constants as access, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Execution, Exit, Stdio } from '../../api/podProcesses.ts';
import type { Store, Stored } from '../../store.ts';
import { kill, killAllAtHome } from './descendants.ts';
import { environmentOf } from './environment.ts';
import { notStarted, notThere } from './notStarted.ts';
import { containerIn } from './simulated.ts';

const pathHere = '/usr/local/bin:/usr/bin:/bin';
const scriptProgram = '/usr/bin/script';
const graceMs = 2_000;
const sizeWithinMs = 300;

/** Commands that run as processes of this machine. */
export interface LocalExec {
  readonly exec: (pod: Stored, name: string, execution: Execution) => Promise<Exit>;
  /** Kills whatever still runs. */
  readonly stop: () => void;
}

/** Runs commands as processes of this machine, each in an empty folder that goes when it ends. */
export function localExec(store: Store): LocalExec {
  const folders = new Set<string>();
  async function exec(pod: Stored, name: string, execution: Execution): Promise<Exit> {
    const folder = mkdtempSync(join(tmpdir(), 'core-exec-'));
    folders.add(folder);
    const env = {
      ...Object.fromEntries(environmentOf(store, pod, containerIn(pod, name))),
      PATH: pathHere,
      HOME: folder,
    };
    try {
      if (execution.stdio.tty) await firstSize(execution.stdio);
      return await runHere(execution, folder, env);
    } finally {
      folders.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { exec, stop: () => folders.forEach(killAllAtHome) };
}

/** A client sends its size right after it connects, if at all. */
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
  const fault = faultOf(command[0] ?? '', folder);
  if (fault !== null) return Promise.resolve({ is: 'failed', why: notStarted(command[0] ?? '', fault) });
  if (tty && !existsSync(scriptProgram))
    return Promise.resolve({ is: 'failed', why: 'this machine has no terminal for a command: leave out --tty' });
  const env = tty ? { ...given, TERM: 'xterm', SHELL: '/bin/sh' } : given;
  const [program = '', ...args] = tty ? inTerminal(command, stdio.size()) : command;
  // Of a process group of its own, so that a signal reaches all that stayed in it.
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise((done) => {
    const leave = () => {
      if (child.pid !== undefined) kill(-child.pid, 'SIGTERM');
      setTimeout(killAllAtHome, graceMs, folder).unref();
    };
    gone.addEventListener('abort', leave, { once: true });
    if (gone.aborted) leave();
    child.on('error', (why) => done({ is: 'failed', why: notStarted(command[0] ?? '', why.message) }));
    // Either side may end first: the exit of the command decides.
    if (stdin) pipeline(stdin, child.stdin).catch(nothing);
    else child.stdin.on('error', nothing).end();
    pipeline(child.stdout, stdout, { end: false }).catch(nothing);
    pipeline(child.stderr, tty ? stdout : stderr, { end: false }).catch(nothing);
    child.once('exit', () => {
      if (child.pid !== undefined) kill(-child.pid);
      killAllAtHome(folder);
    });
    child.once('close', (code, signal) => {
      gone.removeEventListener('abort', leave);
      done({ is: 'exited', code: code ?? 128 + (signal ? constants.signals[signal] : 0) });
    });
  });
}

const nothing = () => {};

/** Why a program cannot be started; null where nothing stands against it. */
function faultOf(program: string, folder: string): string | null {
  const places = program.includes('/') ? [folder] : pathHere.split(':');
  const found = places.map((place) => resolve(place, program)).filter((path) => program !== '' && existsSync(path));
  if (found.some(isExecutable)) return null;
  const [first] = found;
  if (first === undefined || !program.includes('/')) return notThere(program);
  return statSync(first).isDirectory() ? 'is a directory' : 'permission denied';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, access.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const inQuotes = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The command in a terminal that `script` opens; its size is the one at the start. */
function inTerminal(command: readonly string[], size: { readonly rows: number; readonly columns: number } | null) {
  const sized = size ? `stty rows ${size.rows} cols ${size.columns}; ` : '';
  return [scriptProgram, '-qefc', `${sized}exec ${command.map(inQuotes).join(' ')}`, '/dev/null'];
}
