import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { BadData } from '../embedded/index.ts';
import type { Embedded, EmbeddedListeners, EmbeddedOptions, FromWorker, ToWorker } from './protocol.ts';

/** The bundle has the worker beside this file; run from source, it is loaded through tsx. */
function workerOf(options: EmbeddedOptions): Worker {
  const bundled = new URL('cluster.js', import.meta.url);
  if (existsSync(bundled)) return new Worker(bundled, { workerData: options });
  const source = new URL('worker.ts', import.meta.url);
  return new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(source.href)}); })`,
    {
      eval: true,
      workerData: options,
    },
  );
}

interface ThreadListeners extends EmbeddedListeners {
  /** Called when it ended unexpectedly. */
  readonly died: (why: string) => void;
}

/** Starts the embedded cluster in a worker thread. */
export function startEmbedded(
  options: EmbeddedOptions,
  { died, renewed, uncaught }: ThreadListeners,
): Promise<Embedded> {
  const worker = workerOf(options);
  const send = (message: ToWorker) => worker.postMessage(message);
  let stopping = false;
  return new Promise((started, failed) => {
    const die = (why: string) => {
      if (stopping) return;
      failed(new Error(why));
      died(why);
    };
    /**
     * The worker has reported why it ends, so its exit is not reported as a death; until then it may write into the
     * data directory.
     */
    const refuse = (why: Error) => {
      stopping = true;
      void worker.terminate().finally(() => failed(why));
    };
    worker.on('error', (error) => die(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    worker.on('exit', (code) => die(`the embedded cluster ended with code ${code}`));
    worker.on('message', (message: FromWorker) => {
      if (message.is === 'badData') refuse(new BadData(message.why));
      if (message.is === 'failed') refuse(new Error(message.why));
      if (message.is === 'renewed') renewed();
      if (message.is === 'uncaught') uncaught(message.from);
      if (message.is !== 'started') return;
      started({
        endpoints: message.endpoints,
        app: message.app,
        cloudKey: message.cloudKey,
        deliverTo: (url) => send({ is: 'webhookUrl', url }),
        stop: async () => {
          stopping = true;
          const stopped = new Promise<void>((resolve) => {
            worker.on('exit', () => resolve());
          });
          send({ is: 'stop' });
          await stopped;
        },
      });
    });
  });
}
