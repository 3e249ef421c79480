import { Clock, Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { Provision } from '../../../crds/provisioning.ts';
import { lastErrorOf } from '../../../rules/provision/attempts.ts';
import type { Course } from '../../../rules/provision/ready.ts';
import { foreign, nothing, type Said } from '../../../rules/words.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { environmentRole } from '../../../rules/project/access.ts';
import { msOf } from '../../../rules/time.ts';
import { ActionFailed } from '../../contract/lifecycle.ts';
import type { Outside } from '../../services/outside.ts';
import { type Outcome, type Owned, owned } from '../../owned/owned.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import type { Provisioned } from './retry.ts';
import { type Ensure, type EnsureError, holds } from '../../contract/ensure.ts';

interface Attempted extends Provisioned {
  readonly status?: Provisioned['status'] & { readonly phase?: string; readonly provision?: Provision };
}

/** Giving up at once counts no failure; the reason is the last error, or what hinders it until one is recorded. */
export function gaveUpOf({ status }: Attempted, hindrance: () => Said | undefined): Course['gaveUp'] {
  const { gaveUp = false, reconcileFailures = 0 } = status?.reconcileRetry ?? {};
  if (!gaveUp) return null;
  if (reconcileFailures > 0) return { by: 'failures' };
  const last = lastErrorOf(status?.provision);
  return { by: 'permanentError', why: last === '' ? (hindrance() ?? nothing) : foreign(last) };
}

/** Whether it was given up and is tried again, until the next pass moves it. */
export const isRetried = ({ status }: Attempted): boolean =>
  status?.phase === 'ProvisionFailed' && status.reconcileRetry?.gaveUp !== true;

/** How long the API server may not know of a RoleBinding that was just made. */
const bindingSettlesMs = 30_000;
const isDenied = (error: { readonly _tag: string }) =>
  error._tag === 'Refused' && 'message' in error && / is forbidden: User "/.test(String(error.message));

/** Turns a refusal for lack of rights in an environment that has just got its RoleBinding into a wait. */
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
            new ActionFailed({ action, weight: 'waiting', text: `the rights in ${namespace} are not in force yet` }),
          );
        }),
      ),
    );

/** What ends with an object of a kind. */
interface Going<O extends KubeObject> extends Pick<Owned<O>, 'deleteAll' | 'confirmDeleted'> {
  /** Whether any of its objects is in the cache. */
  readonly stands: (object: O, reader: CacheReader) => boolean;
}

/**
 * Reads directly when the state is entered, and after that when the cache shows something. For a deleted object, the
 * row that ends its life makes its own direct read.
 */
export const noWorkload = <O extends KubeObject>({ deleteAll, confirmDeleted, stands }: Going<O>): Ensure<O> => ({
  run: (given) => {
    if (isDeleting(given.object)) return deleteAll.run(given);
    return given.entered || stands(given.object, given.reader) ? confirmDeleted.run(given) : Effect.succeed(holds);
  },
});

/** Whether another manager keeps overwriting what an object runs on, and how that is applied. */
interface Contested<O> {
  readonly isOverwritten: (object: O, reader: CacheReader) => boolean;
  /** Null while it cannot be applied. */
  readonly apply: (object: O, reader: CacheReader) => Effect.Effect<Outcome, EnsureError, Outside> | null;
}

const settledPhases: readonly string[] = ['Ready', 'Asleep'];

/** What another manager keeps overwriting is reapplied periodically, and does not affect Ready. */
export const reapplied = <O extends Attempted>({ isOverwritten, apply }: Contested<O>): Ensure<O> => ({
  retry: { firstMs: 30_000, mostMs: 600_000 },
  run: ({ object, reader }) => {
    const isReady = settledPhases.includes(object.status?.phase ?? '') && !isDeleting(object);
    const applying = isReady && isOverwritten(object, reader) ? apply(object, reader) : null;
    if (applying === null) return Effect.succeed(holds);
    return Effect.map(applying, ({ requeueAfterMs }) =>
      requeueAfterMs === null ? holds : ({ is: 'waits', afterMs: requeueAfterMs } as const),
    );
  },
});
