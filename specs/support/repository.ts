import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real repository in a temporary folder. */
export interface Repository {
  readonly path: string;
  /** Writes files, commits them and returns the full sha. */
  readonly commit: (files: Readonly<Record<string, string>>, message?: string) => string;
  readonly push: (url: string, branch?: string) => void;
  /** A push to main that goes on while other things happen; whether it was acknowledged. */
  readonly pushing: (url: string) => Promise<boolean>;
  readonly git: (...args: readonly string[]) => string;
  readonly clean: () => void;
}

const author = ['-c', 'user.name=developer', '-c', 'user.email=developer@example.org'];

export function makeRepository(): Repository {
  const path = mkdtempSync(join(tmpdir(), 'core-repository-'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...author, ...args], {
      cwd: path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  return {
    path,
    git,
    commit: (files, message = 'Change') => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), text);
      }
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
      return git('rev-parse', 'HEAD');
    },
    push: (url, branch = 'main') => void git('push', '--quiet', '--force', url, `HEAD:refs/heads/${branch}`),
    pushing: (url) =>
      new Promise((resolve) => {
        const args = ['push', '--quiet', '--force', url, 'HEAD:refs/heads/main'];
        execFile('git', [...author, ...args], { cwd: path }, (error) => resolve(error === null));
      }),
    clean: () => rmSync(path, { recursive: true, force: true }),
  };
}
