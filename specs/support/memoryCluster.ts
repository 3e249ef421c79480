import { Effect, Queue, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import {
  AlreadyExists,
  type ClusterShape,
  Conflict,
  NotFound,
  type Precondition,
  type Resource,
  type Watched,
} from '../../runtime/services/cluster.ts';

type Stored = KubeObject & { readonly status?: unknown };

/** A Kubernetes API in memory, as far as the runtime uses it; one counter gives every write its resourceVersion. */
export interface MemoryCluster extends ClusterShape {
  /** Writes as somebody else would: no gate, no precondition. */
  readonly put: <O extends KubeObject>(resource: Resource<O>, object: O) => O;
  readonly drop: (resource: Resource, name: string) => void;
  readonly all: <O extends KubeObject>(resource: Resource<O>) => readonly O[];
  /** Holds the watch of a resource back: changes are told only when it is let go on. */
  readonly lag: (resource: Resource, lagging: boolean) => void;
  readonly logs: Map<string, string>;
  /** Every object that was ever created, by resource. */
  readonly created: readonly { readonly plural: string; readonly object: KubeObject }[];
}

interface Watcher {
  readonly plural: string;
  readonly queue: Queue.Queue<Watched<KubeObject>>;
}

export function memoryCluster(now: () => string = () => new Date().toISOString()): MemoryCluster {
  const objects = new Map<string, Stored>();
  const watchers = new Set<Watcher>();
  const lagging = new Set<string>();
  const held: { readonly plural: string; readonly change: Watched<KubeObject> }[] = [];
  const created: { readonly plural: string; readonly object: KubeObject }[] = [];
  const logs = new Map<string, string>();
  let version = 0;

  const idOf = (resource: Resource, name: string) => `${resource.plural}/${name}`;
  const what = (resource: Resource, name: string) => `${resource.plural} "${name}"`;

  const deliver = (plural: string, change: Watched<KubeObject>) => {
    for (const watcher of watchers) if (watcher.plural === plural) Queue.offerUnsafe(watcher.queue, change);
  };
  const tell = (plural: string, change: Watched<KubeObject>) => {
    if (lagging.has(plural)) held.push({ plural, change });
    else deliver(plural, change);
  };
  const save = (resource: Resource, object: Stored, type: 'added' | 'modified') => {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } };
    objects.set(idOf(resource, object.metadata.name), stored);
    tell(resource.plural, { type, object: stored });
    return stored;
  };
  const erase = (resource: Resource, name: string) => {
    const old = objects.get(idOf(resource, name));
    if (!old) return;
    objects.delete(idOf(resource, name));
    tell(resource.plural, {
      type: 'deleted',
      object: { ...old, metadata: { ...old.metadata, resourceVersion: String(++version) } },
    });
    // Owned objects go with their owner, as the garbage collector sees to.
    for (const [id, object] of objects)
      if (object.metadata.ownerReferences?.some(({ uid }) => uid === old.metadata.uid))
        erase({ ...resource, plural: id.split('/')[0] ?? '' }, object.metadata.name);
  };
  const refusal = (resource: Resource, name: string, { uid, resourceVersion }: Precondition = {}) => {
    const old = objects.get(idOf(resource, name));
    if (!old) return new NotFound({ what: what(resource, name) });
    const differs =
      (uid !== undefined && uid !== old.metadata.uid) ||
      (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion);
    return differs ? new Conflict({ what: what(resource, name) }) : old;
  };
  const change = <O extends KubeObject>(
    resource: Resource<O>,
    name: string,
    precondition: Precondition | undefined,
    next: (old: Stored) => Stored,
  ) =>
    Effect.suspend(() => {
      const old = refusal(resource, name, precondition);
      if (old instanceof NotFound || old instanceof Conflict) return Effect.fail(old);
      return Effect.succeed(save(resource, next(old), 'modified') as unknown as O);
    });
  const list = <O extends KubeObject>(resource: Resource<O>) =>
    [...objects].filter(([id]) => id.startsWith(`${resource.plural}/`)).map(([, object]) => object as unknown as O);

  const insert = <O extends KubeObject>(resource: Resource<O>, object: O): O => {
    const uid = object.metadata.uid ?? `uid-${++version}`;
    const stored = save(
      resource,
      { ...object, metadata: { ...object.metadata, uid, creationTimestamp: now() } },
      'added',
    );
    created.push({ plural: resource.plural, object: stored });
    return stored as unknown as O;
  };

  return {
    logs,
    created,
    all: list,
    put: (resource, object) => {
      const old = objects.get(idOf(resource, object.metadata.name));
      if (!old) return insert(resource, object);
      return save(
        resource,
        { ...object, metadata: { ...old.metadata, ...object.metadata } },
        'modified',
      ) as unknown as typeof object;
    },
    drop: erase,
    lag: (resource, on) => {
      if (on) lagging.add(resource.plural);
      else lagging.delete(resource.plural);
      for (const { plural, change: late } of held.splice(0)) tell(plural, late);
    },
    get: (resource, { name }) =>
      Effect.suspend(() => {
        const found = objects.get(idOf(resource, name));
        return found ? Effect.succeed(found as never) : Effect.fail(new NotFound({ what: what(resource, name) }));
      }),
    list: (resource, options) =>
      Effect.sync(() => {
        const [label, value] = options?.labelSelector?.split('=') ?? [];
        const items = list(resource).filter(
          (object) => label === undefined || object.metadata.labels?.[label] === value,
        );
        return { items, resourceVersion: String(version) };
      }),
    watch: (resource, { resourceVersion }) =>
      Stream.callback(
        (queue) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              const watcher = { plural: resource.plural, queue: queue as unknown as Watcher['queue'] };
              watchers.add(watcher);
              for (const object of list(resource))
                if (Number(object.metadata.resourceVersion) > Number(resourceVersion))
                  Queue.offerUnsafe(watcher.queue, { type: 'modified', object });
              return watcher;
            }),
            (watcher) => Effect.sync(() => watchers.delete(watcher)),
          ),
        { bufferSize: Number.POSITIVE_INFINITY },
      ),
    create: (resource, object) =>
      Effect.suspend(() =>
        objects.has(idOf(resource, object.metadata.name))
          ? Effect.fail(new AlreadyExists({ what: what(resource, object.metadata.name) }))
          : Effect.succeed(insert(resource, object)),
      ),
    patch: (resource, { name }, patch, precondition) =>
      change(resource, name, precondition, (old) => merge(old, patch) as Stored),
    patchStatus: (resource, { name }, status, precondition) =>
      change(resource, name, precondition, (old) => ({ ...old, status: merge(old.status ?? {}, status) })),
    remove: (resource, { name }, precondition) =>
      Effect.suspend(() => {
        const old = refusal(resource, name, precondition);
        if (old instanceof Conflict) return Effect.fail(old);
        return Effect.sync(() => erase(resource, name));
      }),
    podLog: ({ name }) =>
      Effect.suspend(() => {
        const log = logs.get(name);
        return log === undefined ? Effect.fail(new NotFound({ what: `log of ${name}` })) : Effect.succeed(log);
      }),
    followLog: () => Stream.empty,
  };
}

/** JSON merge patch (RFC 7396). */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  const result: Record<string, unknown> = base;
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merge(result[name], value);
  }
  return result;
}
