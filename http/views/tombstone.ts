import type { HistoryEntry } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { gone } from '../../runtime/step/step.ts';
import type { Tombstone } from '../../runtime/services/journal.ts';
import type { Instance, InstanceRead, Transitions } from '../routes/machines/shapes.ts';
import { shownOf } from './machine.ts';
import { instanceId, type Placed } from './placed.ts';
import { redactedMoves, withRows } from './transitions.ts';

type Deleted = Pick<Tombstone, 'kind' | 'name' | 'uid'>;

/** A deleted instance as its history shows it after one of its moves. */
export const tombstoneInstance = (placed: Placed, { kind, name, uid }: Deleted, entry: HistoryEntry): Instance => ({
  id: instanceId(placed, name),
  kind,
  name,
  uid,
  project: '',
  environment: '',
  machine: placed.lifecycle.name,
  state: entry.to,
  shown: shownOf(placed.lifecycle, entry.to),
  since: entry.at,
  reason: entry.text,
  retrying: false,
  paused: false,
  columns: {},
  failures: 0,
});

const movesOf = ({ lifecycle }: Placed, { kind, history }: Tombstone, view: View): readonly HistoryEntry[] =>
  redactedMoves(
    kind,
    history.filter(({ machine }) => machine === lifecycle.name),
    view,
  );

/** An instance whose object was deleted: its end, from its last move. */
export function tombstoneRead(placed: Placed, tombstone: Tombstone, view: View): InstanceRead {
  const { deletedAt } = tombstone;
  const last = movesOf(placed, tombstone, view).at(-1);
  const end = { seq: 0, machine: placed.lifecycle.name, from: '', event: '', by: '', text: last?.text ?? '' };
  return { ...tombstoneInstance(placed, tombstone, { ...end, to: gone, at: deletedAt }), deletedAt, others: [] };
}

/** The moves of a deleted object, from its tombstone. */
export const tombstoneTransitions = (placed: Placed, tombstone: Tombstone, view: View): Transitions => ({
  name: tombstone.name,
  items: withRows(placed, movesOf(placed, tombstone, view)),
});
