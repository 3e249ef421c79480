import { Clock, Effect, Latch, type Scope } from 'effect';
import TinyQueue from 'tinyqueue';

/** Fresh changes go before resync; so that resync is never starved, every eighth key is taken from it. */
export type Lane = 'fresh' | 'resync';
const resyncEvery = 8;

const firstBackoffMs = 5;
const mostBackoffMs = 60_000;

/** A work queue of keys: each key waits at most once, is worked on by one at a time, and may be due later. */
export interface WorkQueue {
  readonly add: (key: string, lane: Lane) => void;
  /** Looks at a key again in so many ms, in place of any later time it was due. */
  readonly addIn: (key: string, ms: number) => Effect.Effect<void>;
  /** As `addIn`, after a failure: 5 ms, doubling to one minute. */
  readonly backOff: (key: string) => Effect.Effect<void>;
  /** The pass of a key went through: the next failure backs off from the start. */
  readonly forgive: (key: string) => void;
  readonly failures: (key: string) => number;
  /** When a key is due by itself (ms since the epoch). */
  readonly dueAt: (key: string) => number | undefined;
  /** Forgets a key that is gone. */
  readonly drop: (key: string) => void;
  /** Waits for the next key. Its `finish` lets the key be taken again, at once if it was added meanwhile. */
  readonly take: Effect.Effect<{ readonly key: string; readonly finish: () => void }>;
  readonly depth: () => number;
}

export const makeQueue: Effect.Effect<WorkQueue, never, Scope.Scope> = Effect.gen(function* () {
  const lanes: Record<Lane, Set<string>> = { fresh: new Set(), resync: new Set() };
  const working = new Set<string>();
  const again = new Map<string, Lane>();
  const due = new Map<string, number>();
  /** Every time that was ever set; one that `due` no longer says is stale and skipped. */
  const times = new TinyQueue<{ readonly key: string; readonly at: number }>([], (a, b) => a.at - b.at);
  let sleepsUntil = 0;
  const failures = new Map<string, number>();
  const ready = Latch.makeUnsafe(false);
  const rescheduled = Latch.makeUnsafe(false);
  let taken = 0;

  const add = (key: string, lane: Lane) => {
    if (working.has(key)) {
      if (again.get(key) !== 'fresh') again.set(key, lane);
      return;
    }
    if (lane === 'fresh') lanes.resync.delete(key);
    if (lane === 'resync' && lanes.fresh.has(key)) return;
    lanes[lane].add(key);
    ready.openUnsafe();
  };

  const pick = (): string | undefined => {
    const order = ++taken % resyncEvery === 0 ? [lanes.resync, lanes.fresh] : [lanes.fresh, lanes.resync];
    for (const lane of order)
      for (const key of lane) {
        lane.delete(key);
        return key;
      }
    return undefined;
  };

  const take = Effect.gen(function* () {
    for (;;) {
      // Passes over nothing new make no call: many would go by before what came in meanwhile is heard.
      if (lanes.fresh.size === 0 && lanes.resync.size > 0) yield* Effect.yieldNow;
      const key = pick();
      if (key === undefined) {
        ready.closeUnsafe();
        yield* ready.await;
        continue;
      }
      working.add(key);
      due.delete(key);
      const finish = () => {
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
    const at = (yield* Clock.currentTimeMillis) + ms;
    due.set(key, at);
    times.push({ key, at });
    if (at < sleepsUntil) rescheduled.openUnsafe();
  });

  const backOff = Effect.fnUntraced(function* (key: string) {
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    yield* addIn(key, Math.min(mostBackoffMs, firstBackoffMs * 2 ** (count - 1)));
  });

  const drop = (key: string) => {
    due.delete(key);
    failures.delete(key);
    lanes.fresh.delete(key);
    lanes.resync.delete(key);
    again.delete(key);
  };

  /** Moves keys whose time has come into the fresh lane; sleeps until the next one, or until an earlier one is set. */
  const timekeeper = Effect.gen(function* () {
    for (;;) {
      const now = yield* Clock.currentTimeMillis;
      for (let first = times.peek(); first !== undefined && first.at <= now; first = times.peek()) {
        times.pop();
        if (due.get(first.key) !== first.at) continue;
        due.delete(first.key);
        add(first.key, 'fresh');
      }
      sleepsUntil = times.peek()?.at ?? Number.POSITIVE_INFINITY;
      rescheduled.closeUnsafe();
      yield* sleepsUntil === Number.POSITIVE_INFINITY
        ? rescheduled.await
        : Effect.raceFirst(Effect.sleep(sleepsUntil - now), rescheduled.await);
    }
  });
  yield* Effect.forkScoped(timekeeper);

  return {
    add,
    addIn,
    backOff,
    forgive: (key) => void failures.delete(key),
    failures: (key) => failures.get(key) ?? 0,
    dueAt: (key) => due.get(key),
    drop,
    take,
    depth: () => lanes.fresh.size + lanes.resync.size,
  };
});
