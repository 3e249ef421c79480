import type { HistoryEntry } from '../../crds/kind.ts';

/** What folding reads of a move. */
export type Foldable = Pick<HistoryEntry, 'seq' | 'machine' | 'item' | 'from' | 'to' | 'at' | 'text'>;

/** Moves of one machine to and fro between two states. */
export interface Fold {
  readonly fold: true;
  readonly machine: string;
  /** The state before the first move; after an even count also the state after the last one. */
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** When the first and the last of them happened. */
  readonly first: string;
  readonly last: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly text: string;
}

/** So many moves to and fro become one item; fewer stay as they are. */
const foldedFrom = 4;

export const isFold = (item: object): item is Fold => 'fold' in item;

/**
 * Replaces each run of four or more moves that one machine made to and fro between two states by one item, at the place
 * of its last move. Expects the moves oldest first. Moves of other machines do not end a run, nor do those of other
 * instances, which `instanceOf` tells apart.
 */
export function foldFlips<M extends Foldable>(
  moves: readonly M[],
  instanceOf: (move: M) => string = ({ item }) => item ?? '',
): readonly (M | Fold)[] {
  const folds = new Map<M, Fold>();
  const folded = new Set<M>();
  for (const run of runsIn(moves, instanceOf)) {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined || run.length < foldedFrom) continue;
    folds.set(last, foldOf(first, last, run.length));
    for (const move of run) folded.add(move);
  }
  return moves.flatMap((move) => folds.get(move) ?? (folded.has(move) ? [] : move));
}

/** The longest runs of moves to and fro, each move in one of them. */
function runsIn<M extends Foldable>(moves: readonly M[], instanceOf: (move: M) => string): readonly (readonly M[])[] {
  const runs: M[][] = [];
  const open = new Map<string, M[]>();
  for (const move of moves) {
    const key = JSON.stringify([move.machine, instanceOf(move)]);
    const run = open.get(key);
    const before = run?.at(-1);
    if (run && before && isBack(before, move)) run.push(move);
    else {
      const begun = [move];
      open.set(key, begun);
      runs.push(begun);
    }
  }
  return runs;
}

const isBack = (one: Foldable, next: Foldable): boolean =>
  one.from !== one.to && one.from === next.to && one.to === next.from;

const foldOf = ({ machine, from, to, at, seq }: Foldable, last: Foldable, count: number): Fold => ({
  fold: true,
  machine,
  from,
  to,
  count,
  first: at,
  last: last.at,
  firstSeq: seq,
  lastSeq: last.seq,
  text: `${count} moves between ${from} and ${to}${last.text === '' ? '' : `; last: ${last.text}`}`,
});
