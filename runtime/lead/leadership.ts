import { Clock, Effect, Latch, type Scope } from 'effect';
import type { Caches } from '../cache/caches.ts';
import { type Controller, nameOf, ownAmong } from '../contract/controller.ts';
import type { Outside } from '../services/outside.ts';
import type { Memory } from '../pass/memory.ts';
import { makePassRecords, type PassFailure } from './passRecords.ts';
import { logFieldsOf, makeProcess, type ProcessOptions } from './process.ts';
import type { Priority } from '../queue/priority.ts';
import { makeQueue } from '../queue/priorityQueue.ts';
import { dueDuringPass } from './schedule.ts';

/** The options of one leadership. */
export interface LeadershipOptions extends ProcessOptions {
  readonly controllers: readonly Controller[];
  /** The number of concurrent passes. */
  readonly workers: number;
}

/** One period in which a process runs passes: with its queue and its records between passes. */
export interface Leadership {
  readonly add: (controller: Controller, name: string, priority: Priority) => void;
  readonly requeueAt: (controller: Controller, name: string) => number | undefined;
  /** The interval (ms) at which an object is checked; undefined without a fixed one. */
  readonly checkEveryMs: (controller: Controller, name: string) => number | undefined;
  readonly failure: (controller: Controller, name: string) => PassFailure | undefined;
  readonly memory: (controller: Controller, name: string) => Memory | undefined;
  readonly depth: () => number;
  /** Processes every object once, then each that changes or is due. */
  readonly work: Effect.Effect<void, never, Outside>;
  /** Lets running passes finish and starts no others. */
  readonly drain: Effect.Effect<void>;
}

const keyOf = (controller: Controller, name: string) => `${nameOf(controller)} ${name}`;
const drainWithinMs = 8_000;

/** The names of the objects of a controller, including missing ones that should exist. */
export const namesOf = (controller: Controller, caches: Caches): readonly string[] =>
  controller.expects ?? ownAmong(controller, caches.list(controller.resource)).map(({ metadata }) => metadata.name);

export const makeLeadership = Effect.fnUntraced(function* (
  options: LeadershipOptions,
): Effect.fn.Return<Leadership, never, Scope.Scope> {
  const { controllers, workers, caches, troubled } = options;
  const clock = yield* Clock.Clock;
  const queue = yield* makeQueue;
  const records = makePassRecords();
  const process = makeProcess(options, queue, records);
  const byName = new Map(controllers.map((controller) => [nameOf(controller), controller]));
  let draining = false;
  let busy = 0;
  const idle = Latch.makeUnsafe(true);

  const add = (controller: Controller, name: string, priority: Priority) =>
    queue.add(keyOf(controller, name), priority);
  const objectOf = (key: string) => {
    const [called = '', name = ''] = key.split(' ');
    return { controller: byName.get(called), name };
  };

  // Failures are counted per leader.
  yield* Effect.addFinalizer(() => Effect.sync(options.recorder.forgetCauses));
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const key of records.failedKeys()) {
        const { controller, name } = objectOf(key);
        if (controller && records.setFailure(key, null)) troubled(controller, name);
      }
    }),
  );

  const processKey = (key: string) => {
    const { controller, name } = objectOf(key);
    // A defect costs this pass, not the operator.
    return (controller ? process(controller, name, key) : Effect.void).pipe(
      Effect.catchDefect((defect) =>
        Effect.andThen(queue.backOff(key), Effect.logError('pass crashed', defect)).pipe(
          Effect.annotateLogs(controller ? logFieldsOf(controller, name) : { name }),
        ),
      ),
    );
  };

  const worker = Effect.gen(function* () {
    for (;;) {
      const { key, finish } = yield* queue.take;
      // The next leader processes the rest.
      if (draining) return;
      busy++;
      idle.closeUnsafe();
      yield* Effect.ensuring(
        processKey(key),
        Effect.sync(() => {
          busy--;
          if (busy === 0) idle.openUnsafe();
          finish();
        }),
      );
    }
  });

  return {
    add,
    requeueAt: (controller, name) => {
      const key = keyOf(controller, name);
      return queue.dueAt(key) ?? dueDuringPass(records.schedule(key), clock);
    },
    checkEveryMs: (controller, name) => records.schedule(keyOf(controller, name))?.everyMs ?? undefined,
    failure: (controller, name) => records.failure(keyOf(controller, name)),
    memory: (controller, name) => records.memory(keyOf(controller, name)),
    depth: queue.depth,
    work: Effect.gen(function* () {
      for (const controller of controllers)
        for (const name of namesOf(controller, caches)) add(controller, name, 'low');
      yield* Effect.all(
        Array.from({ length: workers }, () => worker),
        { concurrency: 'unbounded', discard: true },
      );
    }),
    drain: Effect.gen(function* () {
      draining = true;
      yield* idle.await;
    }).pipe(Effect.timeoutOption(drainWithinMs), Effect.asVoid),
  };
});
