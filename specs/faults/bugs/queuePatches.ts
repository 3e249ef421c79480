import { type Bug, patched } from './bug.ts';

const queue = 'runtime/pass/queue.ts';
const leadership = 'runtime/lead/leadership.ts';

/** Bugs in requeue times and in the concurrency of the queue. */
export const queuePatches: readonly Bug[] = [
  {
    name: 'look dropped',
    family: 'lost requeue',
    text: 'a pass that asks to look again later is not heard',
    plant: patched(leadership, 'if (requeueAfterMs !== null) yield* queue.addIn(key, requeueAfterMs);', ''),
  },
  {
    name: 'failed pass never tried again',
    family: 'lost requeue',
    text: 'a pass that failed is not put back into the queue',
    plant: patched(leadership, 'yield* queue.backOff(key, askedMs(error));', ''),
  },
  {
    name: 'conflict not tried again',
    family: 'lost requeue',
    text: 'a pass that ended in a conflict waits for the change that caused it, which it may have heard already',
    plant: patched(
      leadership,
      'yield* queue.backOff(key, askedMs(error));',
      "if (error._tag !== 'Conflict') yield* queue.backOff(key, askedMs(error));",
    ),
    by: ['conflict'],
  },
  {
    name: 'objects of before never looked at',
    family: 'lost requeue',
    text: 'whoever begins to lead waits for changes, and does not look at what is there',
    plant: patched(
      leadership,
      "for (const name of ownOf(controller)) add(controller, name, 'resync');",
      'for (const name of ownOf(controller)) void name;',
    ),
  },
  {
    name: 'key lost while it is worked on',
    family: 'lost requeue',
    text: 'a key that is added while its pass runs is dropped',
    plant: patched(queue, "      if (again.get(key) !== 'fresh') again.set(key, lane);\n", ''),
    by: ['changed by hand amid a pass', 'slow calls'],
  },
  {
    name: 'two passes of one key',
    family: 'effect twice',
    text: 'a key that is worked on may be taken again',
    plant: patched(queue, 'if (working.has(key)) {', 'if (working.size > 99) {'),
    by: ['changed by hand amid a pass', 'slow calls', 'any schedule'],
    unseen: 'every write says over which version it was decided: the second pass of a key is refused',
  },
  {
    name: 'earlier look sleeps on',
    family: 'lost requeue',
    text: 'a look that comes before the one that is slept for does not wake anybody',
    plant: patched(queue, 'if (at < sleepsUntil) rescheduled.openUnsafe();', ''),
  },
  {
    name: 'looks by the wall clock',
    family: 'wall time',
    text: 'when a key is due is told by a clock that may be set',
    plant: patched(queue, 'const at = (yield* monotonicMs) + ms;', 'const at = (yield* Clock.currentTimeMillis) + ms;'),
  },
  {
    name: 'clock set unseen',
    family: 'wall time',
    text: 'where the clock was set, what waits for a time of day waits on',
    plant: patched(queue, '      lookWhereTheClockWasSet();\n', ''),
    by: ['Git host', 'clock set'],
    unseen: 'nothing in these lives waits for a time of day for longer than a minute',
  },
  {
    name: 'failures never forgiven',
    family: 'lost requeue',
    text: 'every failure makes the next pause longer, whatever went well in between',
    unseen: 'no life here has so many failures that their pauses would be felt',
    plant: patched(leadership, 'else {\n      queue.forgive(key);', 'else {'),
  },
  {
    name: 'other objects go unheard',
    family: 'broken watch',
    text: 'changes of Jobs, Secrets, connections and stores concern nobody',
    on: /^the connection comes late|^the object store comes late/,
    plant: patched(
      'runtime/operator.ts',
      'if (!initial) for (const name of watching.concerns(object, caches)) enqueue(name, false);',
      'void [object, initial, watching, enqueue];',
    ),
  },
  {
    name: 'own write taken for news',
    family: 'hot loop',
    text: 'a pass is asked for by what the pass before it wrote',
    plant: patched('runtime/operator.ts', 'if (!own || controller.only) enqueue', 'if (own || !initial) enqueue'),
    on: /^a pinned commit/,
  },
];
