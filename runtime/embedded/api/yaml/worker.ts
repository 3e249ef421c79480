import { parentPort } from 'node:worker_threads';
import { type Job, doJob } from './job.ts';
import type { ReaderMessage } from './reader.ts';

const post = (message: ReaderMessage) => parentPort?.postMessage(message);

parentPort?.on('message', (job: Job) => post(doJob(job)));
post('ready');
