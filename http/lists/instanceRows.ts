import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { msOf } from '../../rules/time.ts';
import { historyOf } from '../../runtime/step/history.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { Trace } from '../routes/machines/shapes.ts';
import type { InstanceRow, TraceRow } from '../routes/machines/servedMachine.ts';
import { jsonJoined, type JsonText, jsonText } from '../response/jsonText.ts';
import { type InstanceLine, instanceLine, passFieldsOf } from '../views/instance.ts';
import { instancesOf, type OfObject } from '../views/instancesOf.ts';
import { isShown, type Kinds } from '../views/placed.ts';
import { traceOf } from '../views/transitions.ts';
import { orderedIn, type PlaceOf } from './ordered.ts';

/** The rows of a machine on one kind, cached with their object; fields of its passes are added to each answer. */
export function instanceRows(operator: Operator) {
  const kept = new WeakMap<KubeObject, Map<View, readonly InstanceRow[]>>();
  return (object: KubeObject, view: View, instances: () => readonly OfObject[]): readonly InstanceRow[] => {
    const ofViews = kept.get(object) ?? new Map<View, readonly InstanceRow[]>();
    const known = ofViews.get(view);
    if (known !== undefined) return known;
    const rows = instances().map((one) => instanceRow(operator, one, view));
    kept.set(object, ofViews.set(view, rows));
    return rows;
  };
}

function instanceRow(operator: Operator, { placed, object, place }: OfObject, view: View): InstanceRow {
  const line = instanceLine(placed, object, view);
  let text: JsonText<InstanceLine> | undefined;
  return {
    line,
    place,
    text: () => jsonJoined((text ??= jsonText(line)), jsonText(passFieldsOf(operator, placed, object.metadata.name))),
  };
}

/** The same with every move, which is not kept: audits read it, and seldom. */
export const traceRows =
  (operator: Operator) =>
  (_: KubeObject, view: View, instances: () => readonly OfObject[]): readonly TraceRow[] =>
    instances().map(({ placed, object, place }) => ({ place, trace: () => traceOf(operator, placed, object, view) }));

const lastTime = (moves: readonly HistoryEntry[], is: (move: HistoryEntry) => boolean): number =>
  msOf(moves.findLast(is)?.at ?? '') || 0;

/** Objects whose own moves are the newest come first. */
const byOwnMove: PlaceOf<KubeObject> = (object) => [
  -lastTime(historyOf(object), ({ item }) => item === undefined),
  object.metadata.name,
];

/** The same by the moves of their entries. */
const byEntryMove =
  (machine: string): PlaceOf<KubeObject> =>
  (object) => [-lastTime(historyOf(object), (move) => move.machine === machine), object.metadata.name];

/**
 * The traces that hold the newest moves of all, so many: each object of them has a move that is newer than all moves of
 * the objects behind it.
 */
export function newestTraces(operator: Operator, kinds: Kinds) {
  const lists = kinds.map((placed) => ({
    placed,
    sorted: orderedIn(
      operator.caches.of(placed.controller.resource),
      placed.entries === undefined ? byOwnMove : byEntryMove(placed.lifecycle.name),
    ),
  }));
  return (view: View, count: number): readonly Trace[] =>
    lists
      .filter(({ placed }) => isShown(placed, view))
      .flatMap(({ placed, sorted }) => {
        const found: (readonly Trace[])[] = [];
        for (const object of sorted()) {
          if (found.length === count) break;
          const traces = instancesOf(placed, object).map((one) => traceOf(operator, one.placed, object, view));
          if (traces.some(({ items }) => items.length > 0)) found.push(traces);
        }
        return found.flat();
      });
}
