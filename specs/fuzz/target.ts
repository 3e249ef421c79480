import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Questions } from '../http/fuzzedServer.ts';
import { programOf } from '../support/program.ts';

/** A server in a process of its own, which is asked what became of it. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly cookie: string;
  readonly ask: <Q extends keyof Questions>(asks: Q) => Promise<ReturnType<Questions[Q]>>;
  /** What the process said on its standard error. */
  readonly said: () => string;
  /** How the process ended; null while it lives. */
  readonly ended: () => string | null;
  /** How long another caller waits for an answer that costs nothing, in ms. */
  readonly waitOfAnother: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

interface Begun {
  readonly url: string;
  readonly cookie: string;
}

interface Answered {
  readonly id: number;
  readonly answer: unknown;
}

/** Starts the server, with a mistake that is to be found where one is named. */
export async function startTarget(plant = ''): Promise<Target> {
  const program = programOf(new URL('../http/fuzzedServer.ts', import.meta.url));
  // It is killed in the end, and what it left behind goes with this folder.
  const folder = mkdtempSync(join(tmpdir(), 'core-fuzz-'));
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, [...program, plant], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-100_000)));
  const ended = () => (child.exitCode === null && child.signalCode === null ? null : String(child.exitCode));
  const gone = once(child, 'exit').then(() => {
    throw new Error(`the process ended with ${ended()}: ${said.slice(-1_000)}`);
  });
  gone.catch(() => {});
  const [{ url, cookie }] = (await Promise.race([once(child, 'message'), gone])) as [Begun];
  const { host, port } = new URL(url);
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  child.on('message', ({ id, answer }: Answered) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    host,
    port: Number(port),
    cookie,
    ask: <Q extends keyof Questions>(asks: Q) => {
      const id = ++asked;
      const answer = new Promise<unknown>((resolve) => waiting.set(id, resolve));
      child.send({ id, asks });
      return Promise.race([answer, gone]) as Promise<ReturnType<Questions[Q]>>;
    },
    said: () => said,
    ended,
    waitOfAnother: () =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        get(`${url}/api/v1/version`, { agent }, (response) =>
          response.on('end', () => resolve(performance.now() - startedAt)).resume(),
        ).on('error', reject);
      }),
    stop: async () => {
      agent.destroy();
      if (ended() === null && child.kill('SIGKILL')) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
