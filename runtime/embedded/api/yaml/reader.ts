import { Worker } from 'node:worker_threads';
import { StatusError, internal } from '../status.ts';
import { type Job, type Outcome, doJob } from './job.ts';
import type { YamlReading } from './read.ts';

/** Reads and writes YAML, long texts on a thread of its own: they take a hundred times as long as JSON. */
export interface YamlReader {
  readonly read: (text: string) => Promise<YamlReading>;
  /** A JSON text as YAML; null where that nests too deep or would take too long. */
  readonly write: (json: string) => Promise<string | null>;
  readonly stop: () => Promise<void>;
}

export interface YamlLimits {
  /** Longer texts are left to the thread. */
  readonly shortest: number;
  readonly deadlineMs: number;
  readonly mostWaiting: number;
  readonly mostMemoryMb: number;
}

const usual: YamlLimits = { shortest: 4 * 1_024, deadlineMs: 5_000, mostWaiting: 64, mostMemoryMb: 512 };

/** Bundled, the worker is a file beside this one; from source it has to be taught TypeScript first. */
function startWorker(mostMemoryMb: number): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: mostMemoryMb };
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('yamlWorker.js', import.meta.url), { resourceLimits });
  const source = JSON.stringify(new URL('worker.ts', import.meta.url).href);
  const run = `import('tsx/esm/api').then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(run, { eval: true, resourceLimits });
}

/** What the thread says: that it began, then what each job came to. */
export type ReaderMessage = Outcome | 'ready';

interface Waiting {
  readonly job: Job;
  readonly done: (outcome: Outcome) => void;
}

/** The thread starts with the first long text, reads one at a time, and is replaced when it dies or takes too long. */
export function createYamlReader(limits: YamlLimits = usual): YamlReader {
  const waiting: Waiting[] = [];
  let worker: Worker | null = null;
  let isReady = false;
  let current: Waiting | null = null;
  let deadline: NodeJS.Timeout | undefined;

  function settle(outcome: Outcome) {
    clearTimeout(deadline);
    current?.done(outcome);
    current = null;
    next();
  }

  function giveUp(why: string) {
    const lost = worker;
    worker = null;
    void lost?.terminate();
    settle({ why });
  }

  function start(): Worker {
    const started = startWorker(limits.mostMemoryMb);
    isReady = false;
    started.unref();
    const isCurrent = () => worker === started;
    started.on('message', (message: ReaderMessage) => {
      if (!isCurrent()) return;
      if (message !== 'ready') return settle(message);
      isReady = true;
      arm();
    });
    started.on('error', () => isCurrent() && giveUp('it takes too much memory to read'));
    started.on('exit', () => isCurrent() && giveUp('it takes too much memory to read'));
    return started;
  }

  function next() {
    if (current || waiting.length === 0) return;
    current = waiting.shift() ?? null;
    worker ??= start();
    worker.postMessage(current?.job);
    if (isReady) arm();
  }

  /** The time that the thread takes to start is nobody's fault. */
  function arm() {
    deadline = setTimeout(() => giveUp('it takes too long to read'), limits.deadlineMs);
  }

  const isFull = () => waiting.length >= limits.mostWaiting;

  function outcomeOf(job: Job): Promise<Outcome> {
    if (job.text.length <= limits.shortest) return Promise.resolve(doJob(job));
    if (job.does === 'read' && isFull()) return Promise.reject(tooMany());
    if (isFull()) return Promise.resolve({ why: 'too many wait' });
    return new Promise((done) => {
      waiting.push({ job, done });
      next();
    });
  }

  return {
    async read(text) {
      const outcome = await outcomeOf({ does: 'read', text });
      if ('yaml' in outcome) throw internal('a text was written that was to be read');
      return outcome;
    },
    async write(text) {
      const outcome = await outcomeOf({ does: 'write', text });
      return 'yaml' in outcome ? outcome.yaml : null;
    },
    async stop() {
      const running = worker;
      worker = null;
      clearTimeout(deadline);
      for (const { done } of [...(current ? [current] : []), ...waiting.splice(0)]) done({ why: 'the server stops' });
      current = null;
      await running?.terminate();
    },
  };
}

const tooMany = () =>
  new StatusError(429, 'TooManyRequests', 'too many YAML bodies wait to be read, please try again later', {
    retryAfterSeconds: 1,
  });
