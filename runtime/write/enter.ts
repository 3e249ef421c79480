import { Clock, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { PassContext } from '../contract/context.ts';
import { syncHistory, withDoneMove } from '../step/catchUp.ts';
import { historyOf } from '../step/history.ts';
import type { Controller } from '../contract/controller.ts';
import { machinesOn } from '../step/machinesOn.ts';
import { recordStatus } from './record.ts';
import { Cluster, type WriteError } from '../services/cluster/cluster.ts';

/** Whether the history has this move. */
export const isEntered = (object: KubeObject, own: HistoryEntry): boolean =>
  historyOf(object).some(
    ({ machine, event, by, at }) => machine === own.machine && event === own.event && by === own.by && at === own.at,
  );

/**
 * Enters a completed move whose state is stored outside the status, while other clients write to the object. If the
 * annotation with the move was removed, only the caller still knows the move.
 */
export const enter = Effect.fnUntraced(function* (
  controller: Controller,
  moved: KubeObject,
  own: HistoryEntry,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const cluster = yield* Cluster;
  const { resource } = controller;
  const stored = yield* cluster.get(resource, { name: moved.metadata.name });
  const lifecycles = machinesOn(controller, stored);
  // Another object has the name; the history of the earlier one is archived.
  if (stored.metadata.uid !== moved.metadata.uid) return stored;
  const given = { now: yield* Clock.currentTimeMillis, reader: context.reader };
  const carried = syncHistory(lifecycles, stored, given).object;
  const mover = lifecycles.find(({ name, item }) => name === own.machine && item === undefined);
  const entered =
    isEntered(carried, own) || mover === undefined
      ? carried
      : syncHistory(lifecycles, withDoneMove(mover, stored, own, given), given).object;
  return yield* recordStatus(resource, stored, entered, context);
});
