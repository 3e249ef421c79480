import { Clock, Context, Duration, Effect, References, Scheduler } from 'effect';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that stands still until it is moved on, and fibers that run only when they are let. */
export interface VirtualTime {
  readonly now: () => number;
  /** The services with this time, and without a word in the log. */
  readonly over: <S>(services: Context.Context<S>) => Context.Context<S>;
  /** Runs whatever can run without time moving on. */
  readonly settle: () => Promise<void>;
  /** When the next sleeper wakes, or undefined. */
  readonly next: () => number | undefined;
  /** Moves time on and wakes those whose time has come. */
  readonly moveTo: (at: number) => Promise<void>;
  /** Waits for a promise whose work needs this time's fibers; time itself does not move on. */
  readonly wait: <A>(promise: Promise<A>) => Promise<A>;
}

const macrotask = () => new Promise<void>((go) => setImmediate(go));

export function virtualTime(start = Date.UTC(2027, 0, 1)): VirtualTime {
  let now = start;
  let ready: (() => void)[] = [];
  const sleepers = new Set<Sleeper>();
  const nanos = () => BigInt(now) * 1_000_000n;

  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => {
      const ms = Duration.toMillis(duration);
      if (ms <= 0) return Effect.yieldNow;
      return Effect.callback<void>((resume) => {
        const sleeper = { at: now + ms, wake: () => resume(Effect.void) };
        sleepers.add(sleeper);
        return Effect.sync(() => sleepers.delete(sleeper));
      });
    },
  };
  const scheduler = new Scheduler.MixedScheduler('async', (task) => {
    ready.push(task);
    return () => {
      ready = ready.filter((other) => other !== task);
    };
  });

  const runReady = () => {
    while (ready.length > 0) ready.shift()?.();
  };
  /** Promises of effects end a microtask later, and ends of fibers on the ordinary scheduler a macrotask later. */
  const settle = async () => {
    do {
      runReady();
      await macrotask();
    } while (ready.length > 0);
  };

  return {
    now: () => now,
    over: (services) =>
      services.pipe(
        Context.add(Clock.Clock, clock),
        Context.add(Scheduler.Scheduler, scheduler),
        Context.add(References.MinimumLogLevel, 'None'),
      ),
    settle,
    next: () => (sleepers.size === 0 ? undefined : Math.min(...[...sleepers].map(({ at }) => at))),
    moveTo: async (at) => {
      now = Math.max(now, at);
      for (const sleeper of [...sleepers].toSorted((a, b) => a.at - b.at))
        if (sleeper.at <= now && sleepers.delete(sleeper)) sleeper.wake();
      await settle();
    },
    wait: async (promise) => {
      let over = false;
      const end = () => {
        over = true;
      };
      promise.then(end, end);
      for (let turns = 0; !over; turns++) {
        if (turns > 1_000) throw new Error('waits for something that only time brings');
        await settle();
      }
      return promise;
    },
  };
}
