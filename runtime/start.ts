import { type Context, Effect, Exit, Fiber, Layer, Scope } from 'effect';
import { fenced, openGate, type Gate } from './services/gate.ts';
import { type Lease, type LeaseOptions, makeLease } from './lead/lease.ts';
import { makeOperator, type Operator, type OperatorOptions } from './operator.ts';
import { gatedBy, type Outside } from './services/outside.ts';
import type { Journal } from './services/journal.ts';
import type { Metrics } from './services/metrics.ts';

export type Services = Outside | Journal | Metrics;

export interface Started {
  readonly operator: Operator;
  /** Whether this process runs the passes. */
  readonly leads: () => Promise<boolean>;
  /** Stops leading: running passes finish, and the lease is released. Reads and commands continue. */
  readonly resign: () => Promise<void>;
  /** Resigns, then stops all writes. */
  readonly stop: () => Promise<void>;
  /** Stops like a dying process: everything is interrupted. */
  readonly crash: () => Promise<void>;
}

/** The write gate and the log of the runtime; by default the gate is open and Effect logs. */
export interface StartOptions {
  readonly gate?: Gate;
  readonly logger?: Layer.Layer<never>;
  /** Without a lease, this process is the only one on the cluster and always leads. */
  readonly lease?: LeaseOptions;
}

/** The lease of a single process, which always leads. */
const alone: Lease = { isHeld: Effect.succeed(true), during: (term) => term, giveBack: Effect.void };

/**
 * Starts the reconcile runtime over the given services. Keeps no global state, so that several can run in one process.
 */
export async function startOperator(
  services: Context.Context<Services>,
  options: OperatorOptions,
  { gate = openGate(), logger = Layer.empty, lease: leaseOptions }: StartOptions = {},
): Promise<Started> {
  const scope = Scope.makeUnsafe();
  // The lease is written outside the gate, because it opens the gate.
  const run = <A>(effect: Effect.Effect<A, never, Services | Scope.Scope>, over = services) =>
    Effect.runPromise(
      effect.pipe(Effect.provideService(Scope.Scope, scope), Effect.provideContext(over), Effect.provide(logger)),
    );
  const lease = leaseOptions ? await run(makeLease(leaseOptions)) : alone;
  const operator = await run(makeOperator(options), gatedBy(services, gate));
  const term = Effect.provideContext(operator.lead, gatedBy(services, fenced(gate, lease.isHeld)));
  const leading = await run(Effect.forkScoped(lease.during(term)));
  const end = () => {
    gate.close();
    return Effect.runPromise(Scope.close(scope, Exit.void));
  };
  let resigned: Promise<void> | undefined;
  const resign = () => {
    resigned ??= run(operator.drain.pipe(Effect.andThen(Fiber.interrupt(leading)), Effect.andThen(lease.giveBack)));
    return resigned;
  };
  return {
    operator,
    leads: () => run(lease.isHeld),
    resign,
    stop: async () => {
      await resign();
      await end();
    },
    crash: end,
  };
}
