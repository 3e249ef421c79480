import { parentPort } from 'node:worker_threads';
import { compare, hash } from 'bcryptjs';

/** A request to the worker: hash a password, or compare a password with a hash. */
export type WorkerRequest =
  | { readonly id: number; readonly is: 'hash'; readonly password: string; readonly cost: number }
  | { readonly id: number; readonly is: 'compare'; readonly password: string; readonly hash: string };

export type Reply =
  { readonly id: number; readonly value: string | boolean } | { readonly id: number; readonly error: string };

const work = (request: WorkerRequest): Promise<string | boolean> =>
  request.is === 'hash' ? hash(request.password, request.cost) : compare(request.password, request.hash);

// One at a time: bcrypt yields between chunks, so two at once would only both finish later.
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (request: WorkerRequest) => {
  last = last
    .then(() => work(request))
    .then(
      (value): Reply => ({ id: request.id, value }),
      (error: unknown): Reply => ({ id: request.id, error: String(error) }),
    )
    .then((reply) => parentPort?.postMessage(reply));
});
