import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { redact } from '../../rules/redaction/redact.ts';
import { historyOf } from '../../runtime/history.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { Move, Trace, Transitions } from '../api.ts';
import { passesOf } from './passes.ts';
import { type Placed, rowOf } from './placed.ts';

export const moveOf = ({ seq, machine, from, event, to, rule, by, at, text }: HistoryEntry): Move => ({
  seq,
  machine,
  from,
  event,
  to,
  ...(rule === undefined ? {} : { rule }),
  by,
  at,
  text,
});

/** The history of an object of a kind, as far as a view is told of it. */
export const toldHistory = (kind: string, object: KubeObject, view: View): readonly HistoryEntry[] =>
  historyOf(redact(kind, object, view));

/** One instance with all its moves, and what they must lead to. */
export function traceOf(operator: Operator, { controller, lifecycle }: Placed, object: KubeObject, view: View): Trace {
  const { name, uid = '' } = object.metadata;
  const { failure: _, ...look } = passesOf(operator, controller, name);
  return {
    name,
    uid,
    state: lifecycle.read(object),
    ...look,
    items: toldHistory(controller.resource.kind, object, view).map(moveOf),
  };
}

/** The moves of an object that are kept, oldest first, each with the row of the table it took. */
export function transitionsOf({ controller, lifecycle, rows }: Placed, object: KubeObject, view: View): Transitions {
  const items = toldHistory(controller.resource.kind, object, view)
    .filter(({ machine }) => machine === lifecycle.name)
    .map((entry) => {
      const row = rowOf(rows, entry);
      return { ...moveOf(entry), ...(row ? { row: row.id } : {}), outside: entry.by === 'outside' };
    });
  return { name: object.metadata.name, items };
}
