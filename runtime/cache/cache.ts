import { Effect, Latch, Result, type Scope, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { isLater } from '../../rules/version.ts';
import { type Changed, type Indexer, type Key, keyIn, keyOf, makeIndexer, versionOf } from './indexer.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { askedMs, pauseAfter } from '../services/pause.ts';
import { Away, Cluster, type Gone, type Refused, type Resource, type Watched } from '../services/cluster.ts';

export type { Changed } from './indexer.ts';

/** The objects of one resource, as far as it is cached, kept true by list and watch. Nobody may change what it gives. */
export interface Cache<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  /** Of a resource with namespaces, one of core-system unless another is named. */
  readonly get: (name: string, namespace?: string) => O | undefined;
  readonly list: (namespace?: string) => readonly O[];
  readonly indexed: (index: string, value: string) => readonly O[];
  /** Enters what this process has just read or written itself, unless the watch has told of something later. */
  readonly note: (object: O) => void;
  /** Returns the unsubscriber. */
  readonly onChange: (listener: (changed: Changed<O>) => void) => () => void;
  readonly synced: Effect.Effect<void>;
  /** ms since the API was last heard of, by a change, a bookmark or a list. */
  readonly age: Effect.Effect<number>;
}

export interface CacheOptions {
  readonly silenceMs?: number;
  /** When it is first compared with a list; several caches do so at different times. */
  readonly compareAfterMs?: number;
}

/** A watch that is silent for so long is taken for deaf: twice the time between two bookmarks of a real API server. */
export const defaultSilenceMs = 120_000;
/**
 * A change that a watch has left out is found within this time: rare enough that a list of 20,000 objects costs nothing
 * that anybody would notice, and no longer than people wait before they look for what hangs.
 */
export const compareEveryMs = 600_000;
/** A list that failed, or showed things as they were before, proves nothing: the next one comes so soon. */
export const compareAgainMs = 60_000;
/** A timer may ring so long before its time: that is its turn all the same, and no reason for a second list. */
const timerEarlyMs = 1_000;
const pageSize = 500;
const growing = { firstMs: 100, mostMs: 10_000 };
/** How soon a kind whose definition was missing is looked for again. */
const undefinedAgainMs = 30_000;

/** No such path: the definition of the kind is not installed. */
const isUndefined = (failure: Refused | Away | Gone): boolean => failure._tag === 'Refused' && failure.status === 404;

/**
 * A cache over list and watch. A watch that ends, fails or falls silent is resumed where it was; one that is too old is
 * listed again; whatever fails is tried again for ever, with a growing pause. Beside the watch a list is read every ten
 * minutes, in case something was not told. A kind that is not defined is empty and synced until it is.
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
    /** How far the watch or a list has told; what was told is never undone by an older note. */
    let told = '0';
    /** A list has shown everything up to this version: what a watch has to say of it is no news. */
    let listed = '0';
    /** What the watch says was deleted while a list is on its way; null while none is. */
    let deletedMeanwhile: Map<Key, string> | null = null;
    const firstComparisonAt = heardAt + compareAfterMs;
    let compareAt = firstComparisonAt;

    const hear = (version: string) =>
      Effect.map(monotonicMs, (now) => {
        heardAt = now;
        if (isLater(version, told)) told = version;
      });

    /** Each cache keeps to its own turn, also after a trouble that made all of them list at one moment. */
    const nextTurn = (now: number) => {
      const turns = Math.floor((now + timerEarlyMs - firstComparisonAt) / compareEveryMs) + 1;
      return firstComparisonAt + compareEveryMs * Math.max(0, turns);
    };

    /** Reads everything there is and enters what differs from what is known; returns the version it shows. */
    const list = Effect.gen(function* () {
      const origin = ready.isOpen() ? 'told' : 'initial';
      const toldBefore = told;
      const deleted = new Map<Key, string>();
      deletedMeanwhile = deleted;
      const found = new Set<Key>();
      let page = yield* cluster.list(resource, { ...scope, limit: pageSize });
      for (;;) {
        const isOld = isLater(toldBefore, page.resourceVersion);
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
      for (const key of indexer.list().map(keyOf)) if (!found.has(key)) indexer.forget(key, resourceVersion);
      if (isLater(resourceVersion, listed)) listed = resourceVersion;
      yield* hear(resourceVersion);
      compareAt = isLater(toldBefore, resourceVersion) ? heardAt + compareAgainMs : nextTurn(heardAt);
      ready.openUnsafe();
      return resourceVersion;
    }).pipe(Effect.ensuring(Effect.sync(() => void (deletedMeanwhile = null))));

    const receive = (change: Watched<O>) => {
      if (change.type === 'bookmark') return hear(change.resourceVersion);
      const { object } = change;
      const version = versionOf(object);
      if (change.type === 'deleted') deletedMeanwhile?.set(keyOf(object), version);
      if (isLater(version, listed)) {
        if (change.type === 'deleted') indexer.forget(keyOf(object), version);
        else indexer.put(object, 'told');
      }
      return hear(version);
    };

    /** Beside a watch that goes on: the next list whenever it is due. One that fails costs the watch nothing. */
    const compare = Effect.gen(function* () {
      for (;;) {
        yield* Effect.sleep(compareAt - (yield* monotonicMs));
        const compared = yield* Effect.result(list);
        if (Result.isFailure(compared)) compareAt = (yield* monotonicMs) + compareAgainMs;
      }
    });

    let failures = 0;
    /** Versions in a row that were too old as soon as they were watched from. */
    let tooOld = 0;

    const watch = (from: string, reached: (version: string) => void) =>
      Stream.runForEach(cluster.watch(resource, { ...scope, resourceVersion: from, silenceMs }), (change) => {
        failures = tooOld = 0;
        reached(change.type === 'bookmark' ? change.resourceVersion : versionOf(change.object));
        return receive(change);
      });

    /** With its definition every object of a kind went. */
    const empty = Effect.sync(() => {
      for (const object of indexer.list()) indexer.forget(keyOf(object), versionOf(object));
      ready.openUnsafe();
    });

    /** A broken promise of whoever listens costs what was under way, not the cache. */
    const crashed = (defect: unknown) =>
      Effect.logError('cache crashed', defect).pipe(
        Effect.annotateLogs({ kind: resource.kind }),
        Effect.andThen(Effect.fail(new Away({ why: 'it crashed' }))),
      );

    /** Lists, then watches for ever, each watch from where the last one ended; one that is too old is listed again. */
    const follow = Effect.gen(function* () {
      let from: string | null = null;
      const reached = (version: string) => {
        from = version;
      };
      for (;;) {
        const start: string | null = from;
        const step = start === null ? Effect.map(list, reached) : Effect.raceFirst(watch(start, reached), compare);
        const ended = yield* Effect.result(Effect.catchDefect(step, crashed));
        if (Result.isSuccess(ended) && start === null) {
          failures = 0;
        } else if (Result.isFailure(ended) && ended.failure._tag === 'Gone') {
          from = null;
          if (tooOld++ > 0) yield* Effect.sleep(pauseAfter(tooOld - 1, growing));
        } else if (Result.isFailure(ended) && isUndefined(ended.failure)) {
          from = null;
          yield* empty;
          yield* Effect.sleep(undefinedAgainMs);
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
        if (indexer.get(keyOf(object)) || isLater(versionOf(object), told)) indexer.put(object, 'own');
      },
      onChange: indexer.onChange,
      synced: ready.await,
      age: Effect.map(monotonicMs, (now) => now - heardAt),
    };
  });
