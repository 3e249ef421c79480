import type { HistoryEntry, KubeObject } from '../crds/kind.ts';
import { isoTime, msOf } from '../rules/time.ts';
import { statusOf, withStatus } from './status.ts';

/** Moves of each machine that an object keeps. */
const kept = 20;

export const historyOf = (object: KubeObject): readonly HistoryEntry[] =>
  (statusOf(object)['history'] as readonly HistoryEntry[] | undefined) ?? [];

export const newestMove = (object: KubeObject, machine: string): HistoryEntry | undefined =>
  historyOf(object).findLast((entry) => entry.machine === machine);

/** The time of an object's next move: now, and always later than the move before it. */
export const nextMoveAt = (object: KubeObject, now: number): string => {
  const newest = historyOf(object).at(-1);
  return isoTime(newest ? Math.max(now, msOf(newest.at) + 1) : now);
};

/** The object with one more move in its history, the newest 20 of each machine kept. */
export function withMove<O extends KubeObject>(object: O, move: Omit<HistoryEntry, 'seq'>): O {
  const before = historyOf(object);
  const entry: HistoryEntry = { seq: (before.at(-1)?.seq ?? 0) + 1, ...move };
  const mine = before.filter(({ machine }) => machine === move.machine);
  const dropped = mine.length < kept ? undefined : mine[0];
  return withStatus(object, { history: [...before.filter((old) => old !== dropped), entry] });
}
