import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Move, StreamEvent, Trace } from '../../api.ts';
import { pathTo, withQuery } from '../api.ts';
import { listen } from './live.ts';
import { useLoaded } from './loaded.ts';

/** A move with the object that it was made by. */
export interface NamedMove extends Move {
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly project: string;
  readonly environment: string;
}

const never = () => false;
const maxMoves = 20;

/** Machines that count failures only: the machine of the object says the same in its own moves. */
const counting: ReadonlySet<string> = new Set(['provisionRetry']);

const keyOf = ({ id, machine, seq }: NamedMove): string => `${id} ${machine} ${seq}`;

/** The moves that people follow, without repetitions, newest first; one that leads nowhere else is none of them. */
export function newestMoves(moves: readonly NamedMove[]): readonly NamedMove[] {
  const followed = moves.filter(({ machine, from, to }) => from !== to && !counting.has(machine));
  const known = new Map(followed.map((move) => [keyOf(move), move]));
  return [...known.values()]
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.seq - a.seq))
    .slice(0, maxMoves);
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
export function useRecentMoves(machines: readonly string[]): readonly NamedMove[] {
  const read = machines.flatMap(useNewest);
  const arrived = useSignal<readonly NamedMove[]>([]);
  useEffect(
    () =>
      listen((events) => {
        const moves = events.flatMap(moveIn);
        if (moves.length > 0) arrived.value = newestMoves([...arrived.peek(), ...moves]);
      }),
    [],
  );
  return newestMoves([...read, ...arrived.value]);
}
