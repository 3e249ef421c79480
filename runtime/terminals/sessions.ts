import { Effect } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import type { ConsoleAsked } from '../../rules/consoleSession/facts.ts';
import type { Caches } from '../cache/caches.ts';
import { consoleSessions } from '../services/cluster/kinds.ts';
import type { SessionOperator } from './options.ts';
import type { Decided } from '../command/command.ts';
import { Cluster, type ReadError } from '../services/cluster/cluster.ts';
import { find } from '../services/cluster/find.ts';

/** Moves the sessions of this process's terminals. */
export interface Sessions {
  readonly decide: (name: string, asked: ConsoleAsked, by: string) => ReturnType<SessionOperator['decide']>;
  readonly find: (name: string) => Effect.Effect<CoreConsoleSession | null, ReadError, Cluster>;
  /** Calls back when the caches show a change of the session; returns the unsubscriber. */
  readonly onChange: (name: string, listener: () => void) => () => void;
  readonly caches: Caches;
}

export const sessionIn = ({ object }: Decided) => object as CoreConsoleSession | null;

export function sessionsOf(operator: SessionOperator): Sessions {
  const { caches, controllers } = operator;
  const controller = controllers.find(({ resource }) => resource.kind === consoleSessions.kind);
  const lifecycle = controller?.lifecycles[0];
  if (!controller || !lifecycle) throw new Error('no controller moves console sessions');
  return {
    caches,
    decide: (name, asked, by) => operator.decide(controller, lifecycle, name, { asked, by }),
    // A session just created elsewhere is not cached here yet.
    find: (name) =>
      Effect.suspend(() => {
        const cached = caches.get(consoleSessions, name);
        return cached ? Effect.succeed(cached) : find(consoleSessions, { name });
      }),
    onChange: (name, listener) =>
      caches.of(consoleSessions).onChange(({ object }) => {
        if (object.metadata.name === name) listener();
      }),
  };
}
