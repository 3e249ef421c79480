import { Clock, Effect } from 'effect';
import TinyQueue from 'tinyqueue';
import { monotonicMs } from '../services/monotonic.ts';
import type { Priority } from './priority.ts';
import { makeTimer } from './timer.ts';
import { makeWallClock } from './wallClock.ts';

/** Keys that are due later. */
export interface Delays {
  /** Sets when a key is due, replacing any earlier time. */
  readonly set: (key: string, ms: number) => Effect.Effect<void>;
  readonly forget: (key: string) => void;
  /** When a key is due, by the wall clock if it is not set (ms since the epoch). */
  readonly dueAt: (key: string) => number | undefined;
  /** Adds each key when it is due, forever. */
  readonly run: Effect.Effect<never>;
}

/** Setting the clock causes no event, so it is read this often while keys are delayed. */
const clockReadEveryMs = 60_000;

export function makeDelays(clock: Clock.Clock, add: (key: string, priority: Priority) => void): Delays {
  const wallClock = makeWallClock(clock);
  const timer = makeTimer();
  /** By the monotonic clock. */
  const due = new Map<string, number>();
  /** Every due time that was set; one that `due` no longer holds is stale and skipped. */
  const times = new TinyQueue<{ readonly key: string; readonly at: number }>([], (a, b) => a.at - b.at);

  const requeueIfClockWasSet = () => {
    if (!wallClock.wasSet()) return;
    for (const key of due.keys()) add(key, 'low');
  };

  return {
    set: Effect.fnUntraced(function* (key, ms) {
      const at = (yield* monotonicMs) + ms;
      due.set(key, at);
      times.push({ key, at });
      timer.wakeBy(at);
    }),
    forget: (key) => void due.delete(key),
    dueAt: (key) => {
      const at = due.get(key);
      return at === undefined ? undefined : Math.round(at + wallClock.ahead());
    },
    run: Effect.gen(function* () {
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
        // Sleeps until the next one, or until an earlier one is set.
        yield* timer.sleep(now, next ? Math.min(next.at, now + clockReadEveryMs) : Number.POSITIVE_INFINITY);
      }
    }),
  };
}
