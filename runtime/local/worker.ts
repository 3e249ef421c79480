import { parentPort, workerData } from 'node:worker_threads';
import { BadData, catchUncaught } from '../embedded/index.ts';
import { type UncaughtFrom, uncaughtTo } from '../services/uncaught.ts';
import { runEmbedded } from './embedded.ts';
import type { EmbeddedOptions, FromWorker, ToWorker } from './protocol.ts';

const post = (message: FromWorker) => parentPort?.postMessage(message);
const uncaught = (from: UncaughtFrom) => post({ is: 'uncaught', from });

async function run(): Promise<void> {
  const options = workerData as EmbeddedOptions;
  const renewed = () => post({ is: 'renewed' });
  const { endpoints, app, cloudKey, deliverTo, stop } = await runEmbedded(options, { renewed, uncaught });
  parentPort?.on('message', (message: ToWorker) => {
    if (message.is === 'webhookUrl') deliverTo(message.url);
    else void stop().then(() => process.exit(0));
  });
  post({ is: 'started', endpoints, app, cloudKey });
}

catchUncaught(uncaughtTo(uncaught));
run().catch((error: unknown) =>
  post(
    error instanceof BadData
      ? { is: 'badData', why: error.message }
      : { is: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  ),
);
