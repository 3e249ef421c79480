import { parentPort } from 'node:worker_threads';
import { type Job, doJob } from './job.ts';
import type { Told } from './reader.ts';

const tell = (told: Told) => parentPort?.postMessage(told);

parentPort?.on('message', (job: Job) => tell(doJob(job)));
tell('ready');
