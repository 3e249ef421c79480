import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Outcome } from './processes.ts';

const execute = promisify(execFile);
const author = ['-c', 'user.name=developer', '-c', 'user.email=developer@example.org'];
const withinMs = 15_000;

/** Working copies of the services' repositories, one each. */
export interface Pushes {
  /** A new commit, pushed to the branch of a service. */
  readonly push: (service: string) => Promise<{ readonly commit: string; readonly outcome: Outcome<string> }>;
  /** The head of the branch at the Git host. */
  readonly head: (service: string) => Promise<string>;
}

/** Pushes to the embedded Git host by git itself. */
export function pushesTo(gitUrl: string, dir: string): Pushes {
  const made = new Set<string>();
  const pathOf = (service: string) => join(dir, 'repositories', service);
  const urlOf = (service: string) => `${gitUrl}/demo/${service}.git`;
  const git = async (service: string, ...args: readonly string[]) => {
    const options = { cwd: pathOf(service), encoding: 'utf8', timeout: withinMs, killSignal: 'SIGKILL' } as const;
    return (await execute('git', [...author, ...args], options)).stdout.trim();
  };
  return {
    push: async (service) => {
      if (!made.has(service)) {
        mkdirSync(pathOf(service), { recursive: true });
        await git(service, 'init', '--quiet', '--initial-branch=main');
        made.add(service);
      }
      await git(service, 'commit', '--quiet', '--allow-empty', '--message', 'Change');
      const commit = await git(service, 'rev-parse', 'HEAD');
      const outcome = await git(service, 'push', '--quiet', '--force', urlOf(service), 'HEAD:refs/heads/main').then(
        (value): Outcome<string> => ({ is: 'done', value }),
        (error: unknown): Outcome<string> => ({ is: 'unknown', why: String(error).split('\n').at(-1) ?? '' }),
      );
      return { commit, outcome };
    },
    head: async (service) => {
      const said = await execute('git', ['ls-remote', urlOf(service), 'refs/heads/main'], { encoding: 'utf8' });
      return said.stdout.split('\t')[0] ?? '';
    },
  };
}
