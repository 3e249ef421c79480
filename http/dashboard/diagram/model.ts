import type { Machine, Row } from '../../api.ts';
import { commonWays, wayOf } from './ways.ts';

/** Rows that lead from one state to another, drawn as one arrow. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly Row[];
}

/** An arrow that starts outside: from every state, from many of them, or from absence. */
export interface Entry extends Arrow {
  /** The states it starts from, where those are many but not all. */
  readonly begins: readonly string[];
}

/** The drawn form of a machine. */
export interface DiagramModel {
  readonly states: readonly string[];
  readonly arrows: readonly Arrow[];
  /** Rows that keep their state, by state. */
  readonly loops: Readonly<Record<string, readonly Row[]>>;
  readonly entries: readonly Entry[];
  /** Rows that end in absence: the instance is deleted. */
  readonly ends: readonly Row[];
}

const anywhere = 'any state';
export const nowhere = '(none)';

const isAbsence = (state: string) => state.startsWith('(');

/** The states that rows name. */
function namedStates(rows: readonly Row[]): ReadonlySet<string> {
  const all = rows.flatMap((row) => [...row.from, row.to]);
  return new Set(all.filter((state) => state !== 'same' && state !== 'any' && !isAbsence(state)));
}

const add = (into: Map<string, Arrow>, from: string, to: string, row: Row) => {
  const key = `${from}>${to}`;
  into.set(key, { from, to, rows: [...(into.get(key)?.rows ?? []), row] });
};

/**
 * The drawing of a table: arrows between the same two states become one, those that keep their state become loops, and
 * those from every state, or from most of them, become an entry, because seven arrows into the start would hide
 * everything else.
 */
export function diagramOf(machine: Pick<Machine, 'states' | 'rows'>, shown: ReadonlySet<string>): DiagramModel {
  const named = namedStates(machine.rows);
  const arrows = new Map<string, Arrow>();
  const entries = new Map<string, Entry>();
  const loops: Record<string, Row[]> = {};
  const isEverywhere = ({ from }: Row) =>
    from.includes('any') || (from.length > 1 && [...named].every((s) => from.includes(s)));
  const ways = commonWays(machine.rows, named);
  const enter = (from: string, row: Row, begins: readonly string[] = []) => {
    const key = `${from}>${row.to}`;
    entries.set(key, { from, to: row.to, begins, rows: [...(entries.get(key)?.rows ?? []), row] });
  };
  for (const row of machine.rows) {
    if (isAbsence(row.to)) continue;
    if (isEverywhere(row) && row.to !== 'same') {
      enter(anywhere, row);
      continue;
    }
    const way = ways.get(wayOf(row));
    if (way && row.from.some((state) => way.states.includes(state))) enter(way.label, row, way.states);
    for (const from of row.from) {
      if (isAbsence(from)) enter(nowhere, row);
      else if (row.to === 'same' || row.to === from) loops[from] = [...(loops[from] ?? []), row];
      else if (!way) add(arrows, from, row.to, row);
    }
  }
  const drawn = new Set([
    ...[...arrows.values()].flatMap(({ from, to }) => [from, to]),
    ...[...entries.values()].flatMap(({ begins, to }) => [...begins, to]),
  ]);
  return {
    states: machine.states.map(({ name }) => name).filter((name) => drawn.has(name) || shown.has(name)),
    arrows: [...arrows.values()],
    loops,
    entries: [...entries.values()],
    ends: machine.rows.filter((row) => isAbsence(row.to)),
  };
}

/** The label of an arrow: its first events, one per line, and how many more there are. */
export function labelOf(rows: readonly Row[], maxLines: number): readonly string[] {
  const events = [...new Set(rows.map(({ event }) => event))];
  const lines = events.slice(0, maxLines);
  const last = lines.pop() ?? '';
  return [...lines, events.length > maxLines ? `${last} +${events.length - maxLines}` : last];
}
