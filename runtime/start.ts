import { Context, Effect, Exit, Layer, Scope } from 'effect';
import { gatedCluster, gatedStore, openGate, type Gate } from './gate.ts';
import { makeOperator, type Operator, type OperatorOptions } from './operator.ts';
import { Cluster } from './services/cluster.ts';
import type { GitHost } from './services/gitHost.ts';
import type { Journal } from './services/journal.ts';
import type { Metrics } from './services/metrics.ts';
import { ObjectStore } from './services/objectStore.ts';

export type Services = Cluster | GitHost | ObjectStore | Journal | Metrics;

export interface Started {
  readonly operator: Operator;
  /** Drains: passes that run come to their end, nothing is written after. */
  readonly stop: () => Promise<void>;
  /** Dies as a process dies: whatever runs ends where it is. */
  readonly crash: () => Promise<void>;
}

/** How the runtime writes to the outside, and where its log goes; left out, nothing is held back and Effect logs. */
export interface Rim {
  readonly gate?: Gate;
  readonly logger?: Layer.Layer<never>;
}

/** Starts the reconcile runtime over the services given. Keeps no state outside, so that several run in one process. */
export async function startOperator(
  services: Context.Context<Services>,
  options: OperatorOptions,
  { gate = openGate(), logger = Layer.empty }: Rim = {},
): Promise<Started> {
  const gated = services.pipe(
    Context.add(Cluster, gatedCluster(Context.get(services, Cluster), gate)),
    Context.add(ObjectStore, gatedStore(Context.get(services, ObjectStore), gate)),
  );
  const scope = Scope.makeUnsafe();
  const operator = await Effect.runPromise(
    makeOperator(options).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provideContext(gated),
      Effect.provide(logger),
    ),
  );
  const end = () => {
    gate.close();
    return Effect.runPromise(Scope.close(scope, Exit.void));
  };
  return {
    operator,
    stop: async () => {
      await Effect.runPromise(operator.drain);
      await end();
    },
    crash: end,
  };
}
