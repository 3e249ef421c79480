import * as fc from 'fast-check';
import type { HistoryEntry } from '../../crds/kind.ts';
import { isoTime } from '../../rules/time.ts';
import { arrowsOf } from '../tables/arrows.ts';
import type { Parsed } from '../tables/parse.ts';

const start = Date.UTC(2027, 0, 1);

/** Lives that a table allows, as a runtime would record them: each arrow begins where the one before it led. */
export function tracesOf(table: Parsed, machine: string): fc.Arbitrary<readonly HistoryEntry[]> {
  const arrows = arrowsOf(table).filter(({ absent }) => !absent);
  const shortest = Math.min(1_000, ...table.deadlines.map(({ atMostMs }) => atMostMs));
  const choice = fc.record({ arrow: fc.nat(), afterMs: fc.integer({ min: 1, max: shortest }) });
  return fc.array(choice, { minLength: 3, maxLength: 19, size: 'max' }).map((choices) => {
    const moves: HistoryEntry[] = [];
    let at = start;
    for (const { arrow, afterMs } of choices) {
      const last = moves.at(-1);
      const open = last ? arrows.filter(({ from }) => from === last.to) : arrows;
      const taken = open[arrow % open.length];
      if (!taken) break;
      at += afterMs;
      const { from, event, to } = taken;
      moves.push({ seq: moves.length + 1, machine, from, event, to, by: 'operator', at: isoTime(at), text: '' });
    }
    return moves;
  });
}

/** One thing wrong with a trace, and the move it is done to. */
export interface Spoiling {
  readonly what: string;
  /** The moves it may be done to, of so many. */
  readonly where: (length: number) => readonly number[];
  spoil(moves: readonly HistoryEntry[], index: number): readonly HistoryEntry[];
}

const replaced = (change: (move: HistoryEntry) => HistoryEntry) => (moves: readonly HistoryEntry[], index: number) =>
  moves.map((move, each) => (each === index ? change(move) : move));
const everywhere = (length: number) => [...Array.from({ length }).keys()];
const shift = (move: HistoryEntry, ms: number): HistoryEntry => ({ ...move, at: isoTime(Date.parse(move.at) + ms) });
const hour = 3_600_000;

/** Ways in which a recording lies. The last move may be missing unnoticed where nobody knows where the object stands. */
export const spoilings: readonly Spoiling[] = [
  {
    what: 'a move is missing',
    where: (length) => everywhere(length - 1),
    spoil: (moves, index) => moves.filter((_, each) => each !== index),
  },
  {
    what: 'a move stands twice',
    where: everywhere,
    spoil: (moves, index) => moves.flatMap((move, each) => (each === index ? [move, move] : [move])),
  },
  {
    what: 'two moves are exchanged',
    where: (length) => everywhere(length - 1),
    spoil: (moves, index) => [
      ...moves.slice(0, index),
      ...moves.slice(index, index + 2).toReversed(),
      ...moves.slice(index + 2),
    ],
  },
  { what: 'an event nobody knows', where: everywhere, spoil: replaced((move) => ({ ...move, event: 'wished' })) },
  { what: 'a state nobody knows', where: everywhere, spoil: replaced((move) => ({ ...move, to: 'Nowhere' })) },
  { what: 'it begins elsewhere', where: everywhere, spoil: replaced((move) => ({ ...move, from: 'Nowhere' })) },
  {
    what: 'a time before its time',
    where: (length) => everywhere(length).slice(1),
    spoil: replaced((move) => shift(move, -hour)),
  },
  { what: 'a time to come', where: everywhere, spoil: replaced((move) => shift(move, 1_000_000 * hour)) },
  { what: 'no time at all', where: everywhere, spoil: replaced((move) => ({ ...move, at: 'yesterday' })) },
];
