import { Clock, Effect } from 'effect';
import * as engine from '../../../rules/engine.ts';
import * as leadership from '../../../runtime/lead/leadership.ts';
import * as requeue from '../../../runtime/lead/requeue.ts';
import * as eventHandlers from '../../../runtime/queue/eventHandlers.ts';
import * as timer from '../../../runtime/queue/timer.ts';
import * as workQueue from '../../../runtime/queue/priorityQueue.ts';
import * as wallClock from '../../../runtime/queue/wallClock.ts';
import { monotonicMs } from '../../../runtime/services/monotonic.ts';
import { around, type Bug, replaced } from './bug.ts';

/** Bugs in requeue times and in the concurrency of the queue. */
export const queueBugs: readonly Bug[] = [
  {
    name: 'look dropped',
    family: 'lost requeue',
    text: 'a pass that asks to look again later is not heard',
    plant: replaced(
      requeue,
      'requeueAfterPass',
      (original) =>
        (queue, ...given) =>
          original({ ...queue, addIn: () => Effect.void }, ...given),
    ),
  },
  {
    name: 'interval without a timer',
    family: 'lost requeue',
    text: 'what is checked at an interval, because no event tells of it, is not passed over when that has passed',
    plant: replaced(engine, 'requeueAfterMs', (original) => (look, facts, now) => {
      const afterMs = original(look, facts, now);
      return 'afterMs' in look && afterMs > 0 ? Number.MAX_SAFE_INTEGER : afterMs;
    }),
  },
  {
    name: 'failed pass never tried again',
    family: 'lost requeue',
    text: 'a pass that failed is not put back into the queue',
    plant: replaced(requeue, 'requeueAfterFailure', () => () => Effect.void),
  },
  {
    name: 'conflict not tried again',
    family: 'lost requeue',
    text: 'a pass that ended in a conflict waits for the change that caused it, which it may have heard already',
    plant: replaced(
      requeue,
      'requeueAfterFailure',
      (original) => (queue, key, error) => (error._tag === 'Conflict' ? Effect.void : original(queue, key, error)),
    ),
    by: ['conflict'],
  },
  {
    name: 'objects of before never looked at',
    family: 'lost requeue',
    text: 'whoever begins to lead waits for changes, and does not look at what is there',
    plant: replaced(leadership, 'namesOf', () => () => []),
  },
  {
    name: 'key lost while it is worked on',
    family: 'lost requeue',
    text: 'a key that is added while its pass runs is dropped',
    plant: replaced(workQueue, 'addAgain', () => () => {}),
    by: ['changed by hand amid a pass', 'slow calls'],
  },
  {
    name: 'two passes of one key',
    family: 'effect twice',
    text: 'a key that is worked on may be taken again',
    plant: replaced(workQueue, 'makeQueue', (original) =>
      Effect.map(original, (queue) => ({
        ...queue,
        take: Effect.map(queue.take, ({ key, finish }) => {
          finish();
          return { key, finish: () => {} };
        }),
      })),
    ),
    by: ['changed by hand amid a pass', 'slow calls', 'any schedule'],
    unseen: 'every write says over which version it was decided: the second pass of a key is refused',
  },
  {
    name: 'earlier look sleeps on',
    family: 'lost requeue',
    text: 'a look that comes before the one that is slept for does not wake anybody',
    plant: replaced(timer, 'makeTimer', (original) => () => ({ ...original(), wakeBy: () => {} })),
  },
  {
    name: 'looks by the wall clock',
    family: 'wall time',
    text: 'when a key is due is told by a clock that may be set',
    plant: replaced(workQueue, 'makeQueue', (original) =>
      Effect.map(original, (queue) => ({
        ...queue,
        addIn: (key, ms) =>
          Effect.gen(function* () {
            const ahead = (yield* Clock.currentTimeMillis) - (yield* monotonicMs);
            yield* queue.addIn(key, ms <= 0 ? ms : ahead + ms);
          }),
      })),
    ),
  },
  {
    name: 'clock set unseen',
    family: 'wall time',
    text: 'where the clock was set, what waits for a time of day waits on',
    plant: replaced(wallClock, 'makeWallClock', (original) => (clock) => ({ ...original(clock), wasSet: () => false })),
    by: ['Git host', 'clock set'],
    unseen: 'nothing in these lives waits for a time of day for longer than a minute',
  },
  {
    name: 'failures never forgotten',
    family: 'lost requeue',
    text: 'every failure makes the next pause longer, whatever went well in between',
    unseen: 'no life here has so many failures that their pauses would be felt',
    plant: replaced(
      requeue,
      'requeueAfterPass',
      (original) =>
        (queue, ...given) =>
          original({ ...queue, forget: () => {} }, ...given),
    ),
  },
  {
    name: 'other objects go unheard',
    family: 'broken watch',
    text: 'changes of Jobs, Secrets, connections and stores concern nobody',
    on: /^the connection comes late|^the object store comes late/,
    plant: around({
      controllers: (controllers) =>
        controllers.map((controller) => ({
          ...controller,
          watches: controller.watches.map((watching) => ({ ...watching, concerns: () => [] })),
        })),
    }),
  },
  {
    name: 'own write taken for news',
    family: 'hot loop',
    text: 'a pass is asked for by what the pass before it wrote',
    plant: replaced(
      eventHandlers,
      'isNews',
      () =>
        (_, { own, initial }) =>
          own || !initial,
    ),
    on: /^a pinned commit/,
  },
];
