import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { foldFlips } from '../../rules/moves/foldFlips.ts';
import { redact } from '../../rules/redaction/redact.ts';
import { externalChange } from '../../runtime/step/audit.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { stateOf } from '../../runtime/step/standing.ts';
import { withStatus } from '../../runtime/step/status.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { FoldedTransitions, Move, Trace, Transitions } from '../routes/machines/shapes.ts';
import { text } from './line.ts';
import { passesOf } from './passes.ts';
import { instanceId, instanceName, isMoveOf, type Placed, rowOf } from './placed.ts';

const moveOf = ({ seq, machine, from, event, to, rule, by, at, text }: HistoryEntry): Move => ({
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

/** Moves of an object of a kind, redacted for a view. */
export const redactedMoves = (kind: string, moves: readonly HistoryEntry[], view: View): readonly HistoryEntry[] =>
  historyOf(redact(kind, withStatus({ metadata: { name: '' } }, { history: moves }), view));

/** The moves of an object in all its machines, or those of an entry of it. */
const movesIn = (placed: Placed, object: KubeObject): readonly HistoryEntry[] =>
  historyOf(object).filter((move) => (placed.entries ? isMoveOf(placed, move) : move.item === undefined));

/** The environment of an object, as far as a view reads it. */
function placeOf(kind: string, object: KubeObject, view: View): Pick<Trace, 'project' | 'environment'> {
  const { spec } = object as { readonly spec?: Partial<Pick<Trace, 'project' | 'environment'>> };
  const { project, environment } = spec ?? {};
  const copy = redact(kind, { metadata: object.metadata, spec: { project, environment } }, view);
  const shown: { readonly project?: unknown; readonly environment?: unknown } = copy.spec;
  return { project: text(shown.project), environment: text(shown.environment) };
}

/** One instance with all its moves, and the state they must lead to. */
export function traceOf(operator: Operator, placed: Placed, object: KubeObject, view: View): Trace {
  const { controller, lifecycle } = placed;
  const { name, uid = '' } = object.metadata;
  const { failure: _, ...look } = passesOf(operator, controller, name);
  return {
    id: instanceId(placed, name),
    kind: controller.resource.kind,
    name: instanceName(placed, name),
    uid,
    ...placeOf(controller.resource.kind, object, view),
    state: stateOf(lifecycle, object),
    ...look,
    items: redactedMoves(controller.resource.kind, movesIn(placed, object), view).map(moveOf),
  };
}

/** The newest moves of all instances together, this many; an instance without one of them is left out. */
export function newestOf(traces: readonly Trace[], count: number): readonly Trace[] {
  const times = traces.flatMap(({ items }) => items.map(({ at }) => at)).toSorted();
  const since = times.at(-count) ?? '';
  let left = count - times.filter((at) => at > since).length;
  return traces
    .map((trace) => ({ ...trace, items: trace.items.filter(({ at }) => at > since || (at === since && left-- > 0)) }))
    .filter(({ items }) => items.length > 0);
}

/** The kept moves of an object, oldest first, each with its row of the table. */
export function transitionsOf(placed: Placed, object: KubeObject, view: View): Transitions {
  const own = historyOf(object).filter((move) => isMoveOf(placed, move));
  const moves = redactedMoves(placed.controller.resource.kind, own, view);
  return { name: instanceName(placed, object.metadata.name), items: withRows(placed, moves) };
}

/** The same with moves to and fro as one item each. */
export const folded = ({ items, ...rest }: Transitions): FoldedTransitions => ({ ...rest, items: foldFlips(items) });

/** A move with its row of the table. */
export function withRow({ rows }: Placed, entry: HistoryEntry): Transitions['items'][number] {
  const row = rowOf(rows, entry);
  return { ...moveOf(entry), ...(row ? { row: row.id } : {}), outside: entry.event === externalChange };
}

/** Moves with their rows of the table. */
export const withRows = (placed: Placed, moves: readonly HistoryEntry[]): Transitions['items'] =>
  moves.map((entry) => withRow(placed, entry));
