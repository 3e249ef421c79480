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
/** More than are shown, because some are left out. */
const mostRead = 100;

/** Machines that count failures only: the machine of the object says the same in its own moves. */
const counting: ReadonlySet<string> = new Set(['provisionRetry']);

const keyOf = ({ id, machine, seq }: NamedMove): string => `${id} ${machine} ${seq}`;

/** The moves that people follow, without repetitions, newest first. */
export function newestMoves(moves: readonly NamedMove[]): readonly NamedMove[] {
  const known = new Map(moves.filter(({ machine }) => !counting.has(machine)).map((move) => [keyOf(move), move]));
  return [...known.values()]
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.seq - a.seq))
    .slice(0, mostKept);
}

const movesOf = ({ id, kind, name, items }: Trace): readonly NamedMove[] =>
  items.map((move) => ({ ...move, id, kind, name }));

/** The last moves of every service: read once, then taken from the stream. */
export function useRecentMoves(): readonly NamedMove[] {
  const { value } = useLoaded<Items<Trace>>(api.newestMoves('service', mostRead), never);
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
