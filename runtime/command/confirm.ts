import { Clock, Effect, Schedule } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
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
import { createdMoveText } from '../step/pendingMove.ts';
import { machinesOn } from '../step/machinesOn.ts';
import { merged } from '../step/mergePatch.ts';
import { isEntered } from '../write/enter.ts';

/** Retries after a lost response: their number, and their interval in ms. */
const rechecks = 3;
const recheckMs = 300;

/** Retries an idempotent effect after a lost response. */
export const patiently = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, {
    times: rechecks,
    schedule: Schedule.spaced(recheckMs),
    while: ({ _tag }) => _tag === 'Unavailable',
  });

/**
 * Reads an object after the response to a write was lost; null when it does not exist, the loss when the read fails,
 * too.
 */
export const readBack = <O extends KubeObject>(
  resource: Resource<O>,
  name: string,
  lost: Unavailable,
): Effect.Effect<O | null, Unavailable, Cluster> => Effect.mapError(patiently(find(resource, { name })), () => lost);

/** Fails when the stored object is gone, or is another one of the same name. */
export const sameObject = <O extends KubeObject>(
  found: O | null,
  { metadata: { name, uid } }: KubeObject,
): Effect.Effect<O, NotFound | Conflict> => {
  if (found === null) return Effect.fail(new NotFound({ what: name }));
  return found.metadata.uid === uid
    ? Effect.succeed(found)
    : Effect.fail(new Conflict({ what: name, isAnother: true }));
};

/** A sent write: the object with its newest move, and the version it was decided over. */
export interface Sent {
  readonly controller: Controller;
  readonly stored: KubeObject;
  readonly working: KubeObject;
}

/** Whether the stored object has the newest move of another in its history or in an annotation. */
const hasMoveOf = (working: KubeObject, live: KubeObject, controller: Controller, { reader }: PassContext) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const own = historyOf(working).at(-1);
    const { object } = syncHistory(machinesOn(controller, live), live, { now, reader });
    return own !== undefined && isEntered(object, own);
  });

/**
 * Confirms that a move whose response was lost is stored. Fails with the loss when it is not, and with a conflict when
 * another object has the name.
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

/** The object with its first move as its first pass finds it, if no pass was there yet. */
function withCreatedMove(created: KubeObject): KubeObject {
  const text = createdMoveText(created);
  return text === null ? created : merged(created, { metadata: { annotations: { [annotation.move]: text } } });
}

/** Confirms that a created object has its first move; with another beginning, the name existed before. */
export const confirmCreation = Effect.fnUntraced(function* (
  { controller, working }: Omit<Sent, 'stored'>,
  lost: Unavailable,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const { name } = working.metadata;
  const found = yield* readBack(controller.resource, name, lost);
  if (found === null) return yield* lost;
  const isOurs = yield* hasMoveOf(working, withCreatedMove(found), controller, context);
  return isOurs ? found : yield* new AlreadyExists({ what: name });
});

/** Confirms that a created object without a first move contains all that was sent. */
export const confirmAddition = Effect.fnUntraced(function* <O extends KubeObject>(
  resource: Resource<O>,
  sent: O,
  lost: Unavailable,
): Effect.fn.Return<O, WriteError, Cluster> {
  const found = yield* readBack(resource, sent.metadata.name, lost);
  return found !== null && isSameJson(merged(found, sent as Fields), found) ? found : yield* lost;
});

/** Confirms that an object is terminating, deleted or replaced, after the response to its deletion was lost. */
export const confirmRemoval = Effect.fnUntraced(function* (
  resource: Resource,
  { metadata: { name, uid } }: KubeObject,
  lost: Unavailable,
): Effect.fn.Return<void, Unavailable, Cluster> {
  const found = yield* readBack(resource, name, lost);
  if (found !== null && found.metadata.uid === uid && !isDeleting(found)) yield* lost;
});
