import { Clock, Effect, Schedule } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { isDeleting } from '../../rules/deleting.ts';
import { isSameJson } from '../../rules/sameJson.ts';
import type { PassContext } from '../contract/context.ts';
import type { Fields } from '../contract/lifecycle.ts';
import type { Controller } from '../contract/controller.ts';
import {
  AlreadyExists,
  type Unavailable,
  Cluster,
  Conflict,
  NotFound,
  type Resource,
  type WriteError,
} from '../services/cluster/cluster.ts';
import { find } from '../services/cluster/find.ts';
import { syncHistory } from '../step/catchUp.ts';
import { historyOf } from '../step/history.ts';
import { machinesOn } from '../step/machinesOn.ts';
import { merged } from '../step/mergePatch.ts';
import { isEntered } from '../write/enter.ts';

/** What follows a lost answer is tried so often more, this far apart, in ms. */
const rechecks = 3;
const recheckMs = 300;

/** Tries again what went without an answer, and may be done twice. */
export const patiently = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, {
    times: rechecks,
    schedule: Schedule.spaced(recheckMs),
    while: ({ _tag }) => _tag === 'Unavailable',
  });

/** The object as it stands after the answer to a write was lost; null where none does, the loss where nobody can say. */
export const readBack = <O extends KubeObject>(
  resource: Resource<O>,
  name: string,
  lost: Unavailable,
): Effect.Effect<O | null, Unavailable, Cluster> => Effect.mapError(patiently(find(resource, { name })), () => lost);

/** Fails where what stands is not the object that was written to. */
export const sameObject = <O extends KubeObject>(
  found: O | null,
  { metadata: { name, uid } }: KubeObject,
): Effect.Effect<O, NotFound | Conflict> => {
  if (found === null) return Effect.fail(new NotFound({ what: name }));
  return found.metadata.uid === uid
    ? Effect.succeed(found)
    : Effect.fail(new Conflict({ what: name, isAnother: true }));
};

/** What was sent: the object with its newest move, and the version that this was decided over. */
export interface Sent {
  readonly controller: Controller;
  readonly stored: KubeObject;
  readonly working: KubeObject;
}

/** Whether the stored object has the newest move of another in its history, or carries it to there. */
const hasMoveOf = (working: KubeObject, live: KubeObject, controller: Controller, { reader }: PassContext) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const own = historyOf(working).at(-1);
    const { object } = syncHistory(machinesOn(controller, live), live, { now, reader });
    return own !== undefined && isEntered(object, own);
  });

/**
 * The stored object, once a move whose answer was lost is found in it. One that is not there was not done; an object
 * that is another one by now is a conflict.
 */
export const confirmMove = Effect.fnUntraced(function* (
  { controller, stored, working }: Sent,
  lost: Unavailable,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const found = yield* readBack(controller.resource, stored.metadata.name, lost);
  const live = yield* sameObject(found, stored);
  return (yield* hasMoveOf(working, live, controller, context)) ? live : yield* lost;
});

/** The created object, once its first move is found in it; an object of the name with another beginning stood before. */
export const confirmCreation = Effect.fnUntraced(function* (
  { controller, working }: Omit<Sent, 'stored'>,
  lost: Unavailable,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const { name } = working.metadata;
  const found = yield* readBack(controller.resource, name, lost);
  if (found === null) return yield* lost;
  if (!(yield* hasMoveOf(working, found, controller, context))) return yield* new AlreadyExists({ what: name });
  return found;
});

/** The created object of a kind without a first move, once all that was sent is found in it. */
export const confirmAddition = Effect.fnUntraced(function* <O extends KubeObject>(
  resource: Resource<O>,
  sent: O,
  lost: Unavailable,
): Effect.fn.Return<O, WriteError, Cluster> {
  const found = yield* readBack(resource, sent.metadata.name, lost);
  return found !== null && isSameJson(merged(found, sent as Fields), found) ? found : yield* lost;
});

/** Ends well once an object whose deletion went without an answer is going, gone, or another one. */
export const confirmRemoval = Effect.fnUntraced(function* (
  resource: Resource,
  { metadata: { name, uid } }: KubeObject,
  lost: Unavailable,
): Effect.fn.Return<void, Unavailable, Cluster> {
  const found = yield* readBack(resource, name, lost);
  if (found !== null && found.metadata.uid === uid && !isDeleting(found)) yield* lost;
});
