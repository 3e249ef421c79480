import { Clock, Context, Duration, Effect, Random, References, Scheduler } from 'effect';
import { numbers } from './random.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Whatever shares one scheduler: it may be stopped while time and all others go on. */
interface Process {
  /** The services with this time, on the scheduler of this process, and without a word in the log. */
  readonly over: <S>(services: Context.Context<S>) => Context.Context<S>;
  /** From now on nothing of it runs. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

/** Time that stands still until it is moved on, and fibers that run only when they are let. */
export interface VirtualTime extends Pick<Process, 'over'> {
  /** ms that have passed since the epoch by a clock that nobody sets. */
  readonly now: () => number;
  /** The clock on the wall: the same, unless it was set. */
  readonly wall: () => number;
  /** Sets the clock on the wall forward, or back, and lets no time pass. */
  readonly jump: (ms: number) => void;
  /** Lets time pass while something runs; who sleeps until then wakes late. */
  readonly elapse: (ms: number) => void;
  /** One more process. */
  readonly process: () => Process;
  /** Runs whatever can run without time moving on. */
  readonly settle: () => Promise<void>;
  /** When the next sleeper wakes, or undefined. */
  readonly next: () => number | undefined;
  /** Moves time on and wakes those whose time has come. */
  readonly moveTo: (at: number) => Promise<void>;
  /** Waits for a promise whose work needs this time's fibers; time itself does not move on. */
  readonly wait: <A>(promise: Promise<A>) => Promise<A>;
}

interface Ready {
  readonly of: object;
  readonly run: () => void;
}

const macrotask = () => new Promise<void>((go) => setImmediate(go));
const maxOps = 2_048;
/** More than that runs at one moment only when it runs for ever, unless there is much to do. */
const usualAtOnce = 300;

/** With a seed, of all that could run next any may be the one; without, it is whoever waits longest. */
export function virtualTime(start = Date.UTC(2027, 0, 1), seed?: number, mostAtOnce = usualAtOnce): VirtualTime {
  let now = start;
  let skew = 0;
  let ready: Ready[] = [];
  const frozen = new Set<object>();
  const sleepers = new Set<Sleeper>();
  const next = numbers(seed ?? 0);
  const nanos = (ms: number) => BigInt(Math.round(ms * 1_000)) * 1_000n;
  const wall = () => now + skew;

  /** Whoever sleeps wakes with his process: while that stands still, nothing of it runs. */
  const clockOf = (process: object): Clock.Clock => ({
    currentTimeMillisUnsafe: wall,
    currentTimeMillis: Effect.sync(wall),
    currentTimeNanosUnsafe: () => nanos(wall()),
    currentTimeNanos: Effect.sync(() => nanos(wall())),
    monotonicTimeNanosUnsafe: () => nanos(now),
    monotonicTimeNanos: Effect.sync(() => nanos(now)),
    sleep: (duration) => {
      const ms = Duration.toMillis(duration);
      if (ms <= 0) return Effect.yieldNow;
      return Effect.callback<void>((resume) => {
        const wake = () => void ready.push({ of: process, run: () => resume(Effect.void) });
        const sleeper = { at: now + ms, wake };
        sleepers.add(sleeper);
        return Effect.sync(() => sleepers.delete(sleeper));
      });
    },
  });
  const random = {
    nextDoubleUnsafe: next,
    nextIntUnsafe: () => Math.floor((next() - 0.5) * 2 ** 32),
  };

  const schedulerOf = (process: object): Scheduler.Scheduler => ({
    executionMode: 'async',
    shouldYield: (fiber) => fiber.currentOpCount >= maxOps,
    makeDispatcher: () => ({
      scheduleTask: (run) => void ready.push({ of: process, run }),
      flush: () => runReady(),
    }),
  });

  const takeReady = (): Ready | undefined => {
    const awake = frozen.size === 0 ? ready : ready.filter(({ of }) => !frozen.has(of));
    const taken = awake[seed === undefined ? 0 : Math.floor(next() * awake.length)];
    if (taken) ready.splice(ready.indexOf(taken), 1);
    return taken;
  };
  let ran = 0;
  const runReady = () => {
    for (let task = takeReady(); task; task = takeReady()) {
      if (++ran > mostAtOnce) throw new Error('it runs and runs, and time never passes');
      task.run();
    }
  };
  const somethingReady = () => ready.some(({ of }) => !frozen.has(of));
  /** Promises of effects end a microtask later, and ends of fibers on the ordinary scheduler a macrotask later. */
  const settle = async () => {
    do {
      runReady();
      await macrotask();
    } while (somethingReady());
  };

  const process = (): Process => {
    const self = {};
    return {
      over: (services) =>
        services.pipe(
          Context.add(Clock.Clock, clockOf(self)),
          Context.add(Scheduler.Scheduler, schedulerOf(self)),
          Context.add(Random.Random, random),
          Context.add(References.MinimumLogLevel, 'None'),
        ),
      freeze: () => void frozen.add(self),
      thaw: () => void frozen.delete(self),
    };
  };

  return {
    now: () => now,
    wall,
    jump: (ms) => {
      skew += ms;
    },
    elapse: (ms) => {
      now += ms;
    },
    process,
    over: process().over,
    settle,
    next: () => (sleepers.size === 0 ? undefined : Math.min(...[...sleepers].map(({ at }) => at))),
    moveTo: async (at) => {
      ran = 0;
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
      // Whatever is waited for, such as the end of a process, has work of its own.
      ran = 0;
      for (let turns = 0; !over; turns++) {
        if (turns > 1_000) throw new Error('waits for something that only time brings');
        await settle();
      }
      return promise;
    },
  };
}
