import type { Clock } from './clock.ts';

/** A work queue by key, which never runs one key twice at once. */
export interface Agenda {
  readonly ask: (key: string) => void;
  /** Drops what is planned and waits for the running calls. */
  readonly stop: () => Promise<void>;
}

interface Entry {
  running: boolean;
  again: boolean;
  failures: number;
  cancel: () => void;
}

const nothing = () => {};
const longestWaitMs = 30_000;

/**
 * A work queue by key. `reconcile` re-reads everything and resolves to the time, in ms since the epoch, of its next call;
 * after a failure it is called again, later each time.
 */
export function createAgenda(
  clock: Clock,
  reconcile: (key: string) => Promise<number | null>,
  failed: (key: string, why: unknown, times: number) => void,
): Agenda {
  const entries = new Map<string, Entry>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  function ask(key: string) {
    if (stopped) return;
    const entry = entries.get(key) ?? { running: false, again: false, failures: 0, cancel: nothing };
    entries.set(key, entry);
    entry.cancel();
    entry.cancel = nothing;
    if (entry.running) entry.again = true;
    else start(key, entry);
  }

  function start(key: string, entry: Entry) {
    entry.running = true;
    const run = attempt(key, entry).then((next) => settle(key, entry, next));
    underWay.add(run);
    void run.finally(() => underWay.delete(run));
  }

  async function attempt(key: string, entry: Entry): Promise<number | null> {
    try {
      // Changes that arrive together are reconciled together.
      await Promise.resolve();
      entry.again = false;
      const next = await reconcile(key);
      entry.failures = 0;
      return next;
    } catch (why) {
      entry.failures += 1;
      failed(key, why, entry.failures);
      return clock.now() + Math.min(longestWaitMs, 500 * 2 ** entry.failures);
    }
  }

  function settle(key: string, entry: Entry, next: number | null) {
    entry.running = false;
    if (stopped) return;
    if (entry.again) start(key, entry);
    else if (next === null) entries.delete(key);
    else entry.cancel = clock.at(next, () => ask(key));
  }

  return {
    ask,
    async stop() {
      stopped = true;
      for (const { cancel } of entries.values()) cancel();
      entries.clear();
      await Promise.all(underWay);
    },
  };
}
