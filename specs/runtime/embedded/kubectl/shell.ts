import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Printed {
  /** Standard output and standard error as they came, without the empty line at the end. */
  readonly lines: readonly string[];
  readonly exit: number;
}

/** A shell in a folder of its own, whose kubectl speaks to one cluster. */
export interface Shell {
  readonly write: (name: string, text: string) => void;
  readonly run: (command: string) => Promise<Printed>;
  readonly clean: () => void;
}

const patienceMs = 300_000;

/** Opens a shell; `namespace` is the one that kubectl takes where none is named. */
export async function openShell(kubeconfig: string, namespace: string): Promise<Shell> {
  const folder = mkdtempSync(join(tmpdir(), 'core-kubectl-'));
  const config = join(folder, '.kube', 'config');
  mkdirSync(dirname(config));
  // A command ends before collecting its garbage is worth the time.
  const fixed = { LANG: 'C.UTF-8', TZ: 'UTC', GOGC: 'off' };
  const env = { ...fixed, PATH: process.env['PATH'], HOME: folder, KUBECONFIG: config };
  const run = (command: string) =>
    new Promise<Printed>((done) => {
      const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const late = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), patienceMs);
      child.once('close', (code) => {
        clearTimeout(late);
        const lines = text.replace(/\n+$/, '').split('\n');
        done({ lines: text.trim() === '' ? [] : lines, exit: code ?? 137 });
      });
    });
  const shell = {
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    run,
    clean: () => rmSync(folder, { recursive: true, force: true }),
  };
  const taken = await run(
    `KUBECONFIG='${kubeconfig}' kubectl config view --raw --flatten > .kube/config && kubectl config set-context --current --namespace=${namespace}`,
  );
  if (taken.exit !== 0) throw new Error(taken.lines.join('\n'));
  return shell;
}
