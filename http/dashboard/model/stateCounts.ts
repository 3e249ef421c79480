import type { Machine } from '../../api.ts';

/** How many instances are in a state; null while that is not known. */
export interface StateCount {
  readonly state: string;
  readonly shown: string;
  readonly count: number | null;
}

/** A state whose instances are counted. */
type Counted = StateCount & { readonly count: number };

type Counts = Readonly<Record<string, number>>;

/** The states of a machine with their counts; one that no arrow reaches is there only while it has instances. */
export function stateCounts({ states, initial, rows }: Machine, counts: Counts): readonly Counted[] {
  const known = new Map(states.map(({ name, shown }) => [name, shown]));
  const reached = new Set([initial, ...rows.map(({ to }) => to)]);
  const others = Object.keys(counts).filter((state) => !known.has(state));
  return [...known.keys(), ...others]
    .map((state) => ({ state, shown: known.get(state) ?? state, count: counts[state] ?? 0 }))
    .filter(({ state, count }) => reached.has(state) || count > 0);
}

/** States whose things are not counted yet. */
export const uncountedStates = (order: readonly (readonly [state: string, shown: string])[]): readonly StateCount[] =>
  order.map(([state, shown]) => ({ state, shown, count: null }));

/** How many of some things are in each state. */
export function byState(items: readonly { readonly state: string }[]): Counts {
  const counts: Record<string, number> = {};
  for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** The states that things are in, with their counts, the first in the order given. */
export const countedStates = (
  counts: Counts,
  order: readonly (readonly [state: string, shown: string])[],
): readonly Counted[] =>
  order.map(([state, shown]) => ({ state, shown, count: counts[state] ?? 0 })).filter(({ count }) => count > 0);

/** The number of all things that are counted by state. */
export const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
