import type { KubeObject } from '../../crds/kind.ts';
import { isoTime } from '../../rules/time.ts';
import { externalChange } from '../step/audit.ts';
import { historyOf, nextMoveAt, withMove } from '../step/history.ts';
import type { AnyLifecycle } from '../contract/lifecycle.ts';
import type { Tombstone } from '../services/journal.ts';
import { isUnended, stateOf } from '../step/standing.ts';
import { gone } from '../step/step.ts';
import type { Controller } from '../contract/controller.ts';

/**
 * The archive of a deleted object: its history, with an external change for each machine that had not reached its end.
 * Kinds whose finalizer is absent or optional have none.
 */
export function tombstone(
  { resource: { kind }, lifecycles, finalizer }: Controller,
  object: KubeObject,
  now: number,
): Tombstone {
  const { name, uid = '' } = object.metadata;
  const deletedAt = isoTime(now);
  const held = finalizer === undefined || finalizer.isWanted !== undefined ? [] : lifecycles;
  const cutShort = held.filter((one) => isUnended(one, object));
  const recorded = cutShort.reduce((before, one) => withMove(before, takenAway(one, before, now)), object);
  return { kind, name, uid, deletedAt, history: historyOf(recorded) };
}

const takenAway = (lifecycle: AnyLifecycle, object: KubeObject, now: number) => ({
  machine: lifecycle.name,
  from: stateOf(lifecycle, object),
  event: externalChange,
  to: gone,
  by: 'outside',
  at: nextMoveAt(object, now),
  text: 'it went before its life had ended: somebody took its finalizer off',
});
