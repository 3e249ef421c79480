import { type Fold, foldFlips, isFold } from '../../../rules/moves/foldFlips.ts';
import type { Transitions } from '../../api.ts';

export type ShownMove = Transitions['items'][number];

/** A move, or several to and fro as one. */
export type MoveRow = ShownMove | Fold;

/** Moves that came within a second of each other, newest first. */
export interface MoveGroup {
  readonly at: string;
  readonly moves: readonly MoveRow[];
  /** When the newest of them was followed by another move of its machine; null while it is the last. */
  readonly until: string | null;
}

const groupMs = 1000;

/** The moves of some machines, or of all where none is chosen. */
export const ofMachine = (moves: readonly ShownMove[], machine: string): readonly ShownMove[] =>
  machine === '' ? moves : moves.filter((move) => move.machine === machine);

/** The machines that made moves, each once. */
export const machinesIn = (moves: readonly ShownMove[]): readonly string[] => [
  ...new Set(moves.map(({ machine }) => machine)),
];

/** When a row came to its state. */
const timeOf = (row: MoveRow): string => (isFold(row) ? row.last : row.at);

/** The number of a row, as the address of its page names it. */
export const seqOf = (row: MoveRow): number => (isFold(row) ? row.lastSeq : row.seq);

/** The row that shows a move: itself, or the one that it is folded into. */
export const rowOf = (rows: readonly MoveRow[], { seq, machine }: Pick<ShownMove, 'seq' | 'machine'>) =>
  rows.find((row) =>
    isFold(row) ? row.machine === machine && row.firstSeq <= seq && seq <= row.lastSeq : row.seq === seq,
  );

/** `flipped 12 times between Ready and Provisioning`. */
export const flipText = ({ count, from, to }: Fold, shownOf: (state: string) => string): string =>
  `flipped ${count} times between ${shownOf(from)} and ${shownOf(to)}`;

/** The state after moves to and fro. */
export const stateAfter = ({ count, from, to }: Fold): string => (count % 2 === 0 ? from : to);

/** Moves newest first, those to and fro as one, and those within a second as one group. */
export function groupedMoves(moves: readonly ShownMove[]): readonly MoveGroup[] {
  const oldestFirst = moves.toSorted((a, b) => a.seq - b.seq);
  const sorted = foldFlips(oldestFirst).toReversed();
  const groups: { at: string; moves: MoveRow[]; until: string | null }[] = [];
  for (const [index, row] of sorted.entries()) {
    const last = groups.at(-1);
    const at = timeOf(row);
    if (last && Date.parse(last.at) - Date.parse(at) <= groupMs) last.moves.push(row);
    else groups.push({ at, moves: [row], until: followedAt(sorted.slice(0, index), row) });
  }
  return groups;
}

const followedAt = (newer: readonly MoveRow[], { machine }: MoveRow): string | null => {
  const next = newer.findLast((row) => row.machine === machine);
  return next === undefined ? null : isFold(next) ? next.first : next.at;
};
