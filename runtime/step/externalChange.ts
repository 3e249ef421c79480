import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { withEntry, withFields } from './apply.ts';
import { sentence, toViewers } from '../../rules/words.ts';
import { externalChange } from './audit.ts';
import { observed } from './decide.ts';
import { historyOf, newestMove } from './history.ts';
import { type AnyLifecycle, type BaseFacts, type Others, reconcileInput } from '../contract/lifecycle.ts';
import type { CacheReader } from '../cache/reader.ts';
import { isOver } from './standing.ts';
import { absent, step } from './step.ts';

/**
 * The state before an external change; null when the newest move led to the current state. A state stored in the object
 * without any move was written by its creator.
 */
export function movedFrom(lifecycle: AnyLifecycle, object: KubeObject): string | null {
  const newest = newestMove(object, lifecycle.name, lifecycle.item?.key);
  // An earlier entry may have had the same key.
  if (lifecycle.item !== undefined && lifecycle.read(object) === absent) return null;
  if (newest === undefined) return lifecycle.storage === 'object' ? absent : null;
  return newest.to === lifecycle.read(object) || isOver(lifecycle, object) ? null : newest.to;
}

/** The observed facts, and the caches they came from. */
export interface Observed {
  readonly facts: BaseFacts;
  readonly reader: CacheReader;
}

/** An external change, entered in the history; `external` is null when an arrow of the table leads there. */
export interface EnteredExternal {
  readonly object: KubeObject;
  readonly external: HistoryEntry | null;
}

/** The state before the external change, the time in ms since the epoch, and the states of the other machines. */
export interface Finding {
  readonly from: string;
  readonly now: number;
  readonly others: Others;
  readonly reader: CacheReader;
}

/**
 * Enters a state that another client wrote. When a rule finds one of the table's own moves in it, the fields of that
 * arrow follow. Any other change is recorded as outside the table and not reverted, because the stored state is the
 * truth.
 */
export function enterExternal(
  lifecycle: AnyLifecycle,
  object: KubeObject,
  { from, now, others, reader }: Finding,
): EnteredExternal {
  const to = lifecycle.read(object);
  const input = reconcileInput({ now, resetFrom: from, others, trigger: { asked: null, found: to } });
  const facts = observed(lifecycle, object, reader, input);
  const cause = { by: 'outside', facts, reader };
  const stepped = step(lifecycle, from, facts);
  if (stepped.is === 'moved' && stepped.move.to === to) {
    const after = withFields(lifecycle, object, stepped.move, cause);
    return { object: withEntry(lifecycle, { before: object, after }, stepped.move, cause), external: null };
  }
  const said = sentence('moved outside the table: no arrow leads from {from} to {to}', {
    from: toViewers(from),
    to: toViewers(to),
  });
  const move = { from, event: externalChange, to, ...said };
  const told = withEntry(lifecycle, { before: object, after: object }, move, cause);
  return { object: told, external: historyOf(told).at(-1) ?? null };
}
