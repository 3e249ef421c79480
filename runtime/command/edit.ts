import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { isSameJson } from '../../rules/sameJson.ts';
import type { Fields } from '../contract/lifecycle.ts';
import { statusOf } from '../step/status.ts';
import { merged } from '../step/mergePatch.ts';
import { readBack, sameObject } from './confirm.ts';
import { deadline, retryConflicts } from '../services/cluster/retryConflicts.ts';
import { asSeen, type Unavailable, Cluster, type Resource, type WriteError } from '../services/cluster/cluster.ts';

/** The merge patch of an edit (null for none) and its result for the caller. */
export interface Edit<A> {
  readonly patch: object | null;
  /** Whether the patch applies to the status instead of the object. */
  readonly ofStatus?: true;
  readonly result: A;
}

/** An object after an edit, with the result of the edit. */
export interface Edited<O, A> {
  readonly object: O;
  readonly result: A;
}

/**
 * Edits one object as a person would, by a patch over the version that was read. After a conflict it reads and edits
 * again.
 */
export const edit = <O extends KubeObject, A>(
  resource: Resource<O>,
  name: string,
  follow: (object: O) => Edit<A>,
): Effect.Effect<Edited<O, A>, WriteError, Cluster> =>
  Effect.flatMap(deadline, (until) => retryConflicts(editOnce(resource, name, follow), until));

const editOnce = Effect.fnUntraced(function* <O extends KubeObject, A>(
  resource: Resource<O>,
  name: string,
  follow: (object: O) => Edit<A>,
): Effect.fn.Return<Edited<O, A>, WriteError, Cluster> {
  const cluster = yield* Cluster;
  const object = yield* cluster.get(resource, { name });
  const { patch, ofStatus, result } = follow(object);
  if (patch === null) return { object, result };
  const write = ofStatus ? cluster.patchStatus : cluster.patch;
  const written = write(resource, { name }, patch, asSeen(object)).pipe(
    Effect.catchTag('Unavailable', (lost) =>
      confirmEdit({ resource, object, patch, ...(ofStatus && { ofStatus }) }, lost),
    ),
  );
  return { object: yield* written, result };
});

/** Confirms a patch whose response was lost: applying it to the stored object changes nothing. */
const confirmEdit = Effect.fnUntraced(function* <O extends KubeObject>(
  { resource, object, patch, ofStatus }: Patched<O>,
  lost: Unavailable,
): Effect.fn.Return<O, WriteError, Cluster> {
  const found = yield* readBack(resource, object.metadata.name, lost);
  const live = yield* sameObject(found, object);
  const edited = ofStatus ? statusOf(live) : live;
  return isSameJson(merged(edited, patch as Fields), edited) ? live : yield* lost;
});

interface Patched<O extends KubeObject> extends Pick<Edit<unknown>, 'ofStatus'> {
  readonly resource: Resource<O>;
  readonly object: O;
  readonly patch: object;
}
