import { spawn } from 'node:child_process';
import type { ExecEnd, ExecListener, ExecStream } from '../../../runtime/services/exec.ts';

/** Runs a command on this machine as a container would, with nothing of this process around it. */
export function localCommand([program = '', ...args]: readonly string[]): ExecStream {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };
  const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let listener: ExecListener | null = null;
  let ended = false;
  const end = (how: ExecEnd) => {
    if (ended) return;
    ended = true;
    listener?.ended(how);
  };
  for (const output of [child.stdout, child.stderr]) output.pause();
  child.stdin.on('error', () => {});
  child.on('error', ({ message }) => end({ is: 'lost', why: message }));
  child.on('close', (code) => end(code === null ? { is: 'lost', why: 'killed' } : { is: 'exited', code }));
  return {
    listen: (given) => {
      listener = given;
      for (const output of [child.stdout, child.stderr]) output.on('data', given.output).resume();
    },
    write: (data) => child.stdin.write(data),
    resize: () => {},
    hold: (held) => {
      for (const output of [child.stdout, child.stderr]) output[held ? 'pause' : 'resume']();
    },
    // A runtime lets a command go on whose client has left; its pipes break.
    close: () => {
      for (const output of [child.stdout, child.stderr]) output.destroy();
      child.stdin.end();
      end({ is: 'lost', why: 'it was left' });
    },
  };
}
