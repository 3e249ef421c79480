import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { Stored } from '../../runtime/embedded/store.ts';
import type { ClusterShape, Listed, ListOptions, Resource } from '../../runtime/services/cluster.ts';
import { type Failure, ofList, ofRead, ofRemove, ofWrite } from '../../runtime/services/kube/failure.ts';
import { memoryGarbage } from './memory/garbage.ts';
import { memoryLogs } from './memory/logs.ts';
import { listOf } from './memory/pages.ts';
import { placeOf } from './memory/place.ts';
import { refusalOf } from './memory/refusal.ts';
import { type MemoryStore, memoryStore } from './memory/store.ts';
import { memoryWatches } from './memory/watches.ts';
import { memoryWrites } from './memory/writes.ts';

/**
 * A Kubernetes API in memory, where a call is done when it is made. What an object becomes by a write is asked of the
 * embedded API server's own rules; `specs/conformance` holds the rest to it.
 */
export interface MemoryCluster extends ClusterShape {
  /** Writes as somebody else would, by hand: no gate, no precondition, no check, status and all. */
  readonly put: <O extends KubeObject>(resource: Resource<O>, object: O) => O;
  readonly drop: (resource: Resource, name: string) => void;
  readonly all: <O extends KubeObject>(resource: Resource<O>) => readonly O[];
  /** Holds the watch of a resource back: changes are told only when it is let go on. */
  readonly lag: (resource: Resource, lagging: boolean) => void;
  readonly logs: Map<string, string>;
  /** Every object that was ever created, by resource. */
  readonly created: readonly { readonly plural: string; readonly object: KubeObject }[];
  /** Tells every watch how far it has come. */
  readonly bookmark: () => void;
  /** Forgets what happened so far: a watch from before is told that it is too old. */
  readonly forget: () => void;
  /** Whether what lost its owner is collected at once; what was left lying goes when it is again. */
  readonly collects: (atOnce: boolean) => void;
  /** The list as it stood some changes of this resource ago. */
  readonly past: <O extends KubeObject>(resource: Resource<O>, options: ListOptions, changes: number) => Listed<O>;
}

const homes = ['default', 'kube-system', 'kube-public', systemNamespace];
const toTheSecond = (time: string) => time.replace(/\.\d+Z$/, 'Z');

export function memoryCluster(now: () => string = () => new Date().toISOString()): MemoryCluster {
  const created: { readonly plural: string; readonly object: KubeObject }[] = [];
  const logs = new Map<string, string>();
  const garbage = memoryGarbage(() => store);
  const watches = memoryWatches(() => store);
  const store: MemoryStore = memoryStore(
    () => toTheSecond(now()),
    (change) => {
      garbage.hear(change);
      watches.tell(change);
    },
  );
  const writes = memoryWrites(store, now);
  let collecting = true;

  const settled = <A>(done: A): A => {
    if (collecting) garbage.collect();
    return done;
  };
  const record = (resource: Resource, object: Stored) => {
    created.push({ plural: resource.plural, object });
    return settled(object);
  };
  const answer = <A, E>(run: () => unknown, as: (failure: Failure) => E): Effect.Effect<A, E> =>
    Effect.try({ try: () => run() as A, catch: (thrown) => as(refusalOf(thrown)) });
  for (const name of homes) store.create({ bucket: '/namespaces', namespace: '', name }, namespace(name));

  const put = (resource: Resource, object: KubeObject) => {
    const isNew = !store.get(placeOf(resource, object.metadata));
    const stored = writes.put(resource, object);
    return isNew ? record(resource, stored) : settled(stored);
  };
  return {
    logs,
    created,
    all: (resource) => listOf(store, resource, { namespace: 'all' }).items,
    put: (resource, object) => put(resource, object) as unknown as typeof object,
    drop: (resource, name) => settled(writes.remove(resource, { name })),
    lag: ({ plural }, lagging) => watches.lag(plural, lagging),
    bookmark: watches.bookmark,
    forget: store.forget,
    collects: (atOnce) => {
      collecting = atOnce;
      settled(undefined);
    },
    past: (resource, options, changes) =>
      listOf(store.past(placeOf(resource, { name: '' }).bucket, changes), resource, options),

    get: (resource, name) => answer(() => store.existing(placeOf(resource, name)), ofRead),
    list: (resource, options) => answer(() => listOf(store, resource, options), ofList),
    watch: watches.watch,
    create: (resource, object) => answer(() => record(resource, writes.create(resource, object)), ofWrite),
    patch: (...given) => answer(() => settled(writes.patch(...given)), ofWrite),
    patchStatus: (...given) => answer(() => settled(writes.patchStatus(...given)), ofWrite),
    remove: (...given) =>
      answer(() => settled(writes.remove(...given)), ofRemove).pipe(Effect.catchTag('NotFound', () => Effect.void)),
    ...memoryLogs(store, logs),
  };
}

const namespace = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, uid: `uid-of-${name}`, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});
