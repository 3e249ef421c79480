import { readFileSync, writeFileSync } from 'node:fs';
import { type Pod, keyOf } from '../shapes.ts';
import { programPrefix } from './cache.ts';
import { lineReader, logWriterTo, wholeLines } from './logFile.ts';
import type { Program } from './programs.ts';
import type { SeenContainer } from './seen.ts';
import { pathOf, prepared, wordsOf } from './starter.ts';
import type { Start } from './steps.ts';
import type { PodmanWorld } from './world.ts';

/** The containers that the node runs itself, in this process. What runs when the server dies is lost, as its status tells. */
export interface ProgramRuns {
  readonly start: (pod: Pod, start: Start, program: Program) => void;
  /** Ends a run; false where there is none of that id. */
  readonly stop: (id: string) => boolean;
  /** The end of a log, for a termination message. */
  readonly lastLines: (logFile: string) => string;
  readonly stopAll: () => Promise<void>;
}

interface Run {
  readonly gone: AbortController;
  readonly over: Promise<void>;
}

const killed = 137;
const fallbackLines = 80;
const fallbackBytes = 2_048;

export function createProgramRuns(world: PodmanWorld): ProgramRuns {
  const { cache, clock, log } = world;
  const runs = new Map<string, Run>();
  let stopping = false;

  function start(pod: Pod, asked: Start, program: Program) {
    const { uid } = pod.metadata;
    const { container, run, strikes } = asked;
    const id = `${programPrefix}${uid}/${container.name}/${run}`;
    if (runs.has(id)) return;
    const made = prepared(world, pod, asked);
    const writer = logWriterTo(made.logFile, clock.now);
    const gone = new AbortController();
    const startedAt = clock.now();
    const base = { id, name: container.name, run, strikes, oomKilled: false, imageId: container.image ?? '' };
    const rest = { error: '', pid: 0, stopSignal: '15', startedAt };
    const put = (seen: Pick<SeenContainer, 'state' | 'finishedAt' | 'exitCode'>) =>
      cache.put(uid, { ...base, ...rest, ...seen });
    put({ state: 'running', finishedAt: 0, exitCode: 0 });
    const perform = async () => {
      const exitCode = await program({
        pod,
        container,
        words: wordsOf(container, made.environment),
        environment: made.environment,
        pathOf: (path) => pathOf(world, pod, container, path),
        log: writer,
        leave: (message) => writeFileSync(made.messageFile, message),
        gone: gone.signal,
      }).catch((why: unknown) => {
        log('warn', 'a program of the node failed', { pod: keyOf(pod), container: container.name, why: String(why) });
        writer.write(`${why instanceof Error ? why.message : String(why)}\n`);
        return 1;
      });
      await new Promise<void>((done) => writer.end(() => done()));
      runs.delete(id);
      // A server that ends leaves the verdict to the next one.
      if (stopping) return;
      put({ state: 'exited', finishedAt: clock.now(), exitCode: gone.signal.aborted ? killed : exitCode });
      world.ask(keyOf(pod));
    };
    runs.set(id, { gone, over: perform() });
  }

  return {
    start,
    stop(id) {
      const run = runs.get(id);
      run?.gone.abort();
      return run !== undefined || id.startsWith(programPrefix);
    },
    lastLines,
    async stopAll() {
      stopping = true;
      const all = [...runs.values()];
      for (const { gone } of all) gone.abort();
      await Promise.all(all.map(({ over }) => over));
    },
  };
}

function lastLines(file: string): string {
  try {
    const lines = wholeLines(lineReader()(readFileSync(file))).slice(-fallbackLines);
    return Buffer.from(lines.map(({ text }) => text).join('\n'))
      .subarray(-fallbackBytes)
      .toString('utf8');
  } catch {
    return '';
  }
}
