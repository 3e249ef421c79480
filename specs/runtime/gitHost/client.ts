import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Says that a spec is skipped where git is missing. */
export function gitIsThere(): boolean {
  const isThere = spawnSync('git', ['--version']).status === 0;
  if (!isThere) process.stdout.write('skipped: git is not installed\n');
  return isThere;
}

export interface HttpResult {
  readonly code: number;
  readonly text: string;
}

/** Git as a client of a host in this very process, which it may therefore not block. */
export function git(cwd: string, ...args: readonly string[]): Promise<HttpResult> {
  const author = [
    '-c',
    'user.name=developer',
    '-c',
    'user.email=developer@example.org',
    '-c',
    'init.defaultBranch=main',
  ];
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', HOME: cwd };
  return new Promise((resolve) => {
    execFile('git', [...author, ...args], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), text: (stdout + stderr).trim() });
    });
  });
}

export interface WorkTree {
  readonly path: string;
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** Writes files (null removes one), commits, and returns the sha. */
  readonly commit: (files: Readonly<Record<string, string | Buffer | null>>, message?: string) => Promise<string>;
  readonly clean: () => void;
}

export async function makeWorkTree(): Promise<WorkTree> {
  const path = mkdtempSync(join(tmpdir(), 'core-work-tree-'));
  const run = async (...args: readonly string[]) => {
    const { code, text } = await git(path, ...args);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${text}`);
    return text;
  };
  await run('init', '--quiet');
  return {
    path,
    git: run,
    commit: async (files, message = 'Change') => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        if (content === null) rmSync(join(path, name));
        else writeFileSync(join(path, name), content);
      }
      await run('add', '--all');
      await run('commit', '--quiet', '--allow-empty', '--message', message);
      return run('rev-parse', 'HEAD');
    },
    clean: () => rmSync(path, { recursive: true, force: true }),
  };
}
