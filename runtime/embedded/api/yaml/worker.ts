import { parentPort } from 'node:worker_threads';
import { readYaml } from './read.ts';
import type { Told } from './reader.ts';

const tell = (told: Told) => parentPort?.postMessage(told);

parentPort?.on('message', (text: string) => tell(readYaml(text)));
tell('ready');
