import { Effect, type Latch, Result } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { monotonicMs } from '../services/monotonic.ts';
import type { ClusterShape, Gone, Refused, Resource, Selection, Unavailable } from '../services/cluster/cluster.ts';
import type { Liveness } from './liveness.ts';
import type { Store } from './store.ts';

/**
 * A change that the watch missed is found within this time: rare enough to make lists of 20,000 objects negligible, and
 * within the time people wait before they investigate.
 */
export const compareEveryMs = 600_000;
/** A list that failed, or showed an older state, proves nothing, so the next one follows after this time. */
export const compareAgainMs = 60_000;
/** A timer may fire this early without causing a second list. */
const timerEarlyMs = 1_000;
const pageSize = 500;

type Failure = Refused | Unavailable | Gone;

/** Lists one resource into its store. */
export interface Lister {
  /** Lists everything and stores what differs; returns the version of the list. */
  readonly list: Effect.Effect<string, Failure>;
  /** Lists periodically beside the watch, which a failed list does not affect. */
  readonly compare: Effect.Effect<never>;
}

export interface ListerOptions<O extends KubeObject> {
  readonly cluster: ClusterShape;
  readonly resource: Resource<O>;
  readonly scope: Selection & { readonly namespace?: string };
  readonly store: Store<O>;
  readonly liveness: Liveness;
  /** Opened with the first list, or once the kind is known to have no definition. */
  readonly synced: Latch.Latch;
  /** The delay before the first list beside the watch. */
  readonly compareAfterMs: number;
}

/** Keeps the caches apart in time, even after an outage that made all of them list at the same moment. */
function nextTurn(firstAt: number, now: number): number {
  const turns = Math.floor((now + timerEarlyMs - firstAt) / compareEveryMs) + 1;
  return firstAt + compareEveryMs * Math.max(0, turns);
}

export function makeLister<O extends KubeObject>(options: ListerOptions<O>): Lister {
  const { cluster, resource, scope, store, liveness, synced, compareAfterMs } = options;
  const firstComparisonAt = liveness.heardAt() + compareAfterMs;
  let compareAt = firstComparisonAt;

  const list = Effect.suspend(() => {
    const open = store.openList(synced.isOpen() ? 'reported' : 'initial');
    return Effect.gen(function* () {
      let page = yield* cluster.list(resource, { ...scope, limit: pageSize });
      for (;;) {
        open.enter(page.items, page.resourceVersion);
        if (page.continue === undefined || page.continue === '') break;
        page = yield* cluster.list(resource, { ...scope, limit: pageSize, continue: page.continue });
      }
      const isOlder = open.finish(page.resourceVersion);
      yield* liveness.heard;
      const now = liveness.heardAt();
      compareAt = isOlder ? now + compareAgainMs : nextTurn(firstComparisonAt, now);
      synced.openUnsafe();
      return page.resourceVersion;
    }).pipe(Effect.ensuring(Effect.sync(open.close)));
  });

  const compare = Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep(compareAt - (yield* monotonicMs));
      const compared = yield* Effect.result(list);
      if (Result.isFailure(compared)) compareAt = (yield* monotonicMs) + compareAgainMs;
    }
  });

  return { list, compare };
}
