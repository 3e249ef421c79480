import { Clock, Context, Effect, Exit, Fiber, Random, Scope } from 'effect';
import { fenced, openGate } from '../../../runtime/services/gate.ts';
import { type Lease, makeLease } from '../../../runtime/lead/lease.ts';
import { type LeaseRecord, leases } from '../../../runtime/lead/leaseRecord.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { type MemoryCluster, memoryCluster } from '../../support/memoryCluster.ts';
import { type VirtualTime, virtualTime } from '../../support/virtualTime.ts';
import { type Due, down, type Network, over } from './network.ts';

const leaseSeconds = 15;
export const leaseMs = leaseSeconds * 1_000;
const start = Date.UTC(2027, 0, 1);

/** One process that competes to lead. */
export interface Contender {
  readonly identity: string;
  readonly network: Network;
  /** The error of its wall clock. */
  skewMs: number;
  /** Suspended: nothing of it runs, while time goes on. */
  paused: boolean;
  /** Whether its term runs. */
  readonly works: () => boolean;
  /** Whether its gate would let a write of a pass through at this very moment. */
  readonly mayWrite: () => boolean;
  readonly stop: () => Promise<void>;
  readonly crash: () => Promise<void>;
}

/** An API, and processes over it, each with its own scheduler, clock and network. */
export interface LeadEnvironment {
  readonly cluster: MemoryCluster;
  readonly now: () => number;
  readonly lease: () => LeaseRecord | undefined;
  readonly holder: () => string;
  apiIsDown: boolean;
  /** Called after every event. */
  look: () => void;
  readonly enter: (identity: string) => Promise<Contender>;
  /** Advances time, one event after the other; `always` is called after each. */
  readonly pass: (ms: number, always?: () => void) => Promise<void>;
}

interface Actor {
  readonly contender: Contender;
  readonly time: VirtualTime;
}

export function makeEnvironment(): LeadEnvironment {
  const cluster = memoryCluster();
  const actors = new Set<Actor>();
  let agenda: Due[] = [];
  let now = start;
  const later = (ms: number, run: () => void) => void agenda.push({ at: now + ms, run });

  /** Time goes on for a paused process, too, so it finds itself late. */
  const clockOf = (inner: Clock.Clock, skewMs: () => number): Clock.Clock => {
    const nanos = () => BigInt(Math.round(now * 1_000)) * 1_000n;
    const wall = () => now + skewMs();
    return {
      currentTimeNanos: inner.currentTimeNanos,
      currentTimeNanosUnsafe: () => inner.currentTimeNanosUnsafe(),
      currentTimeMillisUnsafe: wall,
      currentTimeMillis: Effect.sync(wall),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) => inner.sleep(duration),
    };
  };

  const environment: LeadEnvironment = {
    cluster,
    now: () => now,
    lease: () => cluster.all(leases)[0],
    holder: () => environment.lease()?.spec?.holderIdentity ?? '',
    apiIsDown: false,
    look: () => {},
    enter: async (identity) => {
      const time = virtualTime(now);
      const network: Network = { thereMs: 1, backMs: 1, lost: 'nothing' };
      const reached = over(
        network,
        {
          get: (...given) => Effect.suspend(() => (environment.apiIsDown ? down : cluster).get(...given)),
          create: (...given) => Effect.suspend(() => (environment.apiIsDown ? down : cluster).create(...given)),
          patch: (...given) => Effect.suspend(() => (environment.apiIsDown ? down : cluster).patch(...given)),
        },
        later,
      );
      const scope = Scope.makeUnsafe();
      const timed = time.over(Context.make(Cluster, { ...cluster, ...reached }));
      const services = Context.add(
        timed,
        Clock.Clock,
        clockOf(Context.get(timed, Clock.Clock), () => contender.skewMs),
      );
      const run = <A>(effect: Effect.Effect<A, never, Cluster | Scope.Scope>) =>
        Effect.runPromise(
          effect.pipe(
            Random.withSeed(identity),
            Effect.provideService(Scope.Scope, scope),
            Effect.provideContext(services),
          ),
        );
      let works = false;
      const term = Effect.acquireUseRelease(
        Effect.sync(() => (works = true)),
        () => Effect.never,
        () => Effect.sync(() => (works = false)),
      );
      const lease: Lease = await time.wait(run(makeLease({ identity, seconds: leaseSeconds })));
      const leading = await time.wait(run(Effect.forkScoped(lease.during(term))));
      const gate = fenced(openGate(), lease.isHeld);
      const leave = async () => {
        await time.wait(Effect.runPromise(Scope.close(scope, Exit.void)));
        actors.delete(actor);
      };
      const contender: Contender = {
        identity,
        network,
        skewMs: 0,
        paused: false,
        works: () => works,
        mayWrite: () =>
          Exit.isSuccess(Effect.runSync(Effect.exit(gate.through('x')).pipe(Effect.provideContext(services)))),
        stop: async () => {
          await time.wait(run(Fiber.interrupt(leading)));
          const gone = run(lease.giveBack);
          while (!(await isOver(gone))) await environment.pass(1);
          await leave();
        },
        crash: leave,
      };
      const actor = { contender, time };
      actors.add(actor);
      return contender;
    },
    pass: async (ms, always = () => {}) => {
      const until = now + ms;
      const step = async (isWoken: (time: VirtualTime) => boolean) => {
        environment.look();
        always();
        for (const { contender, time } of actors) if (!contender.paused && isWoken(time)) await time.moveTo(now);
        environment.look();
        always();
      };
      await step(() => true);
      for (;;) {
        const running = [...actors].filter(({ contender }) => !contender.paused);
        const next = Math.min(...agenda.map(({ at }) => at), ...running.map(({ time }) => time.next() ?? Infinity));
        if (next > until) break;
        now = Math.max(now, next);
        const due = agenda.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
        agenda = agenda.filter(({ at }) => at > now);
        for (const { run } of due) run();
        await step((time) => due.length > 0 || (time.next() ?? Infinity) <= now);
      }
      now = until;
      await step(() => true);
    },
  };
  return environment;
}

const isOver = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(() => true),
    new Promise<boolean>((go) => {
      setImmediate(() => go(false));
    }),
  ]);

/** How long until something holds; fails when it does not within `maxMs`. */
export async function msUntil(
  environment: LeadEnvironment,
  holds: () => boolean,
  maxMs = 3 * leaseMs,
): Promise<number> {
  const from = environment.now();
  while (!holds()) {
    if (environment.now() - from > maxMs) throw new Error(`not within ${maxMs} ms`);
    await environment.pass(10);
  }
  return environment.now() - from;
}
