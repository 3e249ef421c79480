import { Worker } from 'node:worker_threads';
import type { WorkerRequest, Reply } from './bcryptWorker.ts';

/** bcrypt on a thread of its own: a single hash would block every other request for a third of a second. */
export interface Hasher {
  readonly hash: (password: string) => Promise<string>;
  readonly matches: (password: string, hash: string) => Promise<boolean>;
  /** A hash of an unknown password, which takes as long to compare with as any that is made here. */
  readonly unmatched: string;
  readonly stop: () => Promise<void>;
}

const usualCost = 12;
const saltAndHash = 'PT.BLDyioOgf8JbvACy8YeCdQwkNBUCgXBESIwgoYltw070mamPhi';
/** bcrypt ignores everything after these bytes (decision 110). */
const readsBytes = 72;

/** Whether bcrypt would read the whole of a password. */
export const isHashable = (password: string): boolean => Buffer.byteLength(password) <= readsBytes;

/** Whether a text has the format of a bcrypt hash. */
export const isHashText = (text: string): boolean => /^\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}$/.test(text);

/**
 * A hash that a password can be compared with: each step of cost doubles the work, and 14 takes a second and a half.
 */
export const isHash = (text: string): boolean => /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/.test(text);

/** In the bundle the worker is a file beside this one; from source its thread first has to load TypeScript support. */
function startWorker(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('bcryptWorker.js', import.meta.url));
  const source = JSON.stringify(new URL('bcryptWorker.ts', import.meta.url).href);
  const run = `import('tsx/esm/api').then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(run, { eval: true });
}

interface Waiting {
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

const stopped = 'the password worker was stopped';

/** The worker starts with the first password, and again if it ever dies. Each step of cost doubles the work of a hash. */
export function makeHasher(cost = usualCost): Hasher {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let nextId = 0;
  let isStopped = false;

  const fail = (error: Error) => {
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = () => {
    const started = startWorker();
    started.unref();
    started.on('message', (reply: Reply) => {
      const one = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('error' in reply) one?.reject(new Error(reply.error));
      else one?.resolve(reply.value);
    });
    started.on('error', fail);
    started.on('exit', () => {
      if (worker === started) fail(new Error('the password worker ended'));
    });
    worker = started;
    return started;
  };
  const ask = <T extends string | boolean>(question: Omit<WorkerRequest, 'id'>): Promise<T> => {
    if (isStopped) return Promise.reject(new Error(stopped));
    const id = ++nextId;
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      (worker ?? start()).postMessage({ ...question, id });
    });
  };

  return {
    hash: (password) => ask<string>({ is: 'hash', password, cost } as Omit<WorkerRequest, 'id'>),
    matches: (password, hash) => ask<boolean>({ is: 'compare', password, hash } as Omit<WorkerRequest, 'id'>),
    unmatched: `$2b$${String(cost).padStart(2, '0')}$${saltAndHash}`,
    stop: async () => {
      const running = worker;
      isStopped = true;
      fail(new Error(stopped));
      await running?.terminate();
    },
  };
}
