import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isoTime, msOf } from '../../rules/time.ts';
import { statusOf, withStatus } from './status.ts';
import { gone } from './step.ts';

/** The number of moves of each machine that an object keeps. */
const kept = 20;

const none: readonly HistoryEntry[] = [];

/** The kept moves of all machines of an object, oldest first. */
export const historyOf = (object: KubeObject): readonly HistoryEntry[] =>
  (statusOf(object)['history'] as readonly HistoryEntry[] | undefined) ?? none;

type Newest = Map<string, Map<string | undefined, HistoryEntry>>;

const newestIn = new WeakMap<readonly HistoryEntry[], Newest>();

/** Indexes the newest move of each machine and entry, because a pass looks them up one by one. */
function newestOf(history: readonly HistoryEntry[]): Newest {
  const known = newestIn.get(history);
  if (known) return known;
  const newest: Newest = new Map();
  for (const entry of history) {
    const ofMachine = newest.get(entry.machine) ?? new Map<string | undefined, HistoryEntry>();
    newest.set(entry.machine, ofMachine.set(entry.item, entry));
  }
  newestIn.set(history, newest);
  return newest;
}

/** The newest move of a machine, or of one list entry with that machine. */
export const newestMove = (object: KubeObject, machine: string, item?: string): HistoryEntry | undefined =>
  newestOf(historyOf(object)).get(machine)?.get(item);

/** The time of an object's next move: now, but always later than its last move. */
export const nextMoveAt = (object: KubeObject, now: number): string => {
  const newest = historyOf(object).at(-1);
  return isoTime(newest ? Math.max(now, msOf(newest.at) + 1) : now);
};

/** The number of an object's next move. */
export const nextSeq = (object: KubeObject): number => (historyOf(object).at(-1)?.seq ?? 0) + 1;

/**
 * Appends a move to the history, which keeps the newest 20 of each machine. A machine of list entries keeps the newest
 * 20 of all, and every move of an entry in progress.
 */
export function withEntered<O extends KubeObject>(
  object: O,
  entry: HistoryEntry,
  isOverIn: (state: string) => boolean = () => true,
): O {
  const before = historyOf(object);
  const mine = before.filter(({ machine }) => machine === entry.machine);
  const dropped = mine.length < kept ? undefined : droppable(mine, entry, isOverIn);
  return withStatus(object, { history: [...before.filter((old) => old !== dropped), entry] });
}

/** The oldest move that may be dropped: not among the newest, nor of an entry in progress. */
function droppable(
  mine: readonly HistoryEntry[],
  entry: HistoryEntry,
  isOverIn: (state: string) => boolean,
): HistoryEntry | undefined {
  const newest = new Map([...mine, entry].map(({ item, to }) => [item, to]));
  const isUnderWay = ({ item }: HistoryEntry) => item !== undefined && !isOver(newest.get(item) ?? gone, isOverIn);
  return mine.slice(0, mine.length - kept + 1).find((move) => !isUnderWay(move));
}

const isOver = (state: string, isOverIn: (state: string) => boolean) => state === gone || isOverIn(state);

/** Appends a move, numbered after the last one. */
export const withMove = <O extends KubeObject>(object: O, move: Omit<HistoryEntry, 'seq'>): O =>
  withEntered(object, { seq: nextSeq(object), ...move });
