import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Items, Move, Trace } from '../../api.ts';
import { api } from '../api.ts';
import { listen } from './live.ts';
import { useLoaded } from './loaded.ts';

/** A move with the object that it was made by. */
export interface NamedMove extends Move {
  readonly name: string;
  readonly kind: string;
  readonly id: string;
}

const never = () => false;
const mostKept = 20;

const keyOf = ({ id, machine, seq }: NamedMove): string => `${id} ${machine} ${seq}`;

/** Moves without repetitions, newest first. */
export function newestMoves(moves: readonly NamedMove[]): readonly NamedMove[] {
  const known = new Map(moves.map((move) => [keyOf(move), move]));
  return [...known.values()]
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.seq - a.seq))
    .slice(0, mostKept);
}

const movesOf = ({ id, kind, name, items }: Trace): readonly NamedMove[] =>
  items.map((move) => ({ ...move, id, kind, name }));

/** The last moves of every service: read once, then taken from the stream. */
export function useRecentMoves(): readonly NamedMove[] {
  const { value } = useLoaded<Items<Trace>>(api.moves('service'), never);
  const arrived = useSignal<readonly NamedMove[]>([]);
  useEffect(
    () =>
      listen((events) => {
        const moves = events.flatMap((event) => (event.event === 'move' ? [event.data] : []));
        if (moves.length > 0) arrived.value = newestMoves([...arrived.peek(), ...moves]);
      }),
    [],
  );
  return newestMoves([...(value?.items ?? []).flatMap(movesOf), ...arrived.value]);
}
