import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type NodeRunner, boundPath, killedCode } from './nodeRun.ts';

const graceMs = 2_000;
/** What the script reads; nothing else of the container reaches the machine's git. */
const variables = ['GIT_TOKEN', 'REPOSITORY_URL', 'BRANCH', 'COMMIT'];

/** Runs the script that clones the source by the git of this machine, in the folder that is the workspace. */
export const gitRunner =
  (script: string): NodeRunner =>
  async ({ words, env, folders, say, gone }) => {
    if (words.length !== 3 || words[2] !== script) {
      say('error: this image runs the clone script of builds and nothing else');
      return { exitCode: 126, message: '' };
    }
    const workspace = boundPath(folders, env['WORKSPACE'] ?? '');
    if (!workspace) {
      say(`error: no volume is mounted at ${env['WORKSPACE'] ?? 'WORKSPACE'}`);
      return { exitCode: 1, message: '' };
    }
    const home = await mkdtemp(join(tmpdir(), 'core-git-'));
    try {
      const exitCode = await ended({ script, cwd: workspace.path, env: { ...own(env), HOME: home }, say, gone });
      return { exitCode, message: '' };
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  };

/** The settings of whoever started the server do not count, and only a Git host is cloned from. */
const own = (env: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  PATH: process.env['PATH'],
  WORKSPACE: '.',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'http:https',
});

interface Script {
  readonly script: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly gone: AbortSignal;
}

function ended({ script, cwd, env, say, gone }: Script): Promise<number> {
  // In a process group of its own, so that a signal reaches git too.
  const child = spawn('sh', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  let killing: NodeJS.Timeout | undefined;
  const leave = () => {
    signal('SIGTERM');
    killing = setTimeout(signal, graceMs, 'SIGKILL');
  };
  gone.addEventListener('abort', leave, { once: true });
  if (gone.aborted) leave();
  const lines = (stream: Readable) => createInterface({ input: stream }).on('line', say);
  lines(child.stdout);
  lines(child.stderr);
  return new Promise((done) => {
    child.once('error', (why) => {
      say(`error: ${why.message}`);
      done(1);
    });
    child.once('close', (code) => {
      clearTimeout(killing);
      gone.removeEventListener('abort', leave);
      done(gone.aborted ? killedCode : (code ?? killedCode));
    });
  });
}
