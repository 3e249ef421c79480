import { parentPort } from 'node:worker_threads';
import { compare, hash } from 'bcryptjs';

/** A request to the worker: hash a password, or compare a password with a hash. */
export type WorkerRequest =
  | { readonly id: number; readonly is: 'hash'; readonly password: string; readonly cost: number }
  | { readonly id: number; readonly is: 'compare'; readonly password: string; readonly hash: string };

export type Reply =
  { readonly id: number; readonly value: string | boolean } | { readonly id: number; readonly error: string };

const work = (asked: WorkerRequest): Promise<string | boolean> =>
  asked.is === 'hash' ? hash(asked.password, asked.cost) : compare(asked.password, asked.hash);

// One at a time: bcrypt yields between chunks, so two at once would only both finish later.
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (asked: WorkerRequest) => {
  last = last
    .then(() => work(asked))
    .then(
      (value): Reply => ({ id: asked.id, value }),
      (error: unknown): Reply => ({ id: asked.id, error: String(error) }),
    )
    .then((reply) => parentPort?.postMessage(reply));
});
