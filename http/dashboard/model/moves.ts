import type { Transitions } from '../../api.ts';

export type ShownMove = Transitions['items'][number];

/** Moves that came within a second of each other, newest first. */
export interface MoveGroup {
  readonly at: string;
  readonly moves: readonly ShownMove[];
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

/** Moves newest first, those within a second as one group. */
export function groupedMoves(moves: readonly ShownMove[]): readonly MoveGroup[] {
  const sorted = moves.toSorted((a, b) => b.seq - a.seq);
  const groups: { at: string; moves: ShownMove[]; until: string | null }[] = [];
  for (const [index, move] of sorted.entries()) {
    const last = groups.at(-1);
    if (last && Date.parse(last.at) - Date.parse(move.at) <= groupMs) last.moves.push(move);
    else groups.push({ at: move.at, moves: [move], until: followedAt(sorted.slice(0, index), move) });
  }
  return groups;
}

const followedAt = (newer: readonly ShownMove[], { machine }: ShownMove): string | null =>
  newer.findLast((move) => move.machine === machine)?.at ?? null;
