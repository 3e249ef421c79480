import { Clock, Effect, type Scope } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import { annotation } from '../crds/names.ts';
import { isoTime } from '../rules/time.ts';
import type { PassContext } from './pass/context.ts';
import type { Changed } from './cache/indexer.ts';
import { type Caches, makeCaches } from './cache/caches.ts';
import { entryLifecycle } from './entries.ts';
import { type Explained, explain } from './step/explain.ts';
import { historyOf } from './step/history.ts';
import { type AddOther, type AnyLifecycle, type Controller, isOwn, nameOf } from './lifecycle.ts';
import type { Outside } from './outside.ts';
import { create, made } from './pass/create.ts';
import { type Decided, decideCommand, type Undecided } from './pass/decideCommand.ts';
import { edit, type Edit, type Edited } from './pass/edit.ts';
import { type Command, type Following, type Instance, move, type NoAnswer } from './pass/move.ts';
import { Cluster, NotFound, type Resource, type WriteError } from './services/cluster.ts';
import type { Journal } from './services/journal.ts';
import { Metrics } from './services/metrics.ts';
import { newest } from './pass/newest.ts';
import { makeEventRecorder } from './pass/eventRecorder.ts';
import { makeLeadership, type PassFailure, type Leadership } from './lead/leadership.ts';

export interface OperatorOptions {
  readonly controllers: readonly Controller[];
  /** Resources that facts are read from, besides those that controllers watch. */
  readonly alsoSeen: readonly Resource[];
  /** The number of concurrent passes. */
  readonly workers: number;
  /** How long a watch may be silent before it is considered dead. */
  readonly silenceMs?: number;
}

/** How many lives ended here are remembered, to recognise their late leftovers. */
const endedKept = 10_000;

/** What the caches do not report: who leads, and how the passes of an object go. */
export type Notice =
  /** This process starts or stops leading. */
  | { readonly is: 'leading' }
  /** The failures of an object's passes begin or end. */
  | { readonly is: 'trouble'; readonly controller: Controller; readonly name: string }
  /** A pass moved nothing and requeued. */
  | { readonly is: 'requeued'; readonly controller: Controller; readonly name: string };

/** The running reconcile runtime: reads, moves and streams go through it. */
export interface Operator {
  readonly caches: Caches;
  readonly controllers: readonly Controller[];
  /** Waits until everything is listed. */
  readonly ready: Effect.Effect<void>;
  /** Runs passes for as long as it runs itself; reads, moves and streams do not need it. */
  readonly lead: Effect.Effect<never, never, Outside>;
  /** Runs one command on one instance, then a pass at once. */
  readonly move: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
    command: Command | Following,
  ) => Effect.Effect<KubeObject, NoAnswer | WriteError>;
  /** Runs one command whose caller does not know what it means here, then a pass at once if it moved something. */
  readonly decide: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
    command: Command,
  ) => Effect.Effect<Decided, Undecided>;
  /** Creates one object by a command, as requested and defaulted, then runs a pass at once. */
  readonly create: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    object: KubeObject,
    command: Command,
  ) => Effect.Effect<KubeObject, NoAnswer | WriteError>;
  /** Creates one object of a kind whose creation no machine takes, then runs a pass at once. */
  readonly add: <O extends KubeObject>(resource: Resource<O>, object: O) => Effect.Effect<O, WriteError>;
  /** Edits one object as a person would, then runs a pass at once; nothing is written where the edit has no patch. */
  readonly edit: <O extends KubeObject, A>(
    resource: Resource<O>,
    name: string,
    follow: (object: O) => Edit<A>,
  ) => Effect.Effect<Edited<O, A>, WriteError>;
  /** Deletes one object, and never a later one of its name; the passes that follow end its life. */
  readonly remove: (controller: Controller, object: KubeObject) => Effect.Effect<void, WriteError>;
  /**
   * Requests a pass over an object by annotating it: the leading process sees the change and takes it up; without a
   * leader, the next one processes everything anyway.
   */
  readonly requestPass: (controller: Controller, name: string) => Effect.Effect<KubeObject, WriteError>;
  readonly explain: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
  ) => Effect.Effect<Explained, NotFound>;
  /** Whether this process runs the passes; only then are the next requeue and the failures of an object known here. */
  readonly isLeading: () => boolean;
  readonly requeueAt: (controller: Controller, name: string) => number | undefined;
  readonly failure: (controller: Controller, name: string) => PassFailure | undefined;
  /** Returns the unsubscriber. */
  readonly onNotice: (listener: (notice: Notice) => void) => () => void;
  /** Lets the running passes finish and starts no other. */
  readonly drain: Effect.Effect<void>;
}

/**
 * Whether a change of an object asks for a pass. What this process wrote itself does not; but of a kind that is shared
 * with others, another of its controllers may have written it.
 */
export const isNews = ({ only }: Controller, { own }: Changed): boolean => !own || only !== undefined;

/** The machine of a name over an object, or over an entry of one of its lists. */
function machineOf({ lifecycles, entries = [] }: Controller, machine: string, item?: string): AnyLifecycle | undefined {
  if (item === undefined) return lifecycles.find(({ name }) => name === machine);
  const of = entries.find(({ name }) => name === machine);
  return of && entryLifecycle(of, item);
}

export const makeOperator = Effect.fnUntraced(function* (
  options: OperatorOptions,
): Effect.fn.Return<Operator, never, Outside | Journal | Metrics | Scope.Scope> {
  const { controllers, alsoSeen, workers, silenceMs } = options;
  const context = yield* Effect.context<Outside>();
  const metrics = yield* Metrics;
  const names = controllers.map(nameOf);
  const twice = names.find((one, at) => names.indexOf(one) !== at);
  if (twice !== undefined) throw new Error(`two controllers are called ${twice}`);
  const watched = controllers.flatMap(({ resource, watches }) => [resource, ...watches.map((one) => one.resource)]);
  const caches = yield* makeCaches([...watched, ...alsoSeen], silenceMs === undefined ? {} : { silenceMs });
  const recorder = yield* makeEventRecorder;
  const listeners = new Set<(notice: Notice) => void>();
  const ended = newest(endedKept);
  let leadership: Leadership | null = null;
  let draining = false;

  const notify = (notice: Notice) => {
    for (const listener of listeners) listener(notice);
  };
  const setLeadership = (next: Leadership | null) => {
    leadership = next;
    notify({ is: 'leading' });
  };

  const contextFor = (controller: Controller): PassContext => ({
    reader: caches,
    wrote: (object) => caches.of(controller.resource).note(object),
    external: (_, { machine }) => metrics.refused(machine, 'outside'),
    move: ({ kind, machine, name, item }, command) => {
      const others = controllers.filter(({ resource }) => resource.kind === kind);
      const found = others.map((other) => ({ controller: other, lifecycle: machineOf(other, machine, item) }));
      const instance = found.find(({ lifecycle }) => lifecycle !== undefined);
      if (!instance?.lifecycle) return Effect.die(new Error(`no ${kind} has a machine ${machine}`));
      return moved({ controller: instance.controller, lifecycle: instance.lifecycle, name }, command);
    },
    add,
    archive: (object) => {
      ended.add(object.metadata.uid ?? '');
      return recorder.archive(controller, object);
    },
    hasEnded: ended.has,
  });

  /**
   * What a command wrote is recorded and followed by a pass at once; what it wrote before it failed gets a pass, too.
   */
  const followed = (
    { controller, name }: Pick<Instance, 'controller' | 'name'>,
    asked: Effect.Effect<KubeObject, NoAnswer | WriteError, Outside>,
  ) =>
    asked.pipe(
      Effect.tap((object) => {
        const newest = historyOf(object).at(-1);
        leadership?.add(controller, name, 'fresh');
        return newest ? recorder.moved(controller, object, [newest]) : Effect.void;
      }),
      Effect.tapError((failure) =>
        Effect.sync(() => {
          if (failure._tag === 'NoAnswer') metrics.refused(failure.machine, 'asked');
          else leadership?.add(controller, name, 'fresh');
        }),
      ),
    );
  const moved = (instance: Instance, command: Command | Following) =>
    followed(instance, move(instance, command, contextFor(instance.controller)));

  /** Caches what was written past the machines, which does not reach the queue as a write of our own. */
  const written = <O extends KubeObject>(resource: Resource<O>, object: O) => {
    caches.of(resource).note(object);
    for (const controller of controllers.filter((one) => one.resource.kind === resource.kind))
      if (isOwn(controller, object.metadata.name)) leadership?.add(controller, object.metadata.name, 'fresh');
  };

  const add: AddOther = (resource, object) =>
    Effect.gen(function* () {
      const ofKind = controllers.filter((one) => one.resource.kind === resource.kind);
      const given = { now: yield* Clock.currentTimeMillis, reader: caches };
      const born = made(
        ofKind.flatMap(({ lifecycles }) => lifecycles),
        object,
        given,
      );
      const created = yield* (yield* Cluster).create(resource, born);
      written(resource, created);
      return created;
    });

  for (const controller of controllers) {
    controller.follow?.(caches);
    controller.asks?.((name) => leadership?.add(controller, name, 'fresh'));
    listen(controller);
  }
  function listen(controller: Controller) {
    const enqueue = (name: string, initial: boolean) => {
      if (isOwn(controller, name)) leadership?.add(controller, name, initial ? 'resync' : 'fresh');
    };
    caches.of(controller.resource).onChange((changed) => {
      const { type, object, initial } = changed;
      if (type === 'deleted' && isOwn(controller, object.metadata.name)) {
        recorder.gone(controller, object);
        for (const { forget } of controller.lifecycles) forget?.(object.metadata.name);
      }
      if (isNews(controller, changed)) enqueue(object.metadata.name, initial);
    });
    for (const watching of controller.watches)
      caches.of(watching.resource).onChange(({ object, initial }) => {
        if (!initial) for (const name of watching.concerns(object, caches)) enqueue(name, false);
      });
  }

  const ready = Effect.forEach(caches.all, (cache) => cache.synced, { discard: true });
  const lead = Effect.scoped(
    Effect.gen(function* () {
      yield* ready;
      if (draining) return yield* Effect.never;
      const begun = yield* makeLeadership({
        controllers,
        workers,
        caches,
        metrics,
        recorder,
        context: contextFor,
        troubled: (controller, name) => notify({ is: 'trouble', controller, name }),
        requeued: (controller, name) => notify({ is: 'requeued', controller, name }),
      });
      setLeadership(begun);
      yield* Effect.addFinalizer(() => Effect.sync(() => setLeadership(null)));
      yield* begun.work;
      return yield* Effect.never;
    }),
  );

  metrics.queueDepth(() => leadership?.depth() ?? 0);
  return {
    caches,
    controllers,
    ready,
    lead,
    move: (controller, lifecycle, name, command) =>
      moved({ controller, lifecycle, name }, command).pipe(Effect.provideContext(context)),
    decide: (controller, lifecycle, name, command) =>
      decideCommand({ controller, lifecycle, name }, command, contextFor(controller)).pipe(
        Effect.tap(({ object, moves }) => {
          if (object === null || moves.length === 0) return Effect.void;
          leadership?.add(controller, name, 'fresh');
          return recorder.moved(controller, object, moves);
        }),
        // What it wrote before it failed gets a pass, too.
        Effect.tapError(() => Effect.sync(() => leadership?.add(controller, name, 'fresh'))),
        Effect.provideContext(context),
      ),
    create: (controller, lifecycle, object, command) =>
      followed(
        { controller, name: object.metadata.name },
        create({ controller, lifecycle, object }, command, contextFor(controller)),
      ).pipe(Effect.provideContext(context)),
    add: (resource, object) => add(resource, object).pipe(Effect.provideContext(context)),
    edit: (resource, name, follow) =>
      edit(resource, name, follow).pipe(
        Effect.tap(({ object }) => Effect.sync(() => written(resource, object))),
        Effect.provideContext(context),
      ),
    remove: ({ resource }, { metadata: { name, uid } }) =>
      Effect.flatMap(Cluster, (cluster) => cluster.remove(resource, { name }, uid === undefined ? {} : { uid })).pipe(
        Effect.provideContext(context),
      ),
    requestPass: (controller, name) =>
      Effect.gen(function* () {
        const cluster = yield* Cluster;
        const asked = isoTime(yield* Clock.currentTimeMillis);
        // The caches report it like any other change, and that triggers the pass.
        return yield* cluster.patch(
          controller.resource,
          { name },
          { metadata: { annotations: { [annotation.lookAt]: asked } } },
        );
      }).pipe(Effect.provideContext(context)),
    isLeading: () => leadership !== null,
    onNotice: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    explain: (controller, lifecycle, name) =>
      Effect.gen(function* () {
        const object = caches.of(controller.resource).get(name);
        if (!object) return yield* new NotFound({ what: `${controller.resource.kind} "${name}" was not found` });
        const now = yield* Clock.currentTimeMillis;
        return explain({ controller, lifecycle }, object, {
          reader: caches,
          memory: leadership?.memory(controller, name),
          now,
        });
      }),
    requeueAt: (controller, name) => leadership?.requeueAt(controller, name),
    failure: (controller, name) => leadership?.failure(controller, name),
    drain: Effect.suspend(() => {
      draining = true;
      return leadership?.drain ?? Effect.void;
    }),
  };
});
