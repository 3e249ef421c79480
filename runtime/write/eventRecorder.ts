import { Clock, Effect, Queue, type Scope } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { isoTime } from '../../rules/time.ts';
import { externalChange } from '../step/audit.ts';
import { causesOf } from '../step/derive.ts';
import { historyOf } from '../step/history.ts';
import { causeEvents, type Passed } from './causeEvents.ts';
import { eventOfMove } from './kubeEvent.ts';
import { pendingEvents } from './pendingEvents.ts';
import { tombstone } from './tombstone.ts';
import type { Controller } from '../contract/controller.ts';
import { events } from '../services/cluster/resources.ts';
import { Cluster, type ClusterShape } from '../services/cluster/cluster.ts';
import { Journal } from '../services/journal.ts';
import { Metrics } from '../services/metrics.ts';
import type { InvalidTransition } from '../step/invalidTransition.ts';

/** The longest wait for the last Kubernetes Events when the process ends. */
const flushedWithinMs = 2_000;

/** Records moves in the log, the metrics and Kubernetes Events, and archives the history of deleted objects. */
export interface EventRecorder {
  readonly moved: (controller: Controller, object: KubeObject, moves: readonly HistoryEntry[]) => Effect.Effect<void>;
  /** Records a refused pass: the table has no arrow for its decision. */
  readonly refused: (controller: Controller, object: KubeObject, refusal: InvalidTransition) => Effect.Effect<void>;
  /** Keeps one Event for each recorded cause of an object. */
  readonly causes: (controller: Controller, passed: Passed) => void;
  /** Leaves the Events of causes to the next leader. */
  readonly forgetCauses: () => void;
  /**
   * Archives the history of an object whose life is over; called by the pass that ends it, before the object is
   * removed.
   */
  readonly archive: (controller: Controller, object: KubeObject) => Effect.Effect<void>;
  /** Archives a deleted object in its last seen version. */
  readonly gone: (controller: Controller, object: KubeObject) => void;
  /** Writes the pending Kubernetes Events before the process ends. */
  readonly flush: Effect.Effect<void>;
}

const isTrouble = ({ lifecycles, entries = [] }: Controller, { machine, event, to }: HistoryEntry) =>
  event === externalChange ||
  [...lifecycles, ...entries].some(({ name, trouble }) => name === machine && trouble.includes(to));

/** A build that failed only because nothing was pushed yet is no trouble. */
const awaitsFirstPush = (object: KubeObject) => causesOf(object)[0]?.reason === 'FirstPushAwaited';

/** Writes count and time of an Event; one that expired is created anew. */
const renewed = (cluster: ClusterShape, event: KubeObject) => {
  const { name, namespace = systemNamespace } = event.metadata;
  const { count, lastTimestamp } = event as KubeObject & { readonly count: number; readonly lastTimestamp: string };
  return cluster
    .patch(events, { name, namespace }, { count, lastTimestamp })
    .pipe(Effect.catchTag('NotFound', () => cluster.create(events, event)));
};

/**
 * Creates the recorder. Separate fibers write Events and tombstones: no pass waits for them or fails because of them.
 */
export const makeEventRecorder: Effect.Effect<EventRecorder, never, Cluster | Journal | Metrics | Scope.Scope> =
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const journal = yield* Journal;
    const metrics = yield* Metrics;
    const pending = pendingEvents((event) => Effect.ignore(cluster.create(events, event)));
    const tombstones = yield* Queue.unbounded<Effect.Effect<void>>();
    const ofCauses = causeEvents({ add: pending.add, count: (event) => Effect.ignore(renewed(cluster, event)) });
    yield* Effect.forkScoped(pending.work);
    yield* Effect.forkScoped(ofCauses.renew);
    yield* Effect.forkScoped(Effect.forever(Effect.flatten(Queue.take(tombstones))));

    const record = (controller: Controller, object: KubeObject, entry: HistoryEntry) => {
      const { machine, from, event, to, by, text } = entry;
      metrics.moved(machine, from, event, to);
      if (from !== to) {
        const type = isTrouble(controller, entry) && !awaitsFirstPush(object) ? 'Warning' : 'Normal';
        pending.add(controller.resource, object, eventOfMove(entry, type));
      }
      const { kind } = controller.resource;
      const { name } = object.metadata;
      return Effect.logInfo('transition').pipe(Effect.annotateLogs({ kind, name, machine, from, event, to, by, text }));
    };

    const archive = (controller: Controller, object: KubeObject) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => journal.archive(tombstone(controller, object, now)));

    return {
      moved: (controller, object, moves) =>
        Effect.forEach(moves, (entry) => record(controller, object, entry), { discard: true }),
      refused: (controller, object, { event, message }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const content = { type: 'Warning', reason: 'TransitionRefused', message, at: isoTime(now) } as const;
          const id = `${historyOf(object).at(-1)?.seq ?? 0}.${event.toLowerCase()}`;
          pending.add(controller.resource, object, { ...content, id });
        }),
      causes: ({ resource }, passed) => ofCauses.recorded(resource, passed),
      forgetCauses: ofCauses.clear,
      archive,
      gone: (controller, object) => {
        ofCauses.forget(object.metadata.uid ?? '');
        if (controller.lifecycles.length > 0) Queue.offerUnsafe(tombstones, archive(controller, object));
      },
      flush: Effect.asVoid(Effect.timeoutOption(pending.flush, flushedWithinMs)),
    };
  });
