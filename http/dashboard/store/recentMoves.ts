import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Fold, foldFlips, isFold } from '../../../rules/moves/foldFlips.ts';
import type { Move, StreamEvent, Trace } from '../../api.ts';
import { pathTo, withQuery } from '../api.ts';
import { listen } from './live.ts';
import { useLoaded } from './loaded.ts';

/** The object that a move was made by. */
interface MovedObject {
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly project: string;
  readonly environment: string;
}

/** A move with its object. */
export interface NamedMove extends Move, MovedObject {}

/** A move, or several to and fro as one, with its object. */
export type RecentRow = NamedMove | (Fold & MovedObject);

const never = () => false;
const maxMoves = 20;
/** Moves that are kept, so that those to and fro fill one row and not the list. */
const maxKept = 400;

/** Machines that count failures only: the machine of the object says the same in its own moves. */
const counting: ReadonlySet<string> = new Set(['provisionRetry']);

const keyOf = ({ id, machine, seq }: NamedMove): string => `${id} ${machine} ${seq}`;

/** The moves that people follow, without repetitions, newest first; one that leads nowhere else is none of them. */
export function newestMoves(moves: readonly NamedMove[]): readonly NamedMove[] {
  const followed = moves.filter(({ machine, from, to }) => from !== to && !counting.has(machine));
  const known = new Map(followed.map((move) => [keyOf(move), move]));
  return [...known.values()].toSorted((a, b) => byTime(b.at, a.at) || b.seq - a.seq);
}

const byTime = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The newest rows of moves: those to and fro of one object are one row. */
export function recentRows(moves: readonly NamedMove[]): readonly RecentRow[] {
  const ofObjects = new Map<string, NamedMove[]>();
  for (const move of newestMoves(moves).toReversed()) ofObjects.set(move.id, [...(ofObjects.get(move.id) ?? []), move]);
  const rows = [...ofObjects.values()].flatMap((own) => foldFlips(own).map((row) => withObject(row, own[0])));
  return rows.toSorted((a, b) => byTime(timeOf(b), timeOf(a)) || seqOf(b) - seqOf(a)).slice(0, maxMoves);
}

const timeOf = (row: RecentRow): string => (isFold(row) ? row.last : row.at);
const seqOf = (row: RecentRow): number => (isFold(row) ? row.lastSeq : row.seq);

function withObject(row: NamedMove | Fold, object: NamedMove | undefined): RecentRow {
  if (!isFold(row)) return row;
  const { name = '', kind = '', id = '', project = '', environment = '' } = object ?? {};
  return { ...row, name, kind, id, project, environment };
}

const movesOf = ({ id, kind, name, project, environment, items }: Trace): readonly NamedMove[] =>
  items.map((move) => ({ ...move, id, kind, name, project, environment }));

const moveIn = (event: StreamEvent): readonly NamedMove[] => {
  if (event.event !== 'move') return [];
  const { project, environment } = event.data.instance;
  return [{ ...event.data, project, environment }];
};

const useNewest = (machine: string): readonly NamedMove[] =>
  (
    useLoaded(
      withQuery(pathTo('GET /machines/{machine}/transitions', { machine }), { newest: String(maxMoves) }),
      never,
    ).value?.items ?? []
  ).flatMap(movesOf);

/** The last moves of some machines, always the same: read once, then taken from the stream with those of all others. */
export function useRecentMoves(machines: readonly string[]): readonly RecentRow[] {
  const read = machines.flatMap(useNewest);
  const arrived = useSignal<readonly NamedMove[]>([]);
  useEffect(
    () =>
      listen((events) => {
        const moves = events.flatMap(moveIn);
        if (moves.length > 0) arrived.value = newestMoves([...arrived.peek(), ...moves]).slice(0, maxKept);
      }),
    [],
  );
  return recentRows([...read, ...arrived.value]);
}
