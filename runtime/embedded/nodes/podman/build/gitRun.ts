import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type NodeRunner, boundPath, killedCode } from './nodeRun.ts';

const graceMs = 2_000;
/** What the script reads; nothing else of the container reaches the machine's git. */
const variables = ['GIT_TOKEN', 'REPOSITORY_URL', 'BRANCH', 'COMMIT'];

/**
 * Runs the script that clones the source by the git of this machine. It runs in a folder beside the workspace, which no
 * container sees: git takes settings and hooks from where it works, and follows links there.
 */
export const gitRunner =
  (script: string): NodeRunner =>
  async ({ words, env, folders, say, gone }) => {
    if (words.length !== 3 || words[2] !== script) {
      say('error: this image runs the clone script of builds and nothing else');
      return { exitCode: 126, message: '' };
    }
    const workspace = boundPath(folders, env['WORKSPACE'] ?? '');
    // A folder within the volume may be a link that leads out of it.
    if (!workspace || workspace.path !== workspace.folder) {
      say(`error: no volume is mounted at ${env['WORKSPACE'] ?? 'WORKSPACE'}`);
      return { exitCode: 1, message: '' };
    }
    if ((await readdir(workspace.folder)).length > 0) {
      say('error: the workspace is not empty');
      return { exitCode: 1, message: '' };
    }
    const own = await mkdtemp(join(dirname(workspace.folder), 'core-git-'));
    try {
      const [source = '', home = ''] = ['source', 'home'].map((name) => join(own, name));
      for (const folder of [source, home]) await mkdir(folder);
      const exitCode = await ended({ script, cwd: source, env: settings(env, home), say, gone });
      if (exitCode !== 0 || (await moveInto(source, workspace.folder))) return { exitCode, message: '' };
      say('error: the workspace was written to while the source was cloned');
      return { exitCode: 1, message: '' };
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  };

/** Moves what is in one folder into another; false where a folder by one of these names stands in the way. A link is replaced. */
async function moveInto(from: string, to: string): Promise<boolean> {
  try {
    for (const name of await readdir(from)) await rename(join(from, name), join(to, name));
    return true;
  } catch (why) {
    const { code = '' } = why as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR'].includes(code)) return false;
    throw why;
  }
}

/** The settings of whoever started the server do not count, and only a Git host is cloned from. */
const settings = (env: Readonly<Record<string, string>>, home: string) => ({
  ...Object.fromEntries(variables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  PATH: process.env['PATH'],
  HOME: home,
  WORKSPACE: '.',
  // The data directory may lie in a working copy of somebody's.
  GIT_CEILING_DIRECTORIES: dirname(home),
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
  return new Promise((done) => {
    child.on('error', (why) => {
      say(`error: ${why.message}`);
      done(1);
    });
    lines(child.stdout);
    lines(child.stderr);
    child.once('close', (code) => {
      clearTimeout(killing);
      gone.removeEventListener('abort', leave);
      done(gone.aborted ? killedCode : (code ?? killedCode));
    });
  });
}
