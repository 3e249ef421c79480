import { Effect } from 'effect';
import type { ClusterShape } from '../../../runtime/services/cluster.ts';
import type { MemoryCluster } from '../../support/memoryCluster.ts';
import { aroundCalls, type Called } from '../services/calls.ts';
import { counts } from '../services/counting.ts';
import { relayed } from '../services/relay.ts';
import type { AroundOthers } from './others.ts';

/** How much there is to strike: every number counts as the troubles count. */
export interface Tally {
  reads: number;
  writes: number;
  watches: number;
  /** Changes that watches told, by the plural of each in the order they came. */
  readonly events: string[];
  /** For each list, in their order, how many changes of its resource there had been: views older than now. */
  readonly lists: { readonly plural: string; readonly changes: number }[];
  git: number;
  store: number;
  /** Calls of each process that leave something behind, the first process first. */
  readonly calls: number[];
  /** How many calls there had been when something was changed by hand; null when nothing was. */
  changedAt: number | null;
  /** The states in which the instance was at rest for a moment, in their order. */
  readonly states: string[];
}

export const freshTally = (): Tally => ({
  reads: 0,
  writes: 0,
  watches: 0,
  events: [],
  lists: [],
  git: 0,
  store: 0,
  calls: [],
  changedAt: null,
  states: [],
});

/** The cluster, with what could be struck counted. */
export function tallied(cluster: MemoryCluster, tally: Tally): ClusterShape {
  const count = <A, E>(called: Called, run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (!counts({}, called.plural)) return run;
      tally[called.is === 'read' ? 'reads' : 'writes']++;
      if (called.verb === 'list')
        tally.lists.push({ plural: called.plural, changes: cluster.changesOf(called.plural) });
      return run;
    });
  return aroundCalls(
    relayed(cluster, ({ plural }) => ({
      opened: () =>
        Effect.sync(() => {
          if (counts({}, plural)) tally.watches++;
        }),
      hear: (change, relay) =>
        Effect.sync(() => {
          if (counts({}, plural)) tally.events.push(plural);
          relay.tell(change);
        }),
    })),
    { read: count, write: count },
  );
}

/** The other services, with what could be struck counted. */
export const talliedOthers = (tally: Tally): AroundOthers => ({
  git: (_, run) =>
    Effect.suspend(() => {
      tally.git++;
      return run;
    }),
  store: (_, run) =>
    Effect.suspend(() => {
      tally.store++;
      return run;
    }),
});
