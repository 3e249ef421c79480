import { Cause, Effect, Queue, Stream } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { revisionOf } from '../../../runtime/embedded/api/resourceVersion.ts';
import { selectedChange } from '../../../runtime/embedded/api/selectedChange.ts';
import { type Selection, selectionOf } from '../../../runtime/embedded/api/selectors.ts';
import { definitions } from '../../../runtime/embedded/api/kinds/builtIn.ts';
import { expired, noSuchPath } from '../../../runtime/embedded/api/status.ts';
import type { Change } from '../../../runtime/embedded/store.ts';
import type { Unavailable, ClusterShape, Gone, Refused, Watched } from '../../../runtime/services/cluster/cluster.ts';
import { ofList } from '../../../runtime/services/kube/failure.ts';
import { namespaceOf } from './place.ts';
import { refusalOf } from './refusal.ts';
import { bucketOf, checkServed } from './served.ts';
import type { MemoryStore } from './store.ts';
import { typeOf } from './types.ts';

/** The watches of a memory cluster. */
export interface Watches {
  readonly watch: ClusterShape['watch'];
  readonly tell: (change: Change) => void;
  /** Holds back what happens to a resource; what was held is told once it is let go on. */
  readonly lag: (plural: string, lagging: boolean) => void;
  /** Tells every watch how far it has come. */
  readonly bookmark: () => void;
}

interface Watcher {
  readonly bucket: string;
  readonly namespace: string;
  readonly selection: Selection | null;
  /** Up to which version it has seen or heard everything. */
  readonly from: number;
  readonly queue: Queue.Queue<Watched<KubeObject>, Refused | Unavailable | Gone>;
}

const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;
const pluralOf = (bucket: string) => bucket.slice(bucket.indexOf('/') + 1);
const versionOf = ({ object }: Change) => Number(object.metadata.resourceVersion);

export function memoryWatches(store: () => MemoryStore): Watches {
  const watchers = new Set<Watcher>();
  const lagging = new Set<string>();
  let held: readonly Change[] = [];

  const isHeld = ({ bucket }: Change) => lagging.has(pluralOf(bucket));
  const hear = ({ bucket, namespace, selection, from, queue }: Watcher, change: Change) => {
    if (change.bucket !== bucket || versionOf(change) <= from) return;
    if (namespace !== '' && change.object.metadata.namespace !== namespace) return;
    const selected = selectedChange(change, selection);
    if (selected) Queue.offerUnsafe(queue, { type: types[selected.type], object: selected.object });
  };
  const deliver = (change: Change) => {
    for (const watcher of watchers) hear(watcher, change);
  };

  /** What there is to tell at once: the objects as they are, or what changed since a version. */
  const begin = (watcher: Watcher) => {
    const { bucket, namespace, selection, from, queue } = watcher;
    if (from === 0) {
      for (const object of store().list(bucket, namespace || undefined))
        if (selection?.holds(object) ?? true) Queue.offerUnsafe(queue, { type: 'added', object });
      watchers.add({ ...watcher, from: store().revision() });
      return;
    }
    const changes = store().changesAfter(bucket, from);
    if (changes === null) throw expired(`too old resource version: ${from} (${store().revision()})`);
    for (const change of changes) if (!held.includes(change)) hear(watcher, change);
    watchers.add(watcher);
  };

  /** A kind without its definition is not served any more, nor watched. */
  const end = ({ object }: Change) => {
    const bucket = bucketOf(object.metadata.name);
    for (const watcher of watchers)
      if (watcher.bucket === bucket) Queue.failCauseUnsafe(watcher.queue, Cause.fail(ofList(refusalOf(noSuchPath()))));
  };

  return {
    tell: (change) => {
      if (change.type === 'DELETED' && change.bucket === definitions) end(change);
      if (isHeld(change)) held = [...held, change];
      else deliver(change);
    },
    lag: (plural, on) => {
      if (on) lagging.add(plural);
      else lagging.delete(plural);
      const due = held.filter((change) => !isHeld(change));
      held = held.filter(isHeld);
      due.forEach(deliver);
    },
    bookmark: () => {
      for (const { bucket, queue } of watchers)
        if (!lagging.has(pluralOf(bucket)))
          Queue.offerUnsafe(queue, { type: 'bookmark', resourceVersion: String(store().revision()) });
    },
    watch: <O extends KubeObject>(
      ...[resource, { resourceVersion, namespace, labelSelector = '', fieldSelector = '', opened }]: Parameters<
        ClusterShape['watch']
      >
    ) =>
      Stream.callback<Watched<O>, Refused | Unavailable | Gone>(
        (offered) =>
          Effect.gen(function* () {
            const queue = offered as unknown as Watcher['queue'];
            yield* Effect.addFinalizer(() =>
              Effect.sync(() => {
                for (const watcher of watchers) if (watcher.queue === queue) watchers.delete(watcher);
              }),
            );
            yield* Effect.try({
              try: () => {
                checkServed(store(), resource);
                const type = typeOf(resource);
                const { bucket } = type;
                begin({
                  bucket,
                  namespace: namespaceOf(resource, namespace),
                  selection: selectionOf(new URLSearchParams({ labelSelector, fieldSelector }), type),
                  from: revisionOf(resourceVersion),
                  queue,
                });
              },
              catch: (thrown) => ofList(refusalOf(thrown)),
            });
            yield* opened ?? Effect.void;
          }),
        { bufferSize: Number.POSITIVE_INFINITY },
      ),
  };
}
