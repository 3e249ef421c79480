import { Effect } from 'effect';
import type { ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import type { MemoryCluster } from '../../support/memoryCluster.ts';
import { aroundCalls, type Called } from '../services/calls.ts';
import { counts } from '../services/counting.ts';
import { relayed } from '../services/relay.ts';
import { isAskedAbout } from '../services/webhook.ts';
import type { AroundOthers } from './others.ts';

/** The number of places for faults, counted in the same way as the faults count. */
export interface Counters {
  reads: number;
  writes: number;
  watches: number;
  /** Changes that watches delivered, by resource plural, in order. */
  readonly events: string[];
  /**
   * For each list, in order, how many changes its resource had had: the number of possible stale views. A list that is
   * refused has none.
   */
  readonly lists: { readonly plural: string; changes: number }[];
  /** Writes that the API asks the webhook of the operator for Postgres about. */
  webhook: number;
  git: number;
  store: number;
  provider: number;
  cloud: number;
  /** Side-effecting calls of each process, the first process first. */
  readonly calls: number[];
  /** Calls of the cluster by each process, reads among them. */
  readonly recordedCalls: number[];
  /** The number of calls before the external change; null when there was none. */
  changedAt: number | null;
  /** The states in which the instance was temporarily idle, in order. */
  readonly states: string[];
}

export const newCounters = (): Counters => ({
  reads: 0,
  writes: 0,
  watches: 0,
  events: [],
  lists: [],
  webhook: 0,
  git: 0,
  store: 0,
  provider: 0,
  cloud: 0,
  calls: [],
  recordedCalls: [],
  changedAt: null,
  states: [],
});

/** The cluster, counting the places for faults. */
export function counted(cluster: MemoryCluster, counters: Counters): ClusterShape {
  const count = <A, E>(called: Called, run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (!counts({}, called.plural)) return run;
      counters[called.is === 'read' ? 'reads' : 'writes']++;
      if (isAskedAbout(called)) counters.webhook++;
      if (called.verb !== 'list') return run;
      const listed = { plural: called.plural, changes: cluster.changesOf(called.plural) };
      counters.lists.push(listed);
      return Effect.tapError(run, () => Effect.sync(() => (listed.changes = 0)));
    });
  return aroundCalls(
    relayed(cluster, ({ plural }) => ({
      opened: () =>
        Effect.sync(() => {
          if (counts({}, plural)) counters.watches++;
        }),
      hear: (change, relay) =>
        Effect.sync(() => {
          if (counts({}, plural)) counters.events.push(plural);
          relay.tell(change);
        }),
    })),
    { read: count, write: count },
  );
}

/** The other services, counting the places for faults. */
export const countedOthers = (counters: Counters): AroundOthers => ({
  git: (_, run) =>
    Effect.suspend(() => {
      counters.git++;
      return run;
    }),
  store: (_, run) =>
    Effect.suspend(() => {
      counters.store++;
      return run;
    }),
  provider: (_, run) =>
    Effect.suspend(() => {
      counters.provider++;
      return run;
    }),
  cloud: (_, run) =>
    Effect.suspend(() => {
      counters.cloud++;
      return run;
    }),
});
