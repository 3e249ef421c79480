import { Effect, Latch, Result, type Scope, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { isLater } from '../../rules/version.ts';
import { overAcceptedWatch } from './acceptedWatch.ts';
import { type Changed, enterChange, forgetAllBut, type Indexer, makeIndexer, versionOf } from './indexer.ts';
import { untilServed } from './definition.ts';
import { type Key, keyIn, keyOf } from './key.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { askedMs, pauseAfter } from '../services/pause.ts';
import {
  Unavailable,
  Cluster,
  type Gone,
  isUndefined,
  type Refused,
  type Resource,
  type Watched,
} from '../services/cluster/cluster.ts';

export type { Changed } from './indexer.ts';

/** The cached objects of one resource, kept current by list and watch. Callers must not mutate what it returns. */
export interface Cache<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  /** For a namespaced resource, `namespace` defaults to core-system. */
  readonly get: (name: string, namespace?: string) => O | undefined;
  readonly list: (namespace?: string) => readonly O[];
  readonly indexed: (index: string, value: string) => readonly O[];
  /**
   * Stores an object that this process has just read or written, unless the watch has already reported something later.
   */
  readonly note: (object: O) => void;
  /** Returns the unsubscriber. */
  readonly onChange: (listener: (changed: Changed<O>) => void) => () => void;
  readonly synced: Effect.Effect<void>;
  /** ms since the API last sent a change, a bookmark or a list, or accepted a watch. */
  readonly age: Effect.Effect<number>;
}

export interface CacheOptions {
  readonly silenceMs?: number;
  /** When the cache is first compared with a list; several caches do so at different times. */
  readonly compareAfterMs?: number;
}

/** A watch that is silent for this long is considered dead: twice the bookmark interval of a real API server. */
export const defaultSilenceMs = 120_000;
/**
 * A change that the watch missed is found within this time: rare enough that a list of 20,000 objects costs nothing
 * noticeable, and no longer than people wait before they investigate what hangs.
 */
export const compareEveryMs = 600_000;
/** A list that failed, or showed an older state, proves nothing, so the next one follows after this time. */
export const compareAgainMs = 60_000;
/** A timer may fire this early; that still is its turn and causes no second list. */
const timerEarlyMs = 1_000;
const pageSize = 500;
const growing = { firstMs: 100, maxMs: 4_000 };

/**
 * The version from which a failed watch is begun again; null where everything is listed anew, because the version is
 * too old or the kind has no definition.
 */
export const resumedFrom = (from: string | null, failure: Refused | Unavailable | Gone): string | null =>
  failure._tag === 'Gone' || isUndefined(failure) ? null : from;

/**
 * A cache over list and watch. A watch that ends, fails or falls silent resumes where it was; one that is too old leads
 * to a new list; every failure is retried forever, with a growing pause. Beside the watch a list is read every ten
 * minutes, in case the watch missed a change. A kind without a definition is empty and synced until it has one.
 */
export const makeCache = <O extends KubeObject>(
  resource: Resource<O>,
  { silenceMs = defaultSilenceMs, compareAfterMs = compareEveryMs }: CacheOptions = {},
): Effect.Effect<Cache<O>, never, Cluster | Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const { everywhere, indexes = [], ...selection } = resource.cached ?? {};
    const scope = { ...(everywhere && { namespace: 'all' }), ...selection };
    const home = resource.namespaced ? systemNamespace : '';
    const indexer: Indexer<O> = makeIndexer(indexes);
    const ready = Latch.makeUnsafe(false);
    let heardAt = yield* monotonicMs;
    /** The newest version that the watch or a list has reported; an older note never undoes it. */
    let reported = '0';
    /** A list has shown everything up to this version, so watch events up to it are ignored. */
    let listed = '0';
    /** Deletions that the watch reports while a list is under way; null while none is. */
    let deletedMeanwhile: Map<Key, string> | null = null;
    const firstComparisonAt = heardAt + compareAfterMs;
    let compareAt = firstComparisonAt;

    /** The API answers, although it may have nothing to report: a quiet kind is not a stale one. */
    const heard = Effect.map(monotonicMs, (now) => void (heardAt = now));
    const hear = (version: string) =>
      Effect.map(heard, () => {
        if (isLater(version, reported)) reported = version;
      });

    /** Each cache keeps to its own turn, even after an outage that made all of them list at the same moment. */
    const nextTurn = (now: number) => {
      const turns = Math.floor((now + timerEarlyMs - firstComparisonAt) / compareEveryMs) + 1;
      return firstComparisonAt + compareEveryMs * Math.max(0, turns);
    };

    /** Lists everything and stores what differs; returns the version of the list. */
    const list = Effect.gen(function* () {
      const origin = ready.isOpen() ? 'reported' : 'initial';
      const reportedBefore = reported;
      const deleted = new Map<Key, string>();
      deletedMeanwhile = deleted;
      const found = new Set<Key>();
      let page = yield* cluster.list(resource, { ...scope, limit: pageSize });
      for (;;) {
        const isOld = isLater(reportedBefore, page.resourceVersion);
        for (const object of page.items) {
          const key = keyOf(object);
          found.add(key);
          const isGone = isOld || isLater(deleted.get(key) ?? '0', versionOf(object));
          if (indexer.get(key) || !isGone) indexer.put(object, origin);
        }
        if (page.continue === undefined || page.continue === '') break;
        page = yield* cluster.list(resource, { ...scope, limit: pageSize, continue: page.continue });
      }
      const { resourceVersion } = page;
      forgetAllBut(indexer, found, resourceVersion);
      if (isLater(resourceVersion, listed)) listed = resourceVersion;
      yield* hear(resourceVersion);
      compareAt = isLater(reportedBefore, resourceVersion) ? heardAt + compareAgainMs : nextTurn(heardAt);
      ready.openUnsafe();
      return resourceVersion;
    }).pipe(Effect.ensuring(Effect.sync(() => void (deletedMeanwhile = null))));

    const receive = (change: Watched<O>) => {
      if (change.type === 'bookmark') return hear(change.resourceVersion);
      const { object } = change;
      const version = versionOf(object);
      if (change.type === 'deleted') deletedMeanwhile?.set(keyOf(object), version);
      enterChange(indexer, change, listed);
      return hear(version);
    };

    /** Lists beside the running watch whenever the next list is due. A failed list does not disturb the watch. */
    const compare = Effect.gen(function* () {
      for (;;) {
        yield* Effect.sleep(compareAt - (yield* monotonicMs));
        const compared = yield* Effect.result(list);
        if (Result.isFailure(compared)) compareAt = (yield* monotonicMs) + compareAgainMs;
      }
    });

    let failures = 0;
    /** Consecutive versions that were too old as soon as they were watched from. */
    let tooOld = 0;
    /** Consecutive lists that found no definition of the kind. */
    let unserved = 0;

    const watch = (from: string, reached: (version: string) => void) => {
      let acceptedAt = Number.POSITIVE_INFINITY;
      const opened = Effect.andThen(
        heard,
        Effect.sync(() => void (acceptedAt = heardAt)),
      );
      const options = { ...scope, resourceVersion: from, silenceMs, opened };
      const followed = overAcceptedWatch(cluster, resource, options, (changes) =>
        Stream.runForEach(changes, (change) => {
          failures = tooOld = 0;
          reached(change.type === 'bookmark' ? change.resourceVersion : versionOf(change.object));
          return receive(change);
        }),
      );
      // A watch that stood for long shows that the API is there, although it had nothing to report.
      const stood = Effect.map(monotonicMs, (now) => void (now - acceptedAt > growing.maxMs && (failures = 0)));
      return Effect.ensuring(followed, stood);
    };

    /** Deleting the definition of a kind deletes all its objects. */
    const empty = Effect.sync(() => {
      for (const object of indexer.list()) indexer.forget(keyOf(object), versionOf(object));
      ready.openUnsafe();
    }).pipe(Effect.andThen(heard));

    /** A defect in a listener costs the list or watch under way, not the cache. */
    const crashed = (defect: unknown) =>
      Effect.logError('cache crashed', defect).pipe(
        Effect.annotateLogs({ kind: resource.kind }),
        Effect.andThen(Effect.fail(new Unavailable({ message: 'it crashed' }))),
      );

    /**
     * Lists, then watches forever, each watch from where the last one ended; one that is too old leads to a new list.
     */
    const follow = Effect.gen(function* () {
      let from: string | null = null;
      const reached = (version: string) => {
        from = version;
      };
      for (;;) {
        const start: string | null = from;
        const step = start === null ? Effect.map(list, reached) : Effect.raceFirst(watch(start, reached), compare);
        const ended = yield* Effect.result(Effect.catchDefect(step, crashed));
        if (Result.isFailure(ended)) from = resumedFrom(from, ended.failure);
        if (Result.isSuccess(ended) && start === null) {
          failures = unserved = 0;
        } else if (Result.isFailure(ended) && ended.failure._tag === 'Gone') {
          if (tooOld++ > 0) yield* Effect.sleep(pauseAfter(tooOld - 1, growing));
        } else if (Result.isFailure(ended) && isUndefined(ended.failure)) {
          yield* empty;
          yield* untilServed(cluster, resource, { tries: ++unserved, silenceMs, heard });
        } else {
          const asked = Result.isFailure(ended) ? askedMs(ended.failure) : 0;
          yield* Effect.sleep(Math.max(asked, pauseAfter(++failures, growing)));
        }
      }
    });
    yield* Effect.forkScoped(follow);

    return {
      resource,
      get: (name, namespace = home) => indexer.get(keyIn(namespace, name)),
      list: (namespace) =>
        namespace === undefined
          ? indexer.list()
          : indexer.list().filter(({ metadata }) => metadata.namespace === namespace),
      indexed: indexer.indexed,
      note: (object) => {
        if (indexer.get(keyOf(object)) || isLater(versionOf(object), reported)) indexer.put(object, 'own');
      },
      onChange: indexer.onChange,
      synced: ready.await,
      age: Effect.map(monotonicMs, (now) => now - heardAt),
    };
  });
