import { Effect } from 'effect';
import type { PlacedLine } from '../../rules/serviceLog/line.ts';
import type { Run } from '../context.ts';
import type { Copy } from './copies.ts';
import { followed } from './follow.ts';
import { makeLineBuffer, type LineBuffer } from './lineBuffer.ts';

/** A place in the log of one container: the lines so far, then each further one. */
export interface Joined {
  readonly begun: Promise<void>;
  /** The newest lines of what was read so far. */
  readonly lines: () => readonly PlacedLine[];
  readonly listen: LineBuffer['listen'];
  /** Whether the pod is gone and nothing more will come. */
  readonly isOver: () => boolean;
  readonly leave: () => void;
}

/** Follows each container once, however many readers there are. */
export interface LogHub {
  readonly join: (copy: Copy, restarts: () => number) => Joined;
  /** How many containers are followed. */
  readonly count: () => number;
  readonly stop: () => void;
}

interface Shared {
  readonly kept: LineBuffer;
  readonly begun: Promise<void>;
  readonly stop: () => void;
  isOver: boolean;
  readers: number;
}

/** Never fulfilled before the signal. */
const aborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const stopped = () => resume(Effect.void);
    if (signal.aborted) stopped();
    else signal.addEventListener('abort', stopped, { once: true });
  });

export function makeLogHub(run: Run): LogHub {
  const all = new Map<string, Shared>();

  const open = (copy: Copy, restarts: () => number): Shared => {
    const stopping = new AbortController();
    const kept = makeLineBuffer();
    let resolve = () => {};
    const started = new Promise<void>((done) => (resolve = done));
    const shared: Shared = { kept, begun: started, isOver: false, readers: 0, stop: () => stopping.abort() };
    const reading = Effect.raceFirst(followed({ copy, restarts, kept, begun: resolve }), aborted(stopping.signal));
    void run(reading).finally(() => {
      shared.isOver = true;
      resolve();
    });
    return shared;
  };

  return {
    join: (copy, restarts) => {
      const key = `${copy.uid} ${copy.container}`;
      const shared = all.get(key) ?? open(copy, restarts);
      all.set(key, shared);
      shared.readers += 1;
      let isIn = true;
      return {
        begun: shared.begun,
        lines: shared.kept.lines,
        listen: shared.kept.listen,
        isOver: () => shared.isOver,
        leave: () => {
          if (!isIn) return;
          isIn = false;
          shared.readers -= 1;
          if (shared.readers > 0) return;
          shared.stop();
          all.delete(key);
        },
      };
    },
    count: () => all.size,
    stop: () => {
      for (const { stop } of all.values()) stop();
    },
  };
}
