import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isoTime, msOf } from '../../rules/time.ts';
import { sentence, toViewers } from '../../rules/words.ts';
import { withFields } from './apply.ts';
import { externalChange } from './audit.ts';
import { pendingMoveOf } from './pendingMove.ts';
import { observed } from './decide.ts';
import { historyOf, newestMove, nextSeq, withEntered, withMove } from './history.ts';
import { type AnyLifecycle, machineKey, reconcileInput } from '../contract/lifecycle.ts';
import type { CacheReader } from '../cache/reader.ts';
import { isOver, standing } from './standing.ts';
import { movedFrom, enterExternal } from './externalChange.ts';
import { absent, arrowOf } from './step.ts';

/** An object with a complete history. */
export interface SyncedHistory {
  readonly object: KubeObject;
  /** For each machine that was moved externally, its state before that. */
  readonly from: Readonly<Record<string, string>>;
  /** External changes that no arrow of a table explains. */
  readonly external: readonly HistoryEntry[];
}

interface SyncOptions {
  readonly now: number;
  readonly reader: CacheReader;
}

/**
 * Completes the history of an object: first with the move that an annotation carries, then with each remaining
 * difference as an external change. Comes before every status write and every move.
 */
export function syncHistory(
  lifecycles: readonly AnyLifecycle[],
  object: KubeObject,
  { now, reader }: SyncOptions,
): SyncedHistory {
  return lifecycles.reduce<SyncedHistory>(
    (before, lifecycle) => {
      if (isOver(lifecycle, before.object)) return before;
      const entered = withEnteredMove(lifecycle, before.object, { now, reader });
      const from = movedFrom(lifecycle, entered);
      if (from === null) return { ...before, object: entered };
      const others = standing(lifecycles, entered);
      const taken = enterExternal(lifecycle, entered, { from, now, others, reader });
      return {
        object: taken.object,
        from: { ...before.from, [machineKey(lifecycle)]: from },
        external: taken.external ? [...before.external, taken.external] : before.external,
      };
    },
    { object, from: {}, external: [] },
  );
}

/** Enters the move that an annotation carries, and before it what led to its start. */
export function withEnteredMove(lifecycle: AnyLifecycle, object: KubeObject, given: SyncOptions): KubeObject {
  if (lifecycle.item !== undefined) return object;
  const carried = pendingMoveOf(object, lifecycle.name);
  return carried === null ? object : withDoneMove(lifecycle, object, carried, given);
}

/**
 * Enters a completed move. A creation is always the first move, so it is not entered after another; for a state in the
 * status, no other move can precede its entry.
 */
export function withDoneMove(
  lifecycle: AnyLifecycle,
  object: KubeObject,
  move: HistoryEntry,
  { now, reader }: SyncOptions,
): KubeObject {
  const isCreation = move.from === absent;
  if (isCreation && historyOf(object).length > 0) return object;
  if (lifecycle.storage === 'object') return withKnownMove(object, move, now);
  return isCreation ? withCreation(lifecycle, object, move, reader) : object;
}

/** Enters the creation and writes its status fields, which the write that creates an object cannot contain. */
function withCreation(lifecycle: AnyLifecycle, object: KubeObject, move: HistoryEntry, reader: CacheReader) {
  const arrow = arrowOf(lifecycle, absent, move.event);
  if (arrow?.to !== move.to) return object;
  if (lifecycle.read(object) !== absent) return withEntered(object, move);
  const others = standing([lifecycle], object);
  const input = reconcileInput({ now: msOf(move.at), others, absent: true as const });
  const facts = observed(lifecycle, object, reader, input);
  return withEntered(withFields(lifecycle, object, { ...move, ...arrow }, { by: move.by, facts, reader }), move);
}

/** Enters a move that is known to have happened; an unexplained change before it becomes an external change. */
export function withKnownMove(object: KubeObject, move: HistoryEntry, now: number): KubeObject {
  const { machine } = move;
  const before = newestMove(object, machine)?.to ?? move.from;
  const said = sentence('moved outside the table: no move from {before} to {from} is recorded', {
    before: toViewers(before),
    from: toViewers(move.from),
  });
  const found = {
    machine,
    from: before,
    event: externalChange,
    to: move.from,
    by: 'outside',
    at: isoTime(now),
    ...said,
  };
  const led = before === move.from ? object : withMove(object, found);
  return withEntered(led, { ...move, seq: Math.max(move.seq, nextSeq(led)) });
}
