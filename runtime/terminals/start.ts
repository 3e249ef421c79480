import { type Context, Effect, Exit, Scope } from 'effect';
import type { Cluster } from '../services/cluster/cluster.ts';
import type { Exec } from '../services/exec.ts';
import { makeTerminals, type Terminals } from './terminals.ts';
import type { TerminalsOptions } from './options.ts';

export interface StartedTerminals {
  readonly terminals: Terminals;
  readonly stop: () => Promise<void>;
  /** Stops like a dying process: nothing more is recorded. */
  readonly crash: () => Promise<void>;
}

/** Starts terminals over the given services, until they are stopped. */
export async function startTerminals(
  services: Context.Context<Cluster | Exec>,
  given: TerminalsOptions,
): Promise<StartedTerminals> {
  const scope = Scope.makeUnsafe();
  const run = <A>(effect: Effect.Effect<A, never, Cluster | Exec | Scope.Scope>) =>
    Effect.runPromise(effect.pipe(Effect.provideService(Scope.Scope, scope), Effect.provideContext(services)));
  const terminals = await run(makeTerminals(given));
  const crash = () => run(Scope.close(scope, Exit.void));
  return {
    terminals,
    stop: async () => {
      await run(terminals.stop);
      await crash();
    },
    crash,
  };
}
