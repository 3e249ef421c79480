import { Effect, Latch, Result, type Scope } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { PassContext } from '../contract/context.ts';
import type { Caches } from '../cache/caches.ts';
import { type Controller, nameOf, ownAmong } from '../contract/controller.ts';
import type { Outside } from '../services/outside.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { freshMemory, type Memory } from '../pass/memory.ts';
import { pass, type PassError } from '../pass/pass.ts';
import { requeueAfterFailure, requeueAfterPass } from './requeue.ts';
import { asksFor, isNewSchedule, type Schedule, scheduleAfter } from './schedule.ts';
import { type Priority, makeQueue } from '../queue/priorityQueue.ts';
import type { MetricsShape } from '../services/metrics.ts';
import type { InvalidTransition } from '../step/invalidTransition.ts';
import type { EventRecorder } from '../write/eventRecorder.ts';
import { Cluster } from '../services/cluster/cluster.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

/** Why the last pass of an object failed. */
export interface PassFailure {
  readonly text: string;
  readonly count: number;
}

/** What the operator gives to one leadership. */
export interface LeadershipGiven {
  readonly controllers: readonly Controller[];
  /** The number of concurrent passes. */
  readonly workers: number;
  readonly caches: Caches;
  readonly metrics: MetricsShape;
  readonly recorder: EventRecorder;
  readonly context: (controller: Controller) => PassContext;
  /** Called when the failures of an object's passes begin or end. */
  readonly troubled: (controller: Controller, name: string) => void;
  /** Called when a pass moved nothing, and the next one is due at another moment or interval than was known. */
  readonly rescheduled: (controller: Controller, name: string) => void;
}

/** One period in which a process runs passes: its queue, and what it keeps of objects between their passes. */
export interface Leadership {
  readonly add: (controller: Controller, name: string, priority: Priority) => void;
  readonly requeueAt: (controller: Controller, name: string) => number | undefined;
  /** The interval (ms) at which an object is checked; undefined where there is no fixed one. */
  readonly checkEveryMs: (controller: Controller, name: string) => number | undefined;
  readonly failure: (controller: Controller, name: string) => PassFailure | undefined;
  readonly memory: (controller: Controller, name: string) => Memory | undefined;
  readonly depth: () => number;
  /** Processes every object once, then each that changes or is due. */
  readonly work: Effect.Effect<void, never, Outside>;
  /** Lets the running passes finish and starts no other. */
  readonly drain: Effect.Effect<void>;
}

const keyOf = (controller: Controller, name: string) => `${nameOf(controller)} ${name}`;
/** The fields of a log line that say whose pass it was. */
const logFieldsOf = ({ resource: { kind }, name: controller }: Controller, name: string) => ({
  kind,
  name,
  ...(controller === undefined ? {} : { controller }),
});
/** The machines of a controller, which label its pass metrics; its own name where it has none. */
const machinesOf = (controller: Controller): readonly string[] =>
  controller.lifecycles.length > 0 ? controller.lifecycles.map(({ name }) => name) : [nameOf(controller)];
const drainWithinMs = 8_000;

/** The names of the objects of a controller, including those that are missing and should exist. */
export const namesOf = (controller: Controller, caches: Caches): readonly string[] =>
  controller.only ?? ownAmong(controller, caches.list(controller.resource)).map(({ metadata }) => metadata.name);

export const makeLeadership = Effect.fnUntraced(function* (
  given: LeadershipGiven,
): Effect.fn.Return<Leadership, never, Scope.Scope> {
  const { controllers, workers, caches, metrics, recorder, context } = given;
  const queue = yield* makeQueue;
  const memories = new Map<string, Memory>();
  const failures = new Map<string, PassFailure>();
  const schedules = new Map<string, Schedule>();
  const byName = new Map(controllers.map((controller) => [nameOf(controller), controller]));
  let draining = false;
  let busy = 0;
  const idle = Latch.makeUnsafe(true);

  const add = (controller: Controller, name: string, priority: Priority) =>
    queue.add(keyOf(controller, name), priority);

  /** A new life of the name inherits nothing, not even the failure count. */
  const memoryOf = (key: string, { metadata: { uid } }: KubeObject) => {
    const known = memories.get(key);
    if (known && known.uid === uid) return known;
    if (known) queue.forget(key);
    const fresh = freshMemory(uid);
    memories.set(key, fresh);
    return fresh;
  };

  const setFailure = (controller: Controller, name: string, failure: PassFailure | undefined) => {
    const key = keyOf(controller, name);
    const before = failures.get(key);
    if (failure) failures.set(key, failure);
    else failures.delete(key);
    if ((before === undefined) !== (failure === undefined)) given.troubled(controller, name);
  };

  // The next leader has failures of its own.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const key of failures.keys()) {
        const [called = '', name = ''] = key.split(' ');
        const controller = byName.get(called);
        if (controller) setFailure(controller, name, undefined);
      }
    }),
  );

  /** Asked directly: the cache that gave an object to a pass may be behind its removal. */
  const isGone = ({ resource }: Controller, name: string) =>
    Effect.flatMap(Cluster, (cluster) => cluster.get(resource, { name })).pipe(
      Effect.as(false),
      Effect.catch(({ _tag }) => Effect.succeed(_tag === 'NotFound')),
    );

  const failed = Effect.fnUntraced(function* (controller: Controller, name: string, error: PassError) {
    const key = keyOf(controller, name);
    schedules.delete(key);
    yield* requeueAfterFailure(queue, key, error);
    if (error._tag === 'Conflict' || (error._tag === 'NotFound' && (yield* isGone(controller, name)))) return;
    setFailure(controller, name, { text: errorMessage(error), count: (failures.get(key)?.count ?? 0) + 1 });
    yield* Effect.logWarning('pass failed').pipe(
      Effect.annotateLogs({ ...logFieldsOf(controller, name), error: error._tag, why: errorMessage(error) }),
    );
  });

  const refused = Effect.fnUntraced(function* (controller: Controller, object: KubeObject, error: InvalidTransition) {
    metrics.refused(error.machine, 'decided');
    if (!failures.has(keyOf(controller, object.metadata.name))) yield* recorder.refused(controller, object, error);
  });

  const missed = Effect.fnUntraced(function* (controller: Controller, name: string) {
    const key = keyOf(controller, name);
    memories.delete(key);
    schedules.delete(key);
    const came = yield* Effect.result(controller.onMissing?.(name, context(controller)) ?? Effect.void);
    if (Result.isFailure(came)) return yield* failed(controller, name, came.failure);
    queue.forget(key);
    setFailure(controller, name, undefined);
  });

  /** Whether the next pass is due at another moment or interval than before; one that is due at once is no schedule. */
  const reschedule = Effect.fnUntraced(function* (key: string, afterMs: number | null) {
    if (afterMs === 0) return false;
    const before = schedules.get(key);
    if (afterMs === null) return schedules.delete(key);
    const memory = memories.get(key);
    const isFixed = memory !== undefined && asksFor(memory, afterMs);
    const after = scheduleAfter(before, { now: yield* monotonicMs, afterMs, isFixed });
    schedules.set(key, after);
    return isNewSchedule(before, after);
  });

  const process = Effect.fnUntraced(function* (controller: Controller, name: string) {
    const key = keyOf(controller, name);
    const object = caches.of(controller.resource).get(name);
    if (!object) return yield* missed(controller, name);
    const machines = machinesOf(controller);
    const startedAt = yield* monotonicMs;
    const result = yield* Effect.result(pass(controller, object, memoryOf(key, object), context(controller)));
    const seconds = ((yield* monotonicMs) - startedAt) / 1000;
    if (Result.isFailure(result)) {
      const came = result.failure._tag === 'Conflict' ? 'conflict' : 'failed';
      for (const machine of machines) metrics.passed(machine, came, seconds);
      if (result.failure._tag === 'InvalidTransition') yield* refused(controller, object, result.failure);
      return yield* failed(controller, name, result.failure);
    }
    for (const machine of machines) metrics.passed(machine, 'ok', seconds);
    setFailure(controller, name, undefined);
    const { object: stored, moves, requeueAfterMs } = result.success;
    yield* requeueAfterPass(queue, key, { before: object, after: stored, requeueAfterMs });
    const isNews = yield* reschedule(key, requeueAfterMs);
    if (isNews && moves.length === 0) given.rescheduled(controller, name);
    yield* recorder.moved(controller, stored, moves);
  });

  const workOff = Effect.gen(function* () {
    for (;;) {
      const { key, finish } = yield* queue.take;
      // What is left is for the next leader.
      if (draining) return;
      const [called = '', name = ''] = key.split(' ');
      const controller = byName.get(called);
      busy++;
      idle.closeUnsafe();
      yield* (controller ? process(controller, name) : Effect.void).pipe(
        // A defect costs this pass, not the operator.
        Effect.catchDefect((defect) =>
          Effect.andThen(queue.backOff(key), Effect.logError('pass crashed', defect)).pipe(
            Effect.annotateLogs(controller ? logFieldsOf(controller, name) : { name }),
          ),
        ),
        Effect.ensuring(
          Effect.sync(() => {
            busy--;
            if (busy === 0) idle.openUnsafe();
            finish();
          }),
        ),
      );
    }
  });

  return {
    add,
    requeueAt: (controller, name) => queue.dueAt(keyOf(controller, name)),
    checkEveryMs: (controller, name) => schedules.get(keyOf(controller, name))?.everyMs ?? undefined,
    failure: (controller, name) => failures.get(keyOf(controller, name)),
    memory: (controller, name) => memories.get(keyOf(controller, name)),
    depth: queue.depth,
    work: Effect.gen(function* () {
      for (const controller of controllers)
        for (const name of namesOf(controller, caches)) add(controller, name, 'low');
      yield* Effect.all(
        Array.from({ length: workers }, () => workOff),
        { concurrency: 'unbounded', discard: true },
      );
    }),
    drain: Effect.gen(function* () {
      draining = true;
      yield* idle.await;
    }).pipe(Effect.timeoutOption(drainWithinMs), Effect.asVoid),
  };
});
