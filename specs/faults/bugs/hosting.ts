import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Asked } from './host.ts';

/** A process that runs patched programs, one question at a time; a process that hangs is killed and replaced. */
export interface Hosting {
  readonly ask: (asked: Asked) => Promise<readonly string[]>;
  readonly end: () => void;
}

/** A plan normally takes some hundredths of a second. */
const answerWithinMs = 60_000;
const script = fileURLToPath(new URL('host.ts', import.meta.url));

export function makeHosting(): Hosting {
  let host: ChildProcess | null = null;
  const end = () => {
    host?.removeAllListeners();
    host?.kill('SIGKILL');
    host = null;
  };
  return {
    ask: (asked) =>
      new Promise((resolve) => {
        host ??= fork(script);
        const done = (wrong: readonly string[]) => {
          clearTimeout(timer);
          host?.removeAllListeners();
          resolve(wrong);
        };
        const over = (how: string) => {
          done([how]);
          end();
        };
        const timer = setTimeout(() => over('it does not come to an end'), answerWithinMs);
        host.on('message', (wrong) => done(wrong as readonly string[]));
        host.on('exit', (code) => over(`it ends itself with ${String(code)}`));
        host.send(asked);
      }),
    end,
  };
}
