import { Effect, Result, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { Unavailable, type Gone, isUndefined, type Refused } from '../services/cluster/cluster.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { askedMs, pauseAfter } from '../services/pause.ts';
import { overAcceptedWatch } from './acceptedWatch.ts';
import { untilServed } from './definition.ts';
import { type ListerOptions, makeLister } from './lister.ts';
import { versionOfChange } from './store.ts';

type WatchFailure = Refused | Unavailable | Gone;

export interface ReflectorOptions<O extends KubeObject> extends ListerOptions<O> {
  readonly silenceMs: number;
}

/** Consecutive failures, by cause. */
interface Streaks {
  failures: number;
  /** Versions that had expired when watched from. */
  tooOld: number;
  /** Lists that found no definition of the kind. */
  unserved: number;
}

const growing = { firstMs: 100, maxMs: 4_000 };

/**
 * The version from which a failed watch resumes; null to list again, because the version expired or the kind has no
 * definition.
 */
export const resumedFrom = (from: string | null, failure: WatchFailure): string | null =>
  failure._tag === 'Gone' || isUndefined(failure) ? null : from;

/** Watches from a version until the watch ends; calls `reached` with each version that it reports. */
function watchFrom<O extends KubeObject>(
  { cluster, resource, scope, store, liveness, silenceMs }: ReflectorOptions<O>,
  streaks: Streaks,
  from: string,
  reached: (version: string) => void,
): Effect.Effect<void, WatchFailure> {
  let acceptedAt = Number.POSITIVE_INFINITY;
  const opened = Effect.andThen(
    liveness.heard,
    Effect.sync(() => void (acceptedAt = liveness.heardAt())),
  );
  const options = { ...scope, resourceVersion: from, silenceMs, opened };
  const watched = overAcceptedWatch(cluster, resource, options, (changes) =>
    Stream.runForEach(changes, (change) => {
      streaks.failures = streaks.tooOld = 0;
      reached(versionOfChange(change));
      store.receive(change);
      return liveness.heard;
    }),
  );
  // A watch that lasted proves the API reachable, even without events.
  const lasted = Effect.map(monotonicMs, (now) => void (now - acceptedAt > growing.maxMs && (streaks.failures = 0)));
  return Effect.ensuring(watched, lasted);
}

/**
 * Lists, then watches forever, each watch from where the last one ended; an expired version leads to a new list. Every
 * failure is retried, with a growing pause.
 */
export function reflect<O extends KubeObject>(options: ReflectorOptions<O>): Effect.Effect<never> {
  const { cluster, resource, store, liveness, synced, silenceMs } = options;
  const lister = makeLister(options);
  const streaks: Streaks = { failures: 0, tooOld: 0, unserved: 0 };

  const clear = Effect.suspend(() => {
    store.clear();
    synced.openUnsafe();
    return liveness.heard;
  });

  /** A defect in a listener ends the current list or watch, not the cache. */
  const crashed = (defect: unknown) =>
    Effect.logError('cache crashed', defect).pipe(
      Effect.annotateLogs({ kind: resource.kind }),
      Effect.andThen(Effect.fail(new Unavailable({ message: 'it crashed' }))),
    );

  /** Prepares the next list or watch. */
  const recover = (failure: WatchFailure | null) =>
    Effect.gen(function* () {
      if (failure?._tag === 'Gone') {
        if (streaks.tooOld++ > 0) yield* Effect.sleep(pauseAfter(streaks.tooOld - 1, growing));
      } else if (failure && isUndefined(failure)) {
        yield* clear;
        yield* untilServed(cluster, resource, { tries: ++streaks.unserved, silenceMs, heard: liveness.heard });
      } else {
        yield* Effect.sleep(Math.max(failure ? askedMs(failure) : 0, pauseAfter(++streaks.failures, growing)));
      }
    });

  return Effect.gen(function* () {
    let from: string | null = null;
    const reached = (version: string) => {
      from = version;
    };
    for (;;) {
      const start: string | null = from;
      const step =
        start === null
          ? Effect.map(lister.list, reached)
          : Effect.raceFirst(watchFrom(options, streaks, start, reached), lister.compare);
      const ended = yield* Effect.result(Effect.catchDefect(step, crashed));
      if (Result.isFailure(ended)) {
        from = resumedFrom(from, ended.failure);
        yield* recover(ended.failure);
      } else if (start === null) {
        streaks.failures = streaks.unserved = 0;
      } else {
        yield* recover(null);
      }
    }
  });
}
