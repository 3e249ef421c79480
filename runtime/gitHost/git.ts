import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** Git is not installed on this machine. */
export class GitMissing extends Error {
  override readonly name = 'GitMissing';
  constructor() {
    super('git is not installed on this machine: repositories can be neither pushed nor read');
  }
}

interface Ran {
  readonly code: number | null;
  readonly stdout: Buffer;
}

/** The git of this machine, running in one folder and isolated from all user and system settings. */
export interface Git {
  /** Rejects with GitMissing when git is not installed. */
  readonly ready: () => Promise<void>;
  readonly spawn: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<ChildProcessWithoutNullStreams>;
  readonly run: (args: readonly string[], input?: string) => Promise<Ran>;
  /** Ends all running processes. */
  readonly stop: () => void;
}

const settings = {
  'core.hooksPath': devNull,
  'gc.autoDetach': 'false',
  'http.receivepack': 'true',
  'safe.directory': '*',
};

function environment(home: string): Record<string, string> {
  const entries = Object.entries(settings);
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(entries.map(([key], index) => [`GIT_CONFIG_KEY_${index}`, key])),
    ...Object.fromEntries(entries.map(([, value], index) => [`GIT_CONFIG_VALUE_${index}`, value])),
  };
}

export function gitIn(folder: string): Git {
  const base = environment(folder);
  const running = new Set<ChildProcessWithoutNullStreams>();

  const start: Git['spawn'] = (args, env = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn('git', args, { cwd: folder, env: { ...base, ...env } });
      child.once('spawn', () => {
        running.add(child);
        resolve(child);
      });
      child.on('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? new GitMissing() : error));
      child.once('close', () => running.delete(child));
      child.stdin.on('error', () => {}); // It may exit before it reads everything; its exit code decides.
      child.stderr.resume();
    });

  const run: Git['run'] = async (args, input = '') => {
    const child = await start(args);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.end(input);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, stdout: Buffer.concat(chunks) };
  };
  let isThere = false;

  return {
    ready: async () => {
      if (!isThere) await run(['--version']);
      isThere = true;
    },
    spawn: start,
    run,
    stop: () => {
      for (const child of running) child.kill();
    },
  };
}
