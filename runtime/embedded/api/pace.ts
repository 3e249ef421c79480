import type { IncomingMessage } from 'node:http';

/** Lets one step of long work run in each turn of the event loop, so that short requests are answered in between. */
export interface Pace {
  /** Resolves when the next step of a request may run; at once where its body is short. */
  readonly next: (request: Pick<IncomingMessage, 'headers'>) => Promise<void>;
}

/** Shorter bodies are worked on without a pause. */
const shortest = 64 * 1_024;

/** A body that comes in chunks may be of any length. */
export const isLong = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= shortest;

export function createPace(): Pace {
  const waiting: (() => void)[] = [];

  function runOne() {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(runOne);
  }

  return {
    next(request) {
      if (!isLong(request)) return Promise.resolve();
      return new Promise((go) => {
        if (waiting.push(go) === 1) setImmediate(runOne);
      });
    },
  };
}
