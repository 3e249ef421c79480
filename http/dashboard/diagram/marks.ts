import type { Arrow, DiagramModel, Entry } from './model.ts';

/** The marks of one instance in the diagram of its machine. */
export interface Marks {
  readonly current: string;
  readonly moves: readonly { readonly from: string; readonly to: string; readonly event: string }[];
  /** Ids of the rows that may be taken next. */
  readonly next: ReadonlySet<string>;
}

export const isVisited = (marks: Marks, state: string): boolean =>
  marks.current === state || marks.moves.some(({ from, to }) => from === state || to === state);

const beginsOf = (arrow: Arrow | Entry): readonly string[] | null => ('begins' in arrow ? arrow.begins : null);

/** The events of an arrow that moves took; the others of the same arrow were not. */
export function takenEvents(marks: Marks, arrow: Arrow | Entry): ReadonlySet<string> {
  const went = marks.moves.filter(
    ({ from, to }) => arrow.to === to && (beginsOf(arrow) !== null || arrow.from === from),
  );
  const events = new Set(arrow.rows.map(({ event }) => event));
  return new Set(went.map(({ event }) => event).filter((event) => events.has(event)));
}

/** `next` for an arrow that may be taken next, else `visited` for one whose row a move took. */
export function markOf(marks: Marks, arrow: Arrow | Entry): 'visited' | 'next' | 'plain' {
  if (isNext(marks, arrow)) return 'next';
  return takenEvents(marks, arrow).size > 0 ? 'visited' : 'plain';
}

/** Whether an arrow leaves the current state by a row that may be taken next; arrows from every state do not count. */
const isNext = (marks: Marks, arrow: Arrow | Entry): boolean =>
  (arrow.from === marks.current || (beginsOf(arrow)?.includes(marks.current) ?? false)) &&
  arrow.rows.some(({ id }) => marks.next.has(id));

/** The drawing with the events that were taken named first, because a label names only some. */
export function takenFirst(marks: Marks, model: DiagramModel): DiagramModel {
  const ordered = <A extends Arrow>(arrow: A): A => {
    const taken = takenEvents(marks, arrow);
    const rows = arrow.rows.toSorted((a, b) => Number(taken.has(b.event)) - Number(taken.has(a.event)));
    return { ...arrow, rows };
  };
  return { ...model, arrows: model.arrows.map(ordered), entries: model.entries.map(ordered) };
}
