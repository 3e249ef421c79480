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
  /** Leads no longer: running passes finish, and the lease is given back. Reads and commands go on. */
  readonly resign: () => Promise<void>;
  /** Resigns, and nothing is written afterwards. */
  readonly stop: () => Promise<void>;
  /** Stops like a dying process: whatever runs ends where it is. */
  readonly crash: () => Promise<void>;
}

/** How the runtime writes to the outside, and where its log goes; by default nothing is held back and Effect logs. */
export interface StartOptions {
  readonly gate?: Gate;
  readonly logger?: Layer.Layer<never>;
  /** Without a lease, no other process runs over this cluster, and this one leads from its start to its end. */
  readonly lease?: LeaseOptions;
}

/** Stands in for the lease of a process that runs alone and always leads. */
const alone: Lease = { isHeld: Effect.succeed(true), during: (term) => term, giveBack: Effect.void };

/** Starts the reconcile runtime over the given services. Keeps no global state, so that several run in one process. */
export async function startOperator(
  services: Context.Context<Services>,
  options: OperatorOptions,
  { gate = openGate(), logger = Layer.empty, lease: leaseOptions }: StartOptions = {},
): Promise<Started> {
  const scope = Scope.makeUnsafe();
  // The lease is written past the gate, because it is what opens it.
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
