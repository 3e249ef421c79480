import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { until } from '../../support/until.ts';
import type { Command } from './process.ts';

/** Namespaces of processes and of mounts: whatever is started or mounted in them ends with them. */
export interface Sandbox {
  /** The command that runs another one in here. */
  readonly enter: (cwd: string, command: readonly string[]) => Command;
  readonly end: () => Promise<void>;
}

/** Named networks are mounts too; other clusters of this machine keep theirs. */
const first = 'mount -t tmpfs none /run/netns && echo up && read -r _';

/** What runs inside is no child of this process: it ends with the one that waits for it. */
const diesToo = 'setpriv --pdeathsig TERM';

export async function openSandbox(): Promise<Sandbox> {
  const flags = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private', '--mount-proc'];
  // Its input is open as long as this process lives, however that ends.
  const child = spawn('unshare', [...flags, 'bash', '-c', `mkdir -p /run/netns && ${first}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const up = once(child.stdout, 'data');
  const early = once(child, 'exit').then(() => Promise.reject(new Error('unshare ended')));
  early.catch(() => {});
  await Promise.race([up, early]);
  const inside = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return {
    enter: (cwd, command) => [...`nsenter -t ${inside} -m -p --wdns=${cwd} ${diesToo}`.split(' '), ...command],
    end: async () => {
      child.stdin.end();
      await until(() => child.exitCode !== null || child.signalCode !== null, 'the sandbox has ended', 30_000);
    },
  };
}
