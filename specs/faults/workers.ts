import type { ChildProcess } from 'node:child_process';
import { forkProgram } from '../support/program.ts';
import type { Tried } from './trials.ts';

/** One path to try, as sent to a worker. */
export interface PathRequest {
  readonly lifecycle: string;
  readonly path: string;
  readonly seed: number;
  readonly mixed: number;
  readonly oneOf: number;
  /** Null means all. */
  readonly pattern: string | null;
}

const script = new URL('worker.ts', import.meta.url);

/** Tries paths in several processes, each path entirely in one of them. */
export async function tryAll(
  asked: readonly PathRequest[],
  atATime: number,
  onTried: (tried: Tried) => void,
): Promise<void> {
  const left = [...asked];
  const serve = (worker: ChildProcess) =>
    new Promise<void>((done, failed) => {
      const give = () => {
        const next = left.shift();
        if (next) worker.send(next);
        else worker.disconnect();
      };
      worker.on('message', (tried) => {
        onTried(tried as Tried);
        give();
      });
      worker.on('exit', (code) => (code === 0 ? done() : failed(new Error(`a worker ended with ${String(code)}`))));
      give();
    });
  const workers = Array.from({ length: Math.min(atATime, asked.length) }, () => forkProgram(script));
  await Promise.all(workers.map(serve));
}
