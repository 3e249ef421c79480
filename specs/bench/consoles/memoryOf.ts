import { WebSocket } from 'ws';
import { until } from '../../support/until.ts';

/** What a process has in memory once its garbage is collected, in bytes. */
export interface Memory {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
}

/** Read through the inspector of a process that was started with `inspected`. */
export interface MemoryReader {
  readonly read: () => Promise<Memory>;
  readonly close: () => void;
}

export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

interface Answer {
  readonly id: number;
  readonly result: { readonly result?: { readonly value?: Memory } };
}

export async function memoryReader(stderr: () => string): Promise<MemoryReader> {
  await until(() => /Debugger listening on (ws:\S+)/.test(stderr()), 'the inspector listens');
  const socket = new WebSocket(/Debugger listening on (ws:\S+)/.exec(stderr())?.[1] ?? '');
  await new Promise((open, failed) => socket.once('open', open).once('error', failed));
  let asked = 0;
  const ask = (method: string, params: object = {}): Promise<Answer> =>
    new Promise((done) => {
      const id = ++asked;
      const hear = (message: Buffer) => {
        const answer = JSON.parse(message.toString()) as Answer;
        if (answer.id !== id) return;
        socket.off('message', hear);
        done(answer);
      };
      socket.on('message', hear);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    read: async () => {
      for (let turn = 0; turn < 3; turn++) await ask('HeapProfiler.collectGarbage');
      const { result } = await ask('Runtime.evaluate', { expression: 'process.memoryUsage()', returnByValue: true });
      if (!result.result?.value) throw new Error('the process does not say what it has in memory');
      return result.result.value;
    },
    close: () => socket.terminate(),
  };
}
