import { Clock, Effect, Result } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { PassContext } from '../contract/context.ts';
import type { Caches } from '../cache/caches.ts';
import { type Controller, nameOf } from '../contract/controller.ts';
import type { Outside } from '../services/outside.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { pass, type PassError } from '../pass/pass.ts';
import type { PassRecords } from './passRecords.ts';
import { requeueAfterFailure, requeueAfterPass } from './requeue.ts';
import type { WorkQueue } from '../queue/priorityQueue.ts';
import type { MetricsShape } from '../services/metrics.ts';
import type { InvalidTransition } from '../step/invalidTransition.ts';
import type { EventRecorder } from '../write/eventRecorder.ts';
import { Cluster } from '../services/cluster/cluster.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

export interface ProcessOptions {
  readonly caches: Caches;
  readonly metrics: MetricsShape;
  readonly recorder: EventRecorder;
  readonly context: (controller: Controller) => PassContext;
  /** Called when the failures of an object's passes begin or end. */
  readonly troubled: (controller: Controller, name: string) => void;
  /** Called when a pass without a move changes the time or interval of the next one. */
  readonly rescheduled: (controller: Controller, name: string) => void;
}

/** Runs one pass of an object, or of a name without an object, and requeues its key. */
export type Process = (controller: Controller, name: string, key: string) => Effect.Effect<void, never, Outside>;

/** The log fields that identify the object of a pass. */
export const logFieldsOf = (
  { resource: { kind }, name: controller }: Controller,
  name: string,
): Readonly<Record<string, string>> => ({
  kind,
  name,
  ...(controller === undefined ? {} : { controller }),
});

/** The machines of a controller, which label its pass metrics; its own name when it has none. */
const machinesOf = (controller: Controller): readonly string[] =>
  controller.lifecycles.length > 0 ? controller.lifecycles.map(({ name }) => name) : [nameOf(controller)];

/** Reads directly: the cache that gave an object to a pass may be behind its removal. */
const isGone = ({ resource }: Controller, name: string) =>
  Effect.flatMap(Cluster, (cluster) => cluster.get(resource, { name })).pipe(
    Effect.as(false),
    Effect.catch(({ _tag }) => Effect.succeed(_tag === 'NotFound')),
  );

export function makeProcess(options: ProcessOptions, queue: WorkQueue, records: PassRecords): Process {
  const { caches, metrics, recorder, context, troubled, rescheduled } = options;

  const setFailure = (controller: Controller, name: string, key: string, text: string | null) => {
    if (records.setFailure(key, text)) troubled(controller, name);
  };

  const failed = Effect.fnUntraced(function* (controller: Controller, name: string, key: string, error: PassError) {
    records.unschedule(key);
    yield* requeueAfterFailure(queue, key, error);
    if (error._tag === 'Conflict' || (error._tag === 'NotFound' && (yield* isGone(controller, name)))) return;
    setFailure(controller, name, key, errorMessage(error));
    yield* Effect.logWarning('pass failed').pipe(
      Effect.annotateLogs({ ...logFieldsOf(controller, name), reason: error._tag, error: errorMessage(error) }),
    );
  });

  const refused = Effect.fnUntraced(function* (
    controller: Controller,
    object: KubeObject,
    key: string,
    error: InvalidTransition,
  ) {
    metrics.refused(error.machine, 'decided');
    if (!records.failure(key)) yield* recorder.refused(controller, object, error);
  });

  const missed = Effect.fnUntraced(function* (controller: Controller, name: string, key: string) {
    records.forget(key);
    const came = yield* Effect.result(controller.onMissing?.(name, context(controller)) ?? Effect.void);
    if (Result.isFailure(came)) return yield* failed(controller, name, key, came.failure);
    queue.forget(key);
    setFailure(controller, name, key, null);
  });

  return Effect.fnUntraced(function* (controller, name, key) {
    const object = caches.of(controller.resource).get(name);
    if (!object) return yield* missed(controller, name, key);
    const { memory, isNew } = records.memoryOf(key, object);
    // A new object of the name inherits nothing, not even the failure count.
    if (isNew) queue.forget(key);
    const startedAt = yield* monotonicMs;
    const result = yield* Effect.result(pass(controller, object, memory, context(controller)));
    // A pass that failed may have recorded why, too.
    const after = caches.of(controller.resource).get(name) ?? object;
    recorder.causes(controller, { before: object, after, now: yield* Clock.currentTimeMillis });
    const seconds = ((yield* monotonicMs) - startedAt) / 1000;
    const count = (came: 'ok' | 'conflict' | 'failed') => {
      for (const machine of machinesOf(controller)) metrics.passed(machine, came, seconds);
    };
    if (Result.isFailure(result)) {
      count(result.failure._tag === 'Conflict' ? 'conflict' : 'failed');
      if (result.failure._tag === 'InvalidTransition') yield* refused(controller, object, key, result.failure);
      return yield* failed(controller, name, key, result.failure);
    }
    count('ok');
    setFailure(controller, name, key, null);
    const { object: stored, moves, requeueAfterMs } = result.success;
    yield* requeueAfterPass(queue, key, { before: object, after: stored, requeueAfterMs });
    const isNews = yield* records.reschedule(key, requeueAfterMs);
    if (isNews && moves.length === 0) rescheduled(controller, name);
    yield* recorder.moved(controller, stored, moves);
  });
}
