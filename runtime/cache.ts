import { Clock, Effect, Latch, Result, type Scope, Stream } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import { Cluster, type Resource, type Watched } from './services/cluster.ts';
import { isLater } from './version.ts';

/** What became of one object. `own` when this process wrote it itself and knew before the watch told. */
export interface Changed<O extends KubeObject = KubeObject> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: O;
  readonly previous: O | undefined;
  readonly own: boolean;
  /** Part of the first list: nothing happened just now. */
  readonly initial: boolean;
}

/** The objects of one resource in core-system, kept true by list and watch. Nobody may change what it gives. */
export interface Cache<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  readonly get: (name: string) => O | undefined;
  readonly list: () => readonly O[];
  readonly labelled: (label: string, value: string) => readonly O[];
  /** Enters what this process has just read or written itself, unless the watch has told of something later. */
  readonly note: (object: O) => void;
  /** Returns the unsubscriber. */
  readonly onChange: (listener: (changed: Changed<O>) => void) => () => void;
  readonly synced: Effect.Effect<void>;
  /** ms since the API was last heard of, by a change, a bookmark or a list. */
  readonly age: Effect.Effect<number>;
}

/** A watch that is silent for so long is taken for deaf: twice the time between two bookmarks of a real API server. */
export const defaultSilenceMs = 120_000;
const pageSize = 500;
const firstRetryMs = 100;
const mostRetryMs = 10_000;

const withoutManagedFields = <O extends KubeObject>(object: O): O => {
  const { managedFields: _, ...metadata } = object.metadata as O['metadata'] & { readonly managedFields?: unknown };
  return { ...object, metadata };
};

const versionOf = (object: KubeObject) => object.metadata.resourceVersion ?? '0';

/**
 * A cache over list and watch. A watch that ends, fails or falls silent is resumed where it was; one that is too old is
 * listed again; whatever fails is tried again for ever, with a growing pause.
 */
export const makeCache = <O extends KubeObject>(
  resource: Resource<O>,
  {
    silenceMs = defaultSilenceMs,
    labels = [],
  }: { readonly silenceMs?: number; readonly labels?: readonly string[] } = {},
): Effect.Effect<Cache<O>, never, Cluster | Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const objects = new Map<string, O>();
    const indexes = new Map(labels.map((label) => [label, new Map<string, Map<string, O>>()]));
    const listeners = new Set<(changed: Changed<O>) => void>();
    const ready = Latch.makeUnsafe(false);
    let heardAt = yield* Clock.currentTimeMillis;
    /** How far the watch has told; what it has told of is never undone by an older note. */
    let told = '0';

    const index = (object: O, put: boolean) => {
      for (const [label, values] of indexes) {
        const value = object.metadata.labels?.[label];
        if (value === undefined) continue;
        const those = values.get(value) ?? new Map<string, O>();
        if (put) those.set(object.metadata.name, object);
        else those.delete(object.metadata.name);
        if (those.size > 0) values.set(value, those);
        else values.delete(value);
      }
    };

    const put = (object: O, own: boolean, initial = false) => {
      const { name } = object.metadata;
      const previous = objects.get(name);
      if (previous && !isLater(versionOf(object), versionOf(previous))) return;
      const kept = withoutManagedFields(object);
      if (previous) index(previous, false);
      objects.set(name, kept);
      index(kept, true);
      const type = previous ? 'modified' : 'added';
      for (const listener of listeners) listener({ type, object: kept, previous, own, initial });
    };

    const forget = (object: O) => {
      const previous = objects.get(object.metadata.name);
      if (!previous || isLater(versionOf(previous), versionOf(object))) return;
      objects.delete(object.metadata.name);
      index(previous, false);
      for (const listener of listeners)
        listener({ type: 'deleted', object: previous, previous, own: false, initial: false });
    };

    const hear = (version: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        heardAt = now;
        if (isLater(version, told)) told = version;
      });

    const relist = Effect.gen(function* () {
      const found = new Map<string, O>();
      let page = yield* cluster.list(resource, { limit: pageSize });
      for (;;) {
        for (const object of page.items) found.set(object.metadata.name, object);
        if (page.continue === undefined || page.continue === '') break;
        page = yield* cluster.list(resource, { limit: pageSize, continue: page.continue });
      }
      const first = !ready.isOpen();
      for (const [name, object] of objects)
        if (!found.has(name) && !isLater(versionOf(object), page.resourceVersion))
          forget({ ...object, metadata: { ...object.metadata, resourceVersion: page.resourceVersion } });
      for (const object of found.values()) put(object, false, first);
      yield* hear(page.resourceVersion);
      ready.openUnsafe();
      return page.resourceVersion;
    });

    const receive = (change: Watched<O>) => {
      if (change.type === 'bookmark') return hear(change.resourceVersion);
      if (change.type === 'deleted') forget(change.object);
      else put(change.object, false);
      return hear(versionOf(change.object));
    };

    let failures = 0;
    const pause = Effect.suspend(() => Effect.sleep(Math.min(mostRetryMs, firstRetryMs * 2 ** failures++)));

    /** Lists, then watches for ever, each watch from where the last one ended; one that is too old is listed again. */
    const follow = Effect.gen(function* () {
      let from: string | null = null;
      for (;;) {
        const start: string | null = from;
        const ended = yield* Effect.result(
          start === null
            ? Effect.map(relist, (version) => void (from = version))
            : Stream.runForEach(cluster.watch(resource, { resourceVersion: start, silenceMs }), (change) => {
                failures = 0;
                from = change.type === 'bookmark' ? change.resourceVersion : versionOf(change.object);
                return receive(change);
              }),
        );
        if (Result.isFailure(ended) && ended.failure._tag === 'Gone') from = null;
        else if (Result.isFailure(ended) || start !== null) yield* pause;
      }
    });
    yield* Effect.forkScoped(follow);

    return {
      resource,
      get: (name) => objects.get(name),
      list: () => [...objects.values()],
      labelled: (label, value) => [...(indexes.get(label)?.get(value)?.values() ?? [])],
      note: (object) => {
        if (objects.has(object.metadata.name) || isLater(versionOf(object), told)) put(object, true);
      },
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      synced: ready.await,
      age: Effect.map(Clock.currentTimeMillis, (now) => now - heardAt),
    };
  });
