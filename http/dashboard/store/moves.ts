import { useEffect } from 'preact/hooks';
import type { StreamEvent, Transitions } from '../../api.ts';
import type { Reloading } from './loaded.ts';
import { atOnce, type Concerns, type Reader, readerOf } from './reader.ts';
import type { TypedPath } from '../model/routeAnswers.ts';

type Moves = Transitions['items'];

/** What the moves on a page are of: the object, and one machine of it where the page is about one. */
export interface MovesOf {
  readonly id: string;
  readonly machine?: string;
}

/** The moves that events bring, or null where these are of an object made anew, whose moves are counted from one. */
export function withMoves(known: Moves, events: readonly StreamEvent[], { id, machine }: MovesOf): Moves | null {
  const seen = new Map(known.map((move) => [move.seq, move.at]));
  const applied = events.flatMap(({ event, data }) =>
    event === 'move' && data.id === id && (machine === undefined || data.machine === machine) ? [data] : [],
  );
  if (applied.some(({ seq, at }) => (seen.get(seq) ?? at) !== at)) return null;
  return [...known, ...applied.filter(({ seq }) => !seen.has(seq))].toSorted((a, b) => a.seq - b.seq);
}

/** What the journal keeps of a deleted object is read once more. */
const isGone = ({ event, data }: StreamEvent, id: string): boolean => event === 'deleted' && data.id === id;

/** The stream brings the moves themselves: nothing has to be asked for them. */
const keeperOf =
  (of: MovesOf) =>
  (list: Reader<Transitions>): Concerns =>
  (events) => {
    const { value } = list.loaded.peek();
    const items = value && withMoves(value.items, events, of);
    if (value && items && items.length > value.items.length)
      list.amend((before) => ({ ...before, items: withMoves(before.items, events, of) ?? before.items }));
    return (value !== null && items === null) || events.some((event) => isGone(event, of.id));
  };

const never = () => false;

/** The kept moves of an object, oldest first, and every further one as it is made. */
export function useMoves(path: TypedPath<Transitions>, of: MovesOf): Reloading<Transitions> {
  const reader = readerOf(path, { reading: atOnce(path), keep: keeperOf(of) });
  useEffect(() => reader.follow({ concerns: never }), [reader]);
  return { ...reader.loaded.value, reload: reader.reload };
}
