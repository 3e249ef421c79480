import { Effect, Schedule } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { asSeen, Cluster, type Resource, type WriteError } from '../services/cluster/cluster.ts';

const tries = 8;
/** Grows between tries, so that each of several writers at once gets its turn. */
const pause = Schedule.exponential('5 millis');

/** The merge patch of an edit, null for none, and what is returned to the caller. */
export interface Edit<A> {
  readonly patch: object | null;
  /** Whether the patch is of the fields of the status; of the object itself otherwise. */
  readonly ofStatus?: true;
  readonly result: A;
}

/** An object after an edit, and what the edit returned. */
export interface Edited<O, A> {
  readonly object: O;
  readonly result: A;
}

/**
 * Edits one object as a person would, by a patch over the version that it follows from. A conflict makes it read and
 * follow again.
 */
export const edit = <O extends KubeObject, A>(
  resource: Resource<O>,
  name: string,
  follow: (object: O) => Edit<A>,
): Effect.Effect<Edited<O, A>, WriteError, Cluster> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const object = yield* cluster.get(resource, { name });
    const { patch, ofStatus, result } = follow(object);
    if (patch === null) return { object, result };
    const write = ofStatus ? cluster.patchStatus : cluster.patch;
    return { object: yield* write(resource, { name }, patch, asSeen(object)), result };
  }).pipe(Effect.retry({ times: tries - 1, schedule: pause, while: ({ _tag }) => _tag === 'Conflict' }));
