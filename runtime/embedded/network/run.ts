import { spawn } from 'node:child_process';

/** Runs a program of this machine on some input; gives what it printed, and rejects with what it complained of. */
export function run(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    child.on('error', failed);
    const said = { out: '', error: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text));
    child.stdin.on('error', () => {});
    child.on('close', (code) =>
      code === 0 ? done(said.out) : failed(new Error(`${program} ${args.join(' ')}: ${said.error.trim()}`)),
    );
    child.stdin.end(input);
  });
}
