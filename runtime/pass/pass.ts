import { Clock, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isoTime } from '../../rules/time.ts';
import { adopted } from './defaults.ts';
import type { PassContext } from '../contract/context.ts';
import { syncHistory } from '../step/catchUp.ts';
import { type PassState, type DecisionError, decideAll, type Run } from './passState.ts';
import { ensureAll } from './ensure.ts';
import { historyOf } from '../step/history.ts';
import { machinesOn } from '../step/machinesOn.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { soonest } from '../services/pause.ts';
import { beginLife, isHeld } from '../write/life.ts';
import { type ActionFailed, type AnyLifecycle, machineKey } from '../contract/lifecycle.ts';
import type { Outside } from '../services/outside.ts';
import type { Memory } from './memory.ts';
import { record } from '../write/record.ts';
import { isPaused, standing } from '../step/standing.ts';
import { derived } from '../step/derive.ts';
import { movedFrom } from '../step/externalChange.ts';
import type { EnsureError } from '../contract/ensure.ts';
import type { Controller } from '../contract/controller.ts';
import { endLife } from './life.ts';
import { isDeleting } from '../../rules/deleting.ts';

/** The failures of a pass; the queue retries each with backoff. */
export type PassError = EnsureError | DecisionError | ActionFailed;

/** The result of a pass: the object as last written, and its moves, oldest first. */
export interface Passed {
  readonly object: KubeObject;
  readonly moves: readonly HistoryEntry[];
  /** In how many ms to requeue, null for never. */
  readonly requeueAfterMs: number | null;
}

/**
 * Runs one level-triggered pass over one object: begin its life, default, observe, decide, move, claim, act, record,
 * ensure, end its life, requeue. It may stop after any effect and run again, here or on another replica, and converges
 * to the same state. A paused object is observed and not moved.
 */
export const pass = Effect.fnUntraced(function* (
  controller: Controller,
  given: KubeObject,
  memory: Memory,
  context: PassContext,
): Effect.fn.Return<Passed, PassError, Outside> {
  const run = { controller, memory, context };
  const begun = yield* beginLife(controller, given, context);
  if (isDeleting(begun) && !isHeld(controller, begun)) return { object: begun, moves: [], requeueAfterMs: null };
  const object = isPaused(begun) || isDeleting(begun) ? begun : yield* adopted(controller, begun, context);
  const passState = yield* decideAll(run, yield* begin(run, object));
  if (isPaused(object)) return { object, moves: [], requeueAfterMs: null };

  const { stored, changesAfterMs } = yield* recordAll(run, passState);
  const moves = movesSince(object, stored);
  const ensured = yield* ensureAfter(run, passState, stored, moves);
  const ended = yield* endLife(controller, stored, run);
  // An object being deleted may enter a state in which nothing more happens without a pass.
  const isDue = readsElsewhere(controller, stored) || (isDeleting(stored) && moves.length > 0);
  const again = isDue ? 0 : [ensured, ended.requeueAfterMs, changesAfterMs].reduce(soonest, passState.requeueAfterMs);
  return { object: stored, moves, requeueAfterMs: ended.isOver ? null : again };
});

/** The state of a pass before any decision; the history of a paused object is not even completed. */
const begin = Effect.fnUntraced(function* ({ controller, memory, context }: Run, stored: KubeObject) {
  const lifecycles = machinesOn(controller, stored);
  forget(memory, lifecycles);
  const now = yield* Clock.currentTimeMillis;
  const { object, from, external } = isPaused(stored)
    ? { object: stored, from: {}, external: [] }
    : syncHistory(lifecycles, stored, { now, reader: context.reader });
  for (const move of external) context.external(object, move);
  const passState: PassState = {
    stored,
    synced: object,
    working: object,
    now,
    monotonic: yield* monotonicMs,
    from,
    others: standing(lifecycles, object),
    asked: {},
    claimed: [],
    acted: [],
    failure: null,
    retriedFailure: null,
    requeueAfterMs: null,
  };
  return passState;
});

/** Drops the decisions of removed list entries. */
function forget({ decided }: Memory, lifecycles: readonly AnyLifecycle[]): void {
  const known = new Set(lifecycles.map(machineKey));
  for (const key of decided.keys()) if (!known.has(key)) decided.delete(key);
}

/** Writes the status ONCE for all machines of the object, with the derived fields. */
const recordAll = Effect.fnUntraced(function* ({ controller, memory, context }: Run, passState: PassState) {
  const now = isoTime(yield* Clock.currentTimeMillis);
  const deriving = {
    reader: context.reader,
    now,
    failures: memory.ensures,
    failure: passState.retriedFailure,
    asked: passState.asked,
  };
  const { object: working, changesAt } = derived(controller, passState.working, deriving, passState.stored);
  const stored = yield* record(controller.resource, { ...passState, working }, context);
  return { stored, changesAfterMs: changesAt === null ? null : Math.max(0, changesAt - passState.now) };
});

/**
 * Runs the ensures before failing with a failed action, which may need one, as when a Job of another run has to be
 * deleted so that ours can be created.
 */
export const ensureAfter = Effect.fnUntraced(function* (
  { controller, memory, context }: Run,
  { failure }: PassState,
  stored: KubeObject,
  moves: readonly HistoryEntry[],
): Effect.fn.Return<number | null, EnsureError | ActionFailed, Outside> {
  const ensured = yield* ensureAll(controller, stored, { moves, memory, context });
  return failure === null ? ensured : yield* failure;
});

/** Whether the written object has another state than it was moved to, because another client wrote a field of it. */
const readsElsewhere = (controller: Controller, object: KubeObject): boolean =>
  machinesOn(controller, object).some((lifecycle) => movedFrom(lifecycle, object) !== null);

const movesSince = (before: KubeObject, after: KubeObject): readonly HistoryEntry[] => {
  const last = historyOf(before).at(-1)?.seq ?? 0;
  return historyOf(after).filter(({ seq }) => seq > last);
};
