import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { type Ensure, type EnsureError, holds } from '../../contract/ensure.ts';
import type { Outcome, Owned } from '../../owned/owned.ts';
import type { Outside } from '../../services/outside.ts';
import type { Provisioned } from './actions.ts';

/** The owned objects that are deleted with an object of a kind. */
interface Removable<O extends KubeObject> extends Pick<Owned<O>, 'deleteAll' | 'confirmDeleted'> {
  /** Whether any of them is in the cache. */
  readonly existsInCache: (object: O, reader: CacheReader) => boolean;
}

/**
 * Deletes the workload and confirms it by a direct read when the state is entered, later only when the cache shows an
 * object. For a deleted object, the row that ends its life makes its own direct read.
 */
export const noWorkload = <O extends KubeObject>({
  deleteAll,
  confirmDeleted,
  existsInCache,
}: Removable<O>): Ensure<O> => ({
  run: (given) => {
    if (isDeleting(given.object)) return deleteAll.run(given);
    return given.entered || existsInCache(given.object, given.reader)
      ? confirmDeleted.run(given)
      : Effect.succeed(holds);
  },
});

/** Whether another manager keeps overwriting the workload, and how to reapply it. */
export interface Reapplying<O> {
  readonly isOverwritten: (object: O, reader: CacheReader) => boolean;
  /** Null while it cannot be applied. */
  readonly apply: (object: O, reader: CacheReader) => Effect.Effect<Outcome, EnsureError, Outside> | null;
}

const settledPhases: readonly string[] = ['Ready', 'Asleep'];

/** Reapplies periodically what another manager keeps overwriting; this does not affect Ready. */
export const reapplied = <O extends Provisioned>({ isOverwritten, apply }: Reapplying<O>): Ensure<O> => ({
  schedule: { firstMs: 30_000, maxMs: 600_000 },
  run: ({ object, reader }) => {
    const isReady = settledPhases.includes(object.status?.phase ?? '') && !isDeleting(object);
    const applying = isReady && isOverwritten(object, reader) ? apply(object, reader) : null;
    if (applying === null) return Effect.succeed(holds);
    return Effect.map(applying, ({ requeueAfterMs }) =>
      requeueAfterMs === null ? holds : ({ is: 'waits', afterMs: requeueAfterMs } as const),
    );
  },
});
