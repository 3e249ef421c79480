import { Worker } from 'node:worker_threads';
import { createTurns } from '../../turns.ts';
import { StatusError, internal } from '../status.ts';
import { type Job, type Outcome, doJob } from './job.ts';
import type { YamlReading } from './read.ts';

/** Reads and writes YAML, long texts on a thread of its own: they take a hundred times as long as JSON. */
export interface YamlReader {
  readonly read: (text: string, caller: string) => Promise<YamlReading>;
  /** A JSON text as YAML; null where that nests too deep or would take too long. */
  readonly write: (json: string, caller: string) => Promise<string | null>;
  readonly stop: () => Promise<void>;
}

export interface YamlLimits {
  /** Longer texts are left to the thread. */
  readonly shortest: number;
  /** No text keeps those of others waiting for longer. */
  readonly deadlineMs: number;
  /** Of each caller. */
  readonly mostWaiting: number;
  readonly mostMemoryMb: number;
}

/** The limits of every reader outside the specs. */
export const usualYamlLimits: YamlLimits = {
  shortest: 4 * 1_024,
  deadlineMs: 2_500,
  mostWaiting: 4,
  mostMemoryMb: 512,
};

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

/**
 * The thread starts with the first long text, does one at a time, and is replaced when it dies or takes too long. Callers
 * take turns.
 */
export function createYamlReader(limits: YamlLimits = usualYamlLimits): YamlReader {
  const turns = createTurns<Waiting>(limits.mostWaiting);
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
    if (current) return;
    current = turns.next() ?? null;
    if (current === null) return;
    worker ??= start();
    worker.postMessage(current.job);
    if (isReady) arm();
  }

  /** The time that the thread takes to start is nobody's fault. */
  function arm() {
    deadline = setTimeout(() => giveUp('it takes too long to read'), limits.deadlineMs);
  }

  function outcomeOf(job: Job, caller: string): Promise<Outcome> {
    if (job.text.length <= limits.shortest) return Promise.resolve(doJob(job));
    return new Promise((done, failed) => {
      if (turns.add(caller, { job, done })) next();
      else failed(tooMany());
    });
  }

  return {
    async read(text, caller) {
      const outcome = await outcomeOf({ does: 'read', text }, caller);
      if ('yaml' in outcome) throw internal('a text was written that was to be read');
      return outcome;
    },
    async write(text, caller) {
      const outcome = await outcomeOf({ does: 'write', text }, caller);
      return 'yaml' in outcome ? outcome.yaml : null;
    },
    async stop() {
      const running = worker;
      worker = null;
      clearTimeout(deadline);
      for (let one = current ?? turns.next(); one; one = turns.next()) one.done({ why: 'the server stops' });
      current = null;
      await running?.terminate();
    },
  };
}

const tooMany = () =>
  new StatusError(429, 'TooManyRequests', 'too many long YAML texts of yours wait, please try again later', {
    retryAfterSeconds: 1,
  });
