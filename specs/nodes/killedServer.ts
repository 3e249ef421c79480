import { PassThrough } from 'node:stream';
import { createPodProcesses } from '../../runtime/embedded/nodes/podProcesses.ts';
import { handClock } from './handClock.ts';
import { memoryStore } from './memoryStore.ts';

/** A server of its own process, which runs the command it is given and tells what that writes. */
const clock = handClock();
const store = memoryStore(clock.now);
const containers = [{ name: 'web', image: 'web:1' }];
const pod = await store.create(
  { bucket: '/pods', namespace: 'shop', name: 'web' },
  { apiVersion: 'v1', kind: 'Pod', spec: { containers } },
);
const logs = { read: () => '', follow: () => ({ stop: () => {}, ended: Promise.resolve() }) };
const { exec } = createPodProcesses({ store, clock, logs, mode: 'local' });
const [stdout, stderr] = [new PassThrough(), new PassThrough()];
stdout.on('data', (chunk: Buffer) => process.send?.(chunk.toString()));
const gone = new AbortController().signal;
const stdio = { stdin: new PassThrough(), stdout, stderr, tty: false, size: () => null, onResize: () => {}, gone };
await exec(pod, 'web', { command: process.argv.slice(2), stdio });
