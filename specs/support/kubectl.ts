import { execFile, execFileSync, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './product.ts';

const execute = promisify(execFile);

/** Why kubectl cannot be used here; null when one of 1.30 or later is on the machine. */
export function noKubectl(): string | null {
  try {
    const text = execFileSync('kubectl', ['version', '--client', '--output', 'json'], { encoding: 'utf8' });
    const { clientVersion } = JSON.parse(text) as { clientVersion: { major: string; minor: string } };
    const minor = Number.parseInt(clientVersion.minor, 10);
    return Number(clientVersion.major) > 1 || minor >= 30 ? null : `kubectl is 1.${minor}, older than 1.30`;
  } catch {
    return 'there is no kubectl';
  }
}

/** kubectl as a user calls it, against one cluster. */
export const kubectlFor = (kubeconfig: string) => {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  return {
    /** Standard output and standard error together; rejects when kubectl does not exit 0. */
    run: async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await execute('kubectl', args, { env, cwd: root, encoding: 'utf8' });
      return stdout + stderr;
    },
    /** What it prints while it runs. */
    follow: (...args: readonly string[]) => {
      const child = spawn('kubectl', args, { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      return { text: () => text, stop: () => child.kill('SIGKILL') };
    },
  };
};
