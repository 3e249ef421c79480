import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Violation } from './violations.ts';
import type { Timeline } from './timeline.ts';

/** How a program is started, again and again, over the same data directory. */
export interface PartOptions {
  readonly name: string;
  readonly root: string;
  readonly dataDir: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeline: Timeline;
}

/** What one process holds of the machine. */
export interface Sample {
  readonly at: number;
  readonly pid: number;
  readonly rssMb: number;
  readonly handles: number;
}

/** One of the processes of the soak, kept running: what dies is started again. */
export interface Part {
  readonly name: string;
  readonly dataDir: string;
  readonly isReady: () => boolean;
  readonly pid: () => number | null;
  readonly kill: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly isPaused: () => boolean;
  /** The name under which it took the leader's lease last; empty before it ever did. */
  readonly identity: () => string;
  readonly sample: () => Sample | null;
  /** Deaths that nobody asked for, after it had said `ready`, and starts that ended with a stack trace. */
  readonly deaths: () => readonly Violation[];
  /** Ends it in good order; its exit code. */
  readonly stop: () => Promise<number | null>;
}

const againAfterMs = 300;
const lastWordsMs = 500;

/** Starts the program and keeps it running until it is stopped. */
export function startPart({ name, root, dataDir, args, env, timeline }: PartOptions): Part {
  mkdirSync(dataDir, { recursive: true });
  const log = createWriteStream(join(dataDir, '..', `${name}.log`), { flags: 'a' });
  const deaths: Violation[] = [];
  let child: ChildProcess;
  let isReady = false;
  let isStopping = false;
  let isPaused = false;
  let identity = '';
  let killed: ChildProcess | null = null;
  let again: NodeJS.Timeout | undefined;

  const start = () => {
    isReady = false;
    isPaused = false;
    const began = performance.now();
    child = spawn(process.execPath, ['dist/core.js', 'start', '--data-dir', dataDir, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const mine = child;
    let out = '';
    let err = '';
    mine.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (isReady || !out.split('\n').includes('ready')) return;
      isReady = true;
      timeline.tell(name, `is ready after ${Math.round(performance.now() - began)} ms`);
    });
    mine.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log.write(text);
      err = (err + text).slice(-4_000);
      identity = /"message":"leading".*?"identity":"([^"]+)"/.exec(err)?.[1] ?? identity;
    });
    mine.once('exit', (code, signal) => {
      const wasReady = isReady;
      isReady = false;
      // What it had started may outlive it for a while, with its output in hand.
      setTimeout(() => [mine.stdout, mine.stderr].forEach((stream) => stream?.destroy()), lastWordsMs).unref();
      if (isStopping) return;
      const how = signal === null ? `exit code ${code}` : signal;
      if (killed !== mine) {
        const last = err.trim().split('\n').at(-1) ?? '';
        timeline.tell(name, `${wasReady ? 'ended' : 'could not start'} by itself, ${how}: ${last.slice(0, 300)}`);
        // A start that is refused in one line, because nobody answered, is as it should be.
        if (wasReady || code !== 2)
          deaths.push({ text: `${name} ended by itself with ${how}: ${last}`, about: [name] });
      }
      again = setTimeout(start, againAfterMs);
    });
  };
  start();

  const alive = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    dataDir,
    isReady: () => isReady,
    pid: () => (alive() ? (child.pid ?? null) : null),
    kill: () => {
      killed = child;
      child.kill('SIGKILL');
    },
    pause: () => {
      isPaused = child.kill('SIGSTOP');
    },
    resume: () => {
      isPaused = false;
      child.kill('SIGCONT');
    },
    isPaused: () => isPaused,
    identity: () => identity,
    sample: () => (alive() && child.pid !== undefined ? sampleOf(child.pid, timeline.elapsed()) : null),
    deaths: () => deaths,
    stop: async () => {
      isStopping = true;
      clearTimeout(again);
      if (alive()) {
        const exit = once(child, 'exit');
        child.kill('SIGCONT');
        child.kill('SIGTERM');
        await exit;
      }
      log.end();
      return child.exitCode;
    },
  };
}

/** Read from /proc; null where the system has none. */
function sampleOf(pid: number, at: number): Sample | null {
  try {
    const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return { at, pid, rssMb: Number(kb) / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}
