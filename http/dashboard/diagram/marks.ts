import type { Arrow, Entry } from './model.ts';

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

/** `next` for an arrow that may be taken next, else `visited` for one whose row a move took. */
export function markOf(marks: Marks, arrow: Arrow | Entry): 'visited' | 'next' | 'plain' {
  const goes = (move: Marks['moves'][number]) =>
    arrow.to === move.to &&
    (beginsOf(arrow) !== null || arrow.from === move.from) &&
    arrow.rows.some(({ event }) => event === move.event);
  if (isNext(marks, arrow)) return 'next';
  return marks.moves.some(goes) ? 'visited' : 'plain';
}

/** Whether an arrow leaves the current state by a row that may be taken next; arrows from every state do not count. */
export const isNext = (marks: Marks, arrow: Arrow | Entry): boolean =>
  (arrow.from === marks.current || (beginsOf(arrow)?.includes(marks.current) ?? false)) &&
  arrow.rows.some(({ id }) => marks.next.has(id));
