import type { KubeObject } from '../../../crds/kind.ts';
import { msOf } from '../../../rules/time.ts';
import type { ReconcileInput } from '../../contract/lifecycle.ts';
import { makeElapsedTimes, type ElapsedTimes } from '../elapsedTimes.ts';

/** When deletions began, robust against changes of the wall clock; see `ElapsedTimes`. */
export interface Deletions {
  /** Null when the object is not being deleted. */
  readonly since: (object: KubeObject, input: Pick<ReconcileInput, 'now' | 'monotonic'>) => number | null;
  readonly forget: ElapsedTimes['forget'];
}

export function makeDeletions(): Deletions {
  const elapsedTimes = makeElapsedTimes();
  return {
    since: ({ metadata: { name, uid = '', deletionTimestamp } }, input) =>
      deletionTimestamp === undefined
        ? null
        : elapsedTimes.by({ name, id: uid, writtenMs: msOf(deletionTimestamp) }, input),
    forget: elapsedTimes.forget,
  };
}
