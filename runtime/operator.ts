import { Clock, Effect, Result, type Scope } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import type { Around } from './around.ts';
import { type Caches, makeCaches } from './caches.ts';
import { type Explained, explain } from './explain.ts';
import { historyOf } from './history.ts';
import type { AnyLifecycle, Controller, Outside } from './lifecycle.ts';
import { type Command, move, type NoArrow } from './move.ts';
import { freshMemory, type Memory, pass, type PassError } from './pass.ts';
import { makeQueue } from './queue.ts';
import { Cluster, NotFound, type Resource, type WriteError } from './services/cluster.ts';
import type { Journal } from './services/journal.ts';
import { Metrics } from './services/metrics.ts';
import { makeTelling } from './telling.ts';
import { why } from './why.ts';

export interface OperatorOptions {
  readonly controllers: readonly Controller[];
  /** Resources that facts are read from, beside those that controllers watch. */
  readonly alsoSeen: readonly Resource[];
  /** Passes at a time. */
  readonly workers: number;
  /** How long a watch may be silent before it is taken for deaf. */
  readonly silenceMs?: number;
}

/** Why the last pass of an object failed. */
export interface PassFailure {
  readonly text: string;
  readonly count: number;
}

/** The running reconcile runtime: what reads, moves and streams go through. */
export interface Operator {
  readonly caches: Caches;
  readonly controllers: readonly Controller[];
  /** Waits until everything was listed and old objects were adopted. */
  readonly ready: Effect.Effect<void>;
  /** One command on one instance, then a pass at once. */
  readonly move: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
    command: Command,
  ) => Effect.Effect<KubeObject, NoArrow | WriteError>;
  /** Looks at an object now; false when there is none of that name. */
  readonly look: (controller: Controller, name: string) => boolean;
  readonly explain: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
  ) => Effect.Effect<Explained, NotFound>;
  readonly nextLookAt: (controller: Controller, name: string) => number | undefined;
  readonly failure: (controller: Controller, name: string) => PassFailure | undefined;
  /** Called when the failures of an object's passes begin or end. */
  readonly onTrouble: (listener: (controller: Controller, name: string) => void) => () => void;
  /** Called after a pass that moved nothing and will look again. */
  readonly onLooked: (listener: (controller: Controller, name: string) => void) => () => void;
  /** Lets the passes that run come to their end and takes no other. */
  readonly drain: Effect.Effect<void>;
}

const keyOf = (controller: Controller, name: string) => `${controller.resource.kind} ${name}`;
const drainWithinMs = 8_000;

export const makeOperator = Effect.fnUntraced(function* (
  options: OperatorOptions,
): Effect.fn.Return<Operator, never, Outside | Journal | Metrics | Scope.Scope> {
  const { controllers, alsoSeen, workers, silenceMs } = options;
  const context = yield* Effect.context<Outside>();
  const cluster = yield* Cluster;
  const metrics = yield* Metrics;
  const watched = controllers.flatMap(({ resource, watches }) => [resource, ...watches.map((one) => one.resource)]);
  const caches = yield* makeCaches([...watched, ...alsoSeen], silenceMs === undefined ? {} : { silenceMs });
  const queue = yield* makeQueue;
  const telling = yield* makeTelling;
  const memories = new Map<string, Memory>();
  const failures = new Map<string, PassFailure>();
  const troubled = new Set<(controller: Controller, name: string) => void>();
  const looked = new Set<(controller: Controller, name: string) => void>();
  let draining = false;
  let busy = 0;

  const memoryOf = (key: string) => {
    const known = memories.get(key) ?? freshMemory();
    memories.set(key, known);
    return known;
  };

  const around = (controller: Controller): Around => ({
    seen: caches,
    wrote: (object) => caches.of(controller.resource).note(object),
    strange: (_, { machine }) => metrics.refused(machine, 'outside'),
  });

  const setFailure = (controller: Controller, name: string, failure: PassFailure | undefined) => {
    const key = keyOf(controller, name);
    const before = failures.get(key);
    if (failure) failures.set(key, failure);
    else failures.delete(key);
    if ((before === undefined) !== (failure === undefined)) for (const listener of troubled) listener(controller, name);
  };

  const failed = Effect.fnUntraced(function* (controller: Controller, object: KubeObject, error: PassError) {
    const { name } = object.metadata;
    const key = keyOf(controller, name);
    yield* queue.backOff(key);
    if (error._tag === 'Conflict') return;
    if (error._tag === 'OutsideTable') {
      metrics.refused(error.machine, 'decided');
      if (!failures.has(key)) yield* telling.refused(controller, object, error);
    }
    setFailure(controller, name, { text: why(error), count: queue.failures(key) });
    yield* Effect.logWarning('pass failed').pipe(
      Effect.annotateLogs({ kind: controller.resource.kind, name, error: error._tag, why: why(error) }),
    );
  });

  const process = Effect.fnUntraced(function* (controller: Controller, name: string) {
    const key = keyOf(controller, name);
    const object = caches.of(controller.resource).get(name);
    if (!object) {
      memories.delete(key);
      queue.drop(key);
      setFailure(controller, name, undefined);
      return;
    }
    const machine = controller.lifecycles[0]?.name ?? controller.resource.kind;
    const startedAt = yield* Clock.currentTimeMillis;
    const result = yield* Effect.result(pass(controller, object, memoryOf(key), around(controller)));
    const seconds = ((yield* Clock.currentTimeMillis) - startedAt) / 1000;
    if (Result.isFailure(result)) {
      metrics.passed(machine, result.failure._tag === 'Conflict' ? 'conflict' : 'failed', seconds);
      return yield* failed(controller, object, result.failure);
    }
    metrics.passed(machine, 'ok', seconds);
    queue.forgive(key);
    setFailure(controller, name, undefined);
    const { moves, lookInMs } = result.success;
    if (lookInMs !== null) yield* queue.addIn(key, lookInMs);
    if (lookInMs !== null && moves.length === 0) for (const listener of looked) listener(controller, name);
    yield* telling.moved(controller, result.success.object, moves);
  });

  const byKind = new Map(controllers.map((controller) => [controller.resource.kind, controller]));
  const work = Effect.gen(function* () {
    while (!draining) {
      const { key, finish } = yield* queue.take;
      const [kind = '', name = ''] = key.split(' ');
      const controller = byKind.get(kind);
      busy++;
      yield* (controller ? process(controller, name) : Effect.void).pipe(
        // A broken promise of ours costs this pass, not the operator.
        Effect.catchDefect((defect) =>
          Effect.andThen(queue.backOff(key), Effect.logError('pass crashed', defect)).pipe(
            Effect.annotateLogs({ kind, name }),
          ),
        ),
        Effect.ensuring(
          Effect.sync(() => {
            busy--;
            finish();
          }),
        ),
      );
    }
  });

  for (const controller of controllers) listen(controller);
  function listen(controller: Controller) {
    const enqueue = (name: string, initial: boolean) =>
      queue.add(keyOf(controller, name), initial ? 'resync' : 'fresh');
    caches.of(controller.resource).onChange(({ type, object, own, initial }) => {
      if (type === 'deleted') telling.gone(controller, object);
      if (!own) enqueue(object.metadata.name, initial);
    });
    for (const watching of controller.watches)
      caches.of(watching.resource).onChange(({ object, initial }) => {
        if (!initial) for (const name of watching.concerns(object, caches)) enqueue(name, false);
      });
  }
  const adopt = Effect.forEach(controllers, (controller) =>
    Effect.forEach(caches.list(controller.resource), (object) => {
      const patch = controller.adopt?.(object) ?? null;
      return patch === null
        ? Effect.void
        : Effect.ignore(
            Effect.map(
              cluster.patch(controller.resource, { name: object.metadata.name }, patch),
              around(controller).wrote,
            ),
          );
    }),
  );

  const ready = yield* Effect.cached(
    Effect.andThen(
      Effect.forEach(caches.all, (cache) => cache.synced, { discard: true }),
      Effect.asVoid(adopt),
    ),
  );
  const running = Effect.andThen(
    ready,
    Effect.all(
      Array.from({ length: workers }, () => work),
      { concurrency: 'unbounded' },
    ),
  );
  yield* Effect.forkScoped(Effect.provideContext(running, context));

  metrics.queueDepth(queue.depth);
  return {
    caches,
    controllers,
    ready,
    move: (controller, lifecycle, name, command) =>
      move({ controller, lifecycle, name }, command, around(controller)).pipe(
        Effect.tap((object) => {
          const newest = historyOf(object).at(-1);
          queue.add(keyOf(controller, name), 'fresh');
          return newest ? telling.moved(controller, object, [newest]) : Effect.void;
        }),
        Effect.tapErrorTag('NoArrow', ({ machine }) => Effect.sync(() => metrics.refused(machine, 'asked'))),
        Effect.provideContext(context),
      ),
    look: (controller, name) => {
      if (!caches.of(controller.resource).get(name)) return false;
      queue.add(keyOf(controller, name), 'fresh');
      return true;
    },
    explain: (controller, lifecycle, name) =>
      Effect.gen(function* () {
        const object = caches.of(controller.resource).get(name);
        if (!object) return yield* new NotFound({ what: `${controller.resource.kind} "${name}" was not found` });
        const now = yield* Clock.currentTimeMillis;
        return explain(lifecycle, object, { seen: caches, memory: memories.get(keyOf(controller, name)), now });
      }),
    nextLookAt: (controller, name) => queue.dueAt(keyOf(controller, name)),
    failure: (controller, name) => failures.get(keyOf(controller, name)),
    onLooked: (listener) => {
      looked.add(listener);
      return () => void looked.delete(listener);
    },
    onTrouble: (listener) => {
      troubled.add(listener);
      return () => void troubled.delete(listener);
    },
    drain: Effect.gen(function* () {
      draining = true;
      const until = (yield* Clock.currentTimeMillis) + drainWithinMs;
      while (busy > 0 && (yield* Clock.currentTimeMillis) < until) yield* Effect.sleep(20);
    }),
  };
});
