import { Clock, Effect, type Scope } from 'effect';
import { monotonicMsOf } from '../services/monotonic.ts';
import { pauseAfter } from '../services/pause.ts';
import { makeDelays } from './delays.ts';
import { makeLowPace } from './lowPace.ts';
import type { Priority } from './priority.ts';
import { makeWaiters } from './waiters.ts';

/** Every eighth key is of low priority, so that none starves. */
const lowEvery = 8;

const growing = { firstMs: 5, maxMs: 60_000 };

/**
 * A work queue of keys: each key is queued at most once, processed by one worker at a time, and may be delayed. Delays
 * use the monotonic clock; when the wall clock is set, every delayed key is processed within a minute, because its
 * decision may depend on it.
 */
export interface WorkQueue {
  readonly add: (key: string, priority: Priority) => void;
  /** Requeues a key after this many ms, replacing any earlier due time. */
  readonly addIn: (key: string, ms: number) => Effect.Effect<void>;
  /** As `addIn`, after a pass without progress: 5 ms, doubling to one minute; at least `atLeastMs`. */
  readonly backOff: (key: string, atLeastMs?: number) => Effect.Effect<void>;
  /** Resets the backoff of a key, after a pass with progress. */
  readonly forget: (key: string) => void;
  /** When a delayed key is due, by the wall clock if it is not set (ms since the epoch). */
  readonly dueAt: (key: string) => number | undefined;
  /** Waits for the next key. `finish` allows the key to be taken again, at once if it was added meanwhile. */
  readonly take: Effect.Effect<{ readonly key: string; readonly finish: () => void }>;
  readonly depth: () => number;
}

/** Notes that a key was added during its processing; high wins over low. */
export function addAgain(again: Map<string, Priority>, key: string, priority: Priority): void {
  if (again.get(key) !== 'high') again.set(key, priority);
}

export const makeQueue: Effect.Effect<WorkQueue, never, Scope.Scope> = Effect.gen(function* () {
  const queued: Record<Priority, Set<string>> = { high: new Set(), low: new Set() };
  const working = new Set<string>();
  const again = new Map<string, Priority>();
  const clock = yield* Clock.Clock;
  const delays = makeDelays(clock, add);
  const pace = makeLowPace(clock);
  const failures = new Map<string, number>();
  const workers = makeWaiters();
  let taken = 0;

  function add(key: string, priority: Priority) {
    if (working.has(key)) return addAgain(again, key, priority);
    if (priority === 'high') queued.low.delete(key);
    if (priority === 'low' && queued.high.has(key)) return;
    queued[priority].add(key);
    workers.releaseOne();
    if (priority === 'high') pace.highCame();
  }

  const pick = (): { readonly key: string; readonly priority: Priority } | undefined => {
    const order: readonly Priority[] = ++taken % lowEvery === 0 ? ['low', 'high'] : ['high', 'low'];
    for (const priority of order)
      for (const key of queued[priority]) {
        queued[priority].delete(key);
        if (priority === 'high') pace.highTaken();
        return { key, priority };
      }
    return undefined;
  };

  const take = Effect.gen(function* () {
    for (;;) {
      if (queued.high.size === 0 && queued.low.size > 0) yield* pace.turn;
      const picked = pick();
      if (picked === undefined) {
        yield* workers.wait;
        continue;
      }
      const { key } = picked;
      const takenAt = monotonicMsOf(clock);
      working.add(key);
      delays.forget(key);
      const finish = () => {
        if (picked.priority === 'low') pace.lowTook(monotonicMsOf(clock) - takenAt);
        working.delete(key);
        const priority = again.get(key);
        again.delete(key);
        if (priority !== undefined) add(key, priority);
      };
      return { key, finish };
    }
  });

  const addIn = (key: string, ms: number) =>
    Effect.suspend(() => (ms <= 0 ? Effect.sync(() => add(key, 'high')) : delays.set(key, ms)));

  const backOff = (key: string, atLeastMs = 0) =>
    Effect.suspend(() => {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      return addIn(key, Math.max(atLeastMs, pauseAfter(count, growing)));
    });

  yield* Effect.forkScoped(delays.run);

  return {
    add,
    addIn,
    backOff,
    forget: (key) => void failures.delete(key),
    dueAt: delays.dueAt,
    take,
    depth: () => queued.high.size + queued.low.size,
  };
});
