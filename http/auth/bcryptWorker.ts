import { parentPort } from 'node:worker_threads';
import { compare, hash } from 'bcryptjs';

/** What is asked of the worker: a hash of a password, or whether a password is that of a hash. */
export type Asked =
  | { readonly id: number; readonly is: 'hash'; readonly password: string; readonly cost: number }
  | { readonly id: number; readonly is: 'compare'; readonly password: string; readonly hash: string };

export type Told =
  { readonly id: number; readonly value: string | boolean } | { readonly id: number; readonly error: string };

const work = (asked: Asked): Promise<string | boolean> =>
  asked.is === 'hash' ? hash(asked.password, asked.cost) : compare(asked.password, asked.hash);

// One at a time: bcrypt gives way between chunks, and two at once would only both be late.
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (asked: Asked) => {
  last = last
    .then(() => work(asked))
    .then(
      (value): Told => ({ id: asked.id, value }),
      (error: unknown): Told => ({ id: asked.id, error: String(error) }),
    )
    .then((told) => parentPort?.postMessage(told));
});
