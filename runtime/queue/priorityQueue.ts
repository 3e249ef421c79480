import { Clock, Effect, Latch, type Scope, Semaphore } from 'effect';
import TinyQueue from 'tinyqueue';
import { monotonicMs, monotonicMsOf } from '../services/monotonic.ts';
import { pauseAfter } from '../services/pause.ts';
import { makeAlarm } from './alarm.ts';
import { makeTurnstile } from './turnstile.ts';
import { makeWallClock } from './wallClock.ts';

/** Fresh changes go before resync; every eighth key is taken from resync, so that it never starves. */
export type Lane = 'fresh' | 'resync';
const resyncEvery = 8;

/**
 * For this long after a fresh key was taken, resync rests between two passes: a fresh change takes several passes, with
 * calls.
 */
const besideFreshMs = 100;
/** The rest is so many times as long as the last pass of resync took, so that what fresh changes need is left to them. */
const restTimes = 3;
const restAtLeastMs = 1;
/** A pass that makes calls leaves the processor to others by itself. */
const restAtMostMs = 10;

const growing = { firstMs: 5, maxMs: 60_000 };

/** Setting the clock causes no event, so it is read this often while something waits. */
const clockReadEveryMs = 60_000;

/**
 * A work queue of keys: each key waits at most once, is processed by one worker at a time, and may be due later.
 * Waiting does not depend on the wall clock. What is waited for may: when that clock was set, forward or back, every
 * waiting key is processed within a minute, and what is due then is decided anew.
 */
export interface WorkQueue {
  readonly add: (key: string, lane: Lane) => void;
  /** Requeues a key after this many ms, in place of any other time it was due. */
  readonly addIn: (key: string, ms: number) => Effect.Effect<void>;
  /** As `addIn`, after a pass without a result: 5 ms, doubling to one minute; longer where `atLeastMs` says so. */
  readonly backOff: (key: string, atLeastMs?: number) => Effect.Effect<void>;
  /** Resets the backoff of a key, after a pass with a result. */
  readonly forgive: (key: string) => void;
  /** When a key is due by itself, as the wall clock will show it if nobody sets it (ms since the epoch). */
  readonly dueAt: (key: string) => number | undefined;
  /** Waits for the next key. Its `finish` lets the key be taken again, at once if it was added meanwhile. */
  readonly take: Effect.Effect<{ readonly key: string; readonly finish: () => void }>;
  readonly depth: () => number;
}

/** Notes that a key was added while it is worked on; where it is added to both lanes, fresh wins. */
export function addAgain(again: Map<string, Lane>, key: string, lane: Lane): void {
  if (again.get(key) !== 'fresh') again.set(key, lane);
}

export const makeQueue: Effect.Effect<WorkQueue, never, Scope.Scope> = Effect.gen(function* () {
  const lanes: Record<Lane, Set<string>> = { fresh: new Set(), resync: new Set() };
  const working = new Set<string>();
  const again = new Map<string, Lane>();
  const clock = yield* Clock.Clock;
  const wallClock = makeWallClock(clock);
  /** By the monotonic clock. */
  const due = new Map<string, number>();
  /** Every due time that was ever set; one that `due` no longer holds is stale and skipped. */
  const times = new TinyQueue<{ readonly key: string; readonly at: number }>([], (a, b) => a.at - b.at);
  const fruitless = new Map<string, number>();
  const workers = makeTurnstile();
  const alarm = makeAlarm();
  const freshCame = Latch.makeUnsafe(false);
  let freshTakenAt = Number.NEGATIVE_INFINITY;
  let resyncTookMs = 0;
  let taken = 0;

  const add = (key: string, lane: Lane) => {
    if (working.has(key)) return addAgain(again, key, lane);
    if (lane === 'fresh') lanes.resync.delete(key);
    if (lane === 'resync' && lanes.fresh.has(key)) return;
    lanes[lane].add(key);
    workers.letOne();
    if (lane === 'fresh') freshCame.openUnsafe();
  };

  const pick = (): { readonly key: string; readonly lane: Set<string> } | undefined => {
    const order = ++taken % resyncEvery === 0 ? [lanes.resync, lanes.fresh] : [lanes.fresh, lanes.resync];
    for (const lane of order)
      for (const key of lane) {
        lane.delete(key);
        if (lane === lanes.fresh) freshTakenAt = monotonicMsOf(clock);
        return { key, lane };
      }
    return undefined;
  };

  const rest = Effect.suspend(() => {
    freshCame.closeUnsafe();
    const restMs = Math.min(restAtMostMs, Math.max(restAtLeastMs, restTimes * resyncTookMs));
    return Effect.raceFirst(Effect.sleep(restMs), freshCame.await);
  });

  /** Passes that find nothing new make no call, so that between two of them incoming events must get their turn. */
  const turn = Semaphore.makeUnsafe(1).withPermit(
    Effect.suspend(() => (monotonicMsOf(clock) - freshTakenAt < besideFreshMs ? rest : Effect.yieldNow)),
  );

  const take = Effect.gen(function* () {
    for (;;) {
      if (lanes.fresh.size === 0 && lanes.resync.size > 0) yield* turn;
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
        if (picked.lane === lanes.resync) resyncTookMs = monotonicMsOf(clock) - takenAt;
        working.delete(key);
        const lane = again.get(key);
        again.delete(key);
        if (lane !== undefined) add(key, lane);
      };
      return { key, finish };
    }
  });

  const addIn = Effect.fnUntraced(function* (key: string, ms: number) {
    if (ms <= 0) return add(key, 'fresh');
    const at = (yield* monotonicMs) + ms;
    due.set(key, at);
    times.push({ key, at });
    alarm.wakeBy(at);
  });

  const backOff = Effect.fnUntraced(function* (key: string, atLeastMs = 0) {
    const count = (fruitless.get(key) ?? 0) + 1;
    fruitless.set(key, count);
    yield* addIn(key, Math.max(atLeastMs, pauseAfter(count, growing)));
  });

  const requeueIfClockWasSet = () => {
    if (!wallClock.wasSet()) return;
    for (const key of due.keys()) add(key, 'resync');
  };

  /** Moves keys that are due into the fresh lane; sleeps until the next one, or until an earlier one is set. */
  const timekeeper = Effect.gen(function* () {
    for (;;) {
      const now = yield* monotonicMs;
      requeueIfClockWasSet();
      for (let first = times.peek(); first !== undefined && first.at <= now; first = times.peek()) {
        times.pop();
        if (due.get(first.key) !== first.at) continue;
        due.delete(first.key);
        add(first.key, 'fresh');
      }
      const next = times.peek();
      yield* alarm.sleep(now, next ? Math.min(next.at, now + clockReadEveryMs) : Number.POSITIVE_INFINITY);
    }
  });
  yield* Effect.forkScoped(timekeeper);

  return {
    add,
    addIn,
    backOff,
    forgive: (key) => void fruitless.delete(key),
    dueAt: (key) => {
      const at = due.get(key);
      return at === undefined ? undefined : Math.round(at + wallClock.ahead());
    },
    take,
    depth: () => lanes.fresh.size + lanes.resync.size,
  };
});
