import { Clock, Effect, type Scope } from 'effect';
import { type Caches, makeCaches } from './cache/caches.ts';
import { type Commands, makeCommands } from './command/commands.ts';
import { type Explained, explain } from './step/explain.ts';
import type { AnyLifecycle } from './contract/lifecycle.ts';
import type { Outside } from './services/outside.ts';
import { NotFound, type Resource } from './services/cluster/cluster.ts';
import type { Journal } from './services/journal.ts';
import { Metrics } from './services/metrics.ts';
import type { Priority } from './queue/priority.ts';
import { addEventHandlers } from './queue/eventHandlers.ts';
import type { Memory } from './pass/memory.ts';
import { newest } from './pass/newest.ts';
import { makeEventRecorder } from './write/eventRecorder.ts';
import { makeLeadership, type Leadership } from './lead/leadership.ts';
import type { PassFailure } from './lead/passRecords.ts';
import { type Controller, nameOf } from './contract/controller.ts';

export interface OperatorOptions {
  readonly controllers: readonly Controller[];
  /** Resources that facts are read from, besides those that controllers watch. */
  readonly alsoSeen: readonly Resource[];
  /** The number of concurrent passes. */
  readonly workers: number;
  /** How long a watch may be silent before it is considered dead. */
  readonly silenceMs?: number;
}

/** How many deleted uids are remembered, to recognise their late leftovers. */
const endedKept = 10_000;

/** Changes that the caches do not report: leadership, and results of passes. */
export type Notice =
  /** This process starts or stops leading. */
  | { readonly is: 'leading' }
  /** The failures of an object's passes begin or end. */
  | { readonly is: 'trouble'; readonly controller: Controller; readonly name: string }
  /** A pass without a move changed the time or interval of the next one. */
  | { readonly is: 'rescheduled'; readonly controller: Controller; readonly name: string };

/** The running reconcile runtime: reads, commands and streams use it. */
export interface Operator extends Commands {
  readonly caches: Caches;
  readonly controllers: readonly Controller[];
  /** Waits until all caches are synced. */
  readonly ready: Effect.Effect<void>;
  /** Runs passes while it runs; reads, moves and streams do not need it. */
  readonly lead: Effect.Effect<never, never, Outside>;
  readonly explain: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
  ) => Effect.Effect<Explained, NotFound>;
  /** Whether this process runs the passes; only then are the next requeue and the failures of an object known here. */
  readonly isLeading: () => boolean;
  readonly requeueAt: (controller: Controller, name: string) => number | undefined;
  /** The interval (ms) at which an object is checked; undefined without a fixed one. */
  readonly checkEveryMs: (controller: Controller, name: string) => number | undefined;
  readonly failure: (controller: Controller, name: string) => PassFailure | undefined;
  /** Returns the unsubscriber. */
  readonly onNotice: (listener: (notice: Notice) => void) => () => void;
  /** Lets running passes finish and starts no others. */
  readonly drain: Effect.Effect<void>;
}

/** Rejects duplicate names, because queue and commands find controllers by name. */
function refuseTwice(names: readonly string[]): void {
  const twice = names.find((one, at) => names.indexOf(one) !== at);
  if (twice !== undefined) throw new Error(`two controllers are called ${twice}`);
}

const watchedBy = ({ resource, watches }: Controller): readonly Resource[] => [
  resource,
  ...watches.map((watching) => watching.resource),
];

function makeNotices(): Pick<Operator, 'onNotice'> & { readonly notify: (notice: Notice) => void } {
  const listeners = new Set<(notice: Notice) => void>();
  return {
    notify: (notice) => {
      for (const listener of listeners) listener(notice);
    },
    onNotice: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Explains what a machine of an object decides now, over the facts of its last pass. */
const explainObject = Effect.fnUntraced(function* (
  { controller, lifecycle }: Parameters<typeof explain>[0],
  name: string,
  { reader, memory }: { readonly reader: Caches; readonly memory: Memory | undefined },
) {
  const object = reader.of(controller.resource).get(name);
  if (!object) return yield* new NotFound({ what: `${controller.resource.kind} "${name}" was not found` });
  const now = yield* Clock.currentTimeMillis;
  return explain({ controller, lifecycle }, object, { reader, memory, now });
});

export const makeOperator = Effect.fnUntraced(function* (
  options: OperatorOptions,
): Effect.fn.Return<Operator, never, Outside | Journal | Metrics | Scope.Scope> {
  const { controllers, alsoSeen, workers, silenceMs } = options;
  const context = yield* Effect.context<Outside>();
  const metrics = yield* Metrics;
  refuseTwice(controllers.map(nameOf));
  const caches = yield* makeCaches(
    [...controllers.flatMap(watchedBy), ...alsoSeen],
    silenceMs === undefined ? {} : { silenceMs },
  );
  const recorder = yield* makeEventRecorder;
  const { notify, onNotice } = makeNotices();
  const ended = newest(endedKept);
  let leadership: Leadership | null = null;
  let draining = false;

  const setLeadership = (next: Leadership | null) => {
    leadership = next;
    notify({ is: 'leading' });
  };

  const enqueue = (controller: Controller, name: string, priority: Priority = 'high') =>
    leadership?.add(controller, name, priority);

  const { commands, contextFor } = makeCommands({
    controllers,
    caches,
    context,
    metrics,
    recorder,
    hasEnded: ended.has,
    archive: (controller, object) => {
      ended.add(object.metadata.uid ?? '');
      return recorder.archive(controller, object);
    },
    enqueue,
  });
  addEventHandlers({ controllers, caches, recorder, enqueue });

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
        rescheduled: (controller, name) => notify({ is: 'rescheduled', controller, name }),
      });
      setLeadership(begun);
      yield* Effect.addFinalizer(() => Effect.sync(() => setLeadership(null)));
      yield* begun.work;
      return yield* Effect.never;
    }),
  );

  metrics.queueDepth(() => leadership?.depth() ?? 0);
  return {
    ...commands,
    caches,
    controllers,
    ready,
    lead,
    isLeading: () => leadership !== null,
    onNotice,
    explain: (controller, lifecycle, name) =>
      explainObject({ controller, lifecycle }, name, {
        reader: caches,
        memory: leadership?.memory(controller, name),
      }),
    requeueAt: (controller, name) => leadership?.requeueAt(controller, name),
    checkEveryMs: (controller, name) => leadership?.checkEveryMs(controller, name),
    failure: (controller, name) => leadership?.failure(controller, name),
    drain: Effect.suspend(() => {
      draining = true;
      return Effect.andThen(leadership?.drain ?? Effect.void, recorder.flush);
    }),
  };
});
