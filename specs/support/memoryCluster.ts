import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { chartDefinition } from '../../rules/database/charts.ts';
import { definitions } from '../../runtime/embedded/api/kinds/builtIn.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { Stored } from '../../runtime/embedded/store.ts';
import type { ClusterShape, Listed, ListOptions, Name, Resource } from '../../runtime/services/cluster/cluster.ts';
import { type Failure, ofList, ofRead, ofRemove, ofWrite } from '../../runtime/services/kube/failure.ts';
import { emptyValuesOf } from './memory/emptyValues.ts';
import { memoryGarbage } from './memory/garbage.ts';
import { memoryLogs } from './memory/logs.ts';
import { listOf } from './memory/pages.ts';
import { placeOf } from './memory/place.ts';
import { refusalOf } from './memory/refusal.ts';
import { checkServed } from './memory/served.ts';
import { type MemoryStore, memoryStore } from './memory/store.ts';
import { memoryWatches } from './memory/watches.ts';
import { memoryWrites } from './memory/writes.ts';

/**
 * A Kubernetes API in memory, where a call is done when it is made. What an object becomes by a write is asked of the
 * embedded API server's own rules; `specs/runtime/embedded/conformance` holds the rest to it.
 */
export interface MemoryCluster extends ClusterShape {
  /** Writes as somebody else would, by hand: no gate, no precondition, no check, status and all. */
  readonly put: <O extends KubeObject>(resource: Resource<O>, object: O) => O;
  readonly drop: (resource: Resource, name: string, namespace?: string) => void;
  readonly all: <O extends KubeObject>(resource: Resource<O>) => readonly O[];
  /** Holds the watch of a resource back: changes are told only when it is let go on. */
  readonly lag: (resource: Pick<Resource, 'plural'>, lagging: boolean) => void;
  readonly logs: Map<string, string>;
  /** Of pods whose container was run again, the log of the run before. */
  readonly logsBefore: Map<string, string>;
  /** The container of a pod writes one more line. */
  readonly write: (pod: Name, text: string) => void;
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
  /** How many changes of a resource there were. */
  readonly changesOf: (plural: string) => number;
  /** Every object of every resource. */
  readonly everything: () => readonly KubeObject[];
  /** Called after every change, whoever made it. */
  readonly onChange: (listener: (changed: KubeObject, type: 'added' | 'modified' | 'deleted') => void) => void;
  /** What was last written by hand, by kind and name; null where it was taken away. */
  readonly userEdits: ReadonlyMap<string, KubeObject | null>;
}

/** How an object is called among all. */
export const keyOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;

const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;
const homes = ['default', 'kube-system', 'kube-public', systemNamespace];
const toTheSecond = (time: string) => time.replace(/\.\d+Z$/, 'Z');

/** `check` judges what is applied: by default it must be what Core may apply. */
export function memoryCluster(
  now: () => string = () => new Date().toISOString(),
  check: (applied: KubeObject) => void = checkEmptyValues,
): MemoryCluster {
  const created: { readonly plural: string; readonly object: KubeObject }[] = [];
  const logs = new Map<string, string>();
  const logsBefore = new Map<string, string>();
  const userEdits = new Map<string, KubeObject | null>();
  const listeners = new Set<Parameters<MemoryCluster['onChange']>[0]>();
  const changes = new Map<string, number>();
  const garbage = memoryGarbage(() => store);
  const watches = memoryWatches(() => store);
  const store: MemoryStore = memoryStore(
    () => toTheSecond(now()),
    (change) => {
      garbage.hear(change);
      watches.tell(change);
      const plural = change.bucket.slice(change.bucket.indexOf('/') + 1);
      changes.set(plural, (changes.get(plural) ?? 0) + 1);
      for (const listener of listeners) listener(change.object, types[change.type]);
      if (plural === 'pods') containers.changed();
    },
  );
  const containers = memoryLogs({ store, given: logs, before: logsBefore, now: () => Date.parse(now()) });
  const { podLog, foldLog, logLines, write } = containers;
  const writes = memoryWrites(store, () => toTheSecond(now()));
  let collecting = true;

  const settled = <A>(done: A): A => {
    if (collecting) garbage.collect();
    return done;
  };
  const record = (resource: Resource, object: Stored) => {
    created.push({ plural: resource.plural, object });
    return settled(object);
  };
  const answer = <A, E>(resource: Resource, run: () => unknown, as: (failure: Failure) => E): Effect.Effect<A, E> =>
    Effect.try({
      try: () => {
        checkServed(store, resource);
        return run() as A;
      },
      catch: (thrown) => as(refusalOf(thrown)),
    });
  for (const name of homes) store.create({ bucket: '/namespaces', namespace: '', name }, namespace(name));
  store.create({ bucket: definitions, namespace: '', name: chartDefinition }, chartsServed);

  const put = (resource: Resource, object: KubeObject) => {
    const isNew = !store.get(placeOf(resource, object.metadata));
    const stored = writes.put(resource, object);
    userEdits.set(keyOf({ ...stored, kind: resource.kind }), stored);
    return isNew ? record(resource, stored) : settled(stored);
  };
  return {
    logs,
    logsBefore,
    write,
    created,
    userEdits,
    onChange: (listener) => void listeners.add(listener),
    changesOf: (plural) => changes.get(plural) ?? 0,
    everything: () => store.buckets().flatMap((bucket) => store.list(bucket)),
    all: (resource) => listOf(store, resource, { namespace: 'all' }).items,
    put: (resource, object) => put(resource, object) as unknown as typeof object,
    drop: (resource, name, namespace) => {
      userEdits.set(`${resource.kind} ${name}`, null);
      settled(writes.remove(resource, { name, ...(namespace === undefined ? {} : { namespace }) }));
    },
    lag: ({ plural }, lagging) => watches.lag(plural, lagging),
    bookmark: watches.bookmark,
    forget: store.forget,
    collects: (atOnce) => {
      collecting = atOnce;
      settled(undefined);
    },
    past: (resource, options, changes) =>
      listOf(store.past(placeOf(resource, { name: '' }).bucket, changes), resource, options),

    get: (resource, name) => answer(resource, () => store.existing(placeOf(resource, name)), ofRead),
    list: (resource, options) => answer(resource, () => listOf(store, resource, options), ofList),
    watch: watches.watch,
    create: (resource, object) => answer(resource, () => record(resource, writes.create(resource, object)), ofWrite),
    apply: (resource, object, over) =>
      answer(
        resource,
        () => {
          check(object);
          const isNew = !store.get(placeOf(resource, object.metadata));
          const applied = writes.apply(resource, object, over);
          return isNew ? record(resource, applied) : settled(applied);
        },
        ofWrite,
      ),
    patch: (...given) => answer(given[0], () => settled(writes.patch(...given)), ofWrite),
    patchStatus: (...given) => answer(given[0], () => settled(writes.patchStatus(...given)), ofWrite),
    remove: (...given) =>
      answer(given[0], () => settled(writes.remove(...given)), ofRemove).pipe(
        Effect.catchTag('NotFound', () => Effect.void),
      ),
    podLog,
    foldLog,
    logLines,
  };
}

/** A defect of the caller: other controllers would take such an object for another wish. */
function checkEmptyValues(object: KubeObject): void {
  const paths = emptyValuesOf(object);
  if (paths.length > 0) throw new Error(`applied with empty values: ${paths.join(', ')}`);
}

/** Charts can be installed, as in most clusters that Core is made for. */
const chartsServed = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: chartDefinition },
};

const namespace = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, uid: `uid-of-${name}`, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});
