import type { HistoryEntry, KubeObject } from '../crds/kind.ts';
import { withEntry, withFields } from './apply.ts';
import { movedOutside } from './audit.ts';
import { historyOf, newestMove } from './history.ts';
import type { AnyLifecycle, BaseFacts } from './lifecycle.ts';
import type { Seen } from './seen.ts';
import { step } from './step.ts';

/** The state somebody else moved the object away from, or null when the newest move led to where it stands. */
export function movedFrom(lifecycle: AnyLifecycle, object: KubeObject): string | null {
  const newest = newestMove(object, lifecycle.name);
  return newest === undefined || newest.to === lifecycle.read(object) ? null : newest.to;
}

/** The facts observed for it, and where they were seen. */
export interface Observed {
  readonly facts: BaseFacts;
  readonly seen: Seen;
}

/** An outside move, entered in the history; `strange` when no arrow of the table leads there. */
export interface TakenUp {
  readonly object: KubeObject;
  readonly strange: HistoryEntry | null;
}

/**
 * Enters a move that somebody wrote straight into the object. One of the table's own is followed by all its arrow
 * does; any other is not reverted, for the status is the truth: it is told as outside the table.
 */
export function takeUp(lifecycle: AnyLifecycle, object: KubeObject, from: string, { facts, seen }: Observed): TakenUp {
  const to = lifecycle.read(object);
  const event = lifecycle.outside[to];
  const taken = event === undefined ? null : step(lifecycle.machine, from, event);
  if (event !== undefined && taken?.to === to) {
    const cause = { event, by: 'outside', text: `${lifecycle.shown(object)} was written from outside`, facts, seen };
    return {
      object: withEntry(lifecycle, withFields(lifecycle, object, taken, cause), { from, to }, cause),
      strange: null,
    };
  }
  const text = `moved outside the table: no arrow leads from ${from} to ${to}`;
  const told = withEntry(lifecycle, object, { from, to }, { event: movedOutside, by: 'outside', text, facts, seen });
  return { object: told, strange: historyOf(told).at(-1) ?? null };
}
