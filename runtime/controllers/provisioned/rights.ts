import { Clock, Effect } from 'effect';
import { environmentRole } from '../../../rules/project/access.ts';
import { msOf } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { ActionFailed } from '../../contract/lifecycle.ts';
import { owned } from '../../owned/owned.ts';

/** How long a new RoleBinding may not be in force in the API server. */
const bindingSettlesMs = 30_000;
const isDenied = (error: { readonly _tag: string }) =>
  error._tag === 'Refused' && 'message' in error && / is forbidden: User "/.test(String(error.message));

/** Turns a Forbidden in an environment with a new RoleBinding into a wait. */
export const untilRightsHold =
  (action: string, namespace: string, reader: CacheReader) =>
  <A, E extends { readonly _tag: string }, R>(acting: Effect.Effect<A, E, R>): Effect.Effect<A, E | ActionFailed, R> =>
    acting.pipe(
      Effect.catch((error) =>
        Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<never, E | ActionFailed> => {
          const bound = reader.get(owned.roleBindings, environmentRole, namespace)?.metadata.creationTimestamp;
          const isNew = bound !== undefined && now - msOf(bound) < bindingSettlesMs;
          if (!isNew || !isDenied(error)) return Effect.fail(error);
          return Effect.fail(
            new ActionFailed({ action, retry: 'waiting', message: `the rights in ${namespace} are not in force yet` }),
          );
        }),
      ),
    );
