import { Clock, Effect, Latch, type Scope, Semaphore } from 'effect';
import TinyQueue from 'tinyqueue';
import { monotonicMs, monotonicMsOf } from '../services/monotonic.ts';
import { pauseAfter } from '../services/pause.ts';
import { makeTimer } from './timer.ts';
import { makeWaiters } from './waiters.ts';
import { makeWallClock } from './wallClock.ts';

/** Changes are queued with high priority, resync with low; every eighth key is a low one, so that none starves. */
export type Priority = 'high' | 'low';
const lowEvery = 8;

/**
 * For this long after a key of high priority was taken, those of low priority pause between two passes: a change takes
 * several passes, with calls.
 */
const besideHighMs = 100;
/** The pause is so many times as long as the last pass of low priority took, which leaves the time in between to changes. */
const pauseTimes = 3;
const minPauseMs = 1;
/** A pass that makes calls leaves the processor to others by itself. */
const maxPauseMs = 10;

const growing = { firstMs: 5, maxMs: 60_000 };

/** Setting the clock causes no event, so it is read this often while something waits. */
const clockReadEveryMs = 60_000;

/**
 * A work queue of keys: each key waits at most once, is processed by one worker at a time, and may be due later.
 * Waiting does not depend on the wall clock. What is waited for may: when that clock was set, forward or back, every
 * waiting key is processed within a minute, and what is due then is decided anew.
 */
export interface WorkQueue {
  readonly add: (key: string, priority: Priority) => void;
  /** Requeues a key after this many ms, in place of any other time it was due. */
  readonly addIn: (key: string, ms: number) => Effect.Effect<void>;
  /** As `addIn`, after a pass without a result: 5 ms, doubling to one minute; longer where `atLeastMs` says so. */
  readonly backOff: (key: string, atLeastMs?: number) => Effect.Effect<void>;
  /** Resets the backoff of a key, after a pass with a result. */
  readonly forget: (key: string) => void;
  /** When a key is due by itself, as the wall clock will show it if nobody sets it (ms since the epoch). */
  readonly dueAt: (key: string) => number | undefined;
  /** Waits for the next key. Its `finish` lets the key be taken again, at once if it was added meanwhile. */
  readonly take: Effect.Effect<{ readonly key: string; readonly finish: () => void }>;
  readonly depth: () => number;
}

/** Notes that a key was added while it is worked on; where it is added to both queued, fresh wins. */
export function addAgain(again: Map<string, Priority>, key: string, priority: Priority): void {
  if (again.get(key) !== 'high') again.set(key, priority);
}

export const makeQueue: Effect.Effect<WorkQueue, never, Scope.Scope> = Effect.gen(function* () {
  const queued: Record<Priority, Set<string>> = { high: new Set(), low: new Set() };
  const working = new Set<string>();
  const again = new Map<string, Priority>();
  const clock = yield* Clock.Clock;
  const wallClock = makeWallClock(clock);
  /** By the monotonic clock. */
  const due = new Map<string, number>();
  /** Every due time that was ever set; one that `due` no longer holds is stale and skipped. */
  const times = new TinyQueue<{ readonly key: string; readonly at: number }>([], (a, b) => a.at - b.at);
  const failures = new Map<string, number>();
  const workers = makeWaiters();
  const timer = makeTimer();
  const highCame = Latch.makeUnsafe(false);
  let highTakenAt = Number.NEGATIVE_INFINITY;
  let lowTookMs = 0;
  let taken = 0;

  const add = (key: string, priority: Priority) => {
    if (working.has(key)) return addAgain(again, key, priority);
    if (priority === 'high') queued.low.delete(key);
    if (priority === 'low' && queued.high.has(key)) return;
    queued[priority].add(key);
    workers.releaseOne();
    if (priority === 'high') highCame.openUnsafe();
  };

  const pick = (): { readonly key: string; readonly priority: Set<string> } | undefined => {
    const order = ++taken % lowEvery === 0 ? [queued.low, queued.high] : [queued.high, queued.low];
    for (const priority of order)
      for (const key of priority) {
        priority.delete(key);
        if (priority === queued.high) highTakenAt = monotonicMsOf(clock);
        return { key, priority };
      }
    return undefined;
  };

  const pause = Effect.suspend(() => {
    highCame.closeUnsafe();
    const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, pauseTimes * lowTookMs));
    return Effect.raceFirst(Effect.sleep(pauseMs), highCame.await);
  });

  /** Passes that find nothing new make no call, so that between two of them incoming events must get their turn. */
  const turn = Semaphore.makeUnsafe(1).withPermit(
    Effect.suspend(() => (monotonicMsOf(clock) - highTakenAt < besideHighMs ? pause : Effect.yieldNow)),
  );

  const take = Effect.gen(function* () {
    for (;;) {
      if (queued.high.size === 0 && queued.low.size > 0) yield* turn;
      const picked = pick();
      if (picked === undefined) {
        yield* workers.wait;
        continue;
      }
      const { key } = picked;
      const takenAt = monotonicMsOf(clock);
      working.add(key);
      due.delete(key);
      const finish = () => {
        if (picked.priority === queued.low) lowTookMs = monotonicMsOf(clock) - takenAt;
        working.delete(key);
        const priority = again.get(key);
        again.delete(key);
        if (priority !== undefined) add(key, priority);
      };
      return { key, finish };
    }
  });

  const addIn = Effect.fnUntraced(function* (key: string, ms: number) {
    if (ms <= 0) return add(key, 'high');
    const at = (yield* monotonicMs) + ms;
    due.set(key, at);
    times.push({ key, at });
    timer.wakeBy(at);
  });

  const backOff = Effect.fnUntraced(function* (key: string, atLeastMs = 0) {
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    yield* addIn(key, Math.max(atLeastMs, pauseAfter(count, growing)));
  });

  const requeueIfClockWasSet = () => {
    if (!wallClock.wasSet()) return;
    for (const key of due.keys()) add(key, 'low');
  };

  /** Moves keys that are due into the fresh priority; sleeps until the next one, or until an earlier one is set. */
  const timekeeper = Effect.gen(function* () {
    for (;;) {
      const now = yield* monotonicMs;
      requeueIfClockWasSet();
      for (let first = times.peek(); first !== undefined && first.at <= now; first = times.peek()) {
        times.pop();
        if (due.get(first.key) !== first.at) continue;
        due.delete(first.key);
        add(first.key, 'high');
      }
      const next = times.peek();
      yield* timer.sleep(now, next ? Math.min(next.at, now + clockReadEveryMs) : Number.POSITIVE_INFINITY);
    }
  });
  yield* Effect.forkScoped(timekeeper);

  return {
    add,
    addIn,
    backOff,
    forget: (key) => void failures.delete(key),
    dueAt: (key) => {
      const at = due.get(key);
      return at === undefined ? undefined : Math.round(at + wallClock.ahead());
    },
    take,
    depth: () => queued.high.size + queued.low.size,
  };
});
