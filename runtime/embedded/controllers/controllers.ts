import type { Change, Store } from '../store.ts';
import { type ClusterOptions, marksOf } from '../surroundings.ts';
import { createAgenda } from '../nodes/agenda.ts';
import { type Clock, systemClock } from '../nodes/clock.ts';
import { createEvents } from '../nodes/events.ts';
import type { NodesOptions } from '../nodes/nodes.ts';
import { bucket, keyOf } from '../nodes/shapes.ts';
import { createClaimController } from './claim.ts';
import type { Controller, World } from './controller.ts';
import { createCronJobController } from './cronJob.ts';
import { createDeploymentController } from './deployment.ts';
import { createDisruptionController } from './disruption.ts';
import { createTaintController } from './nodeTaints.ts';
import { createReplicaSetController } from './replicaSet.ts';
import { createServiceController } from './service.ts';
import { shelves } from './shapes.ts';
import { ensureStorageClasses } from './storageClasses.ts';
import { createVolumeController } from './volume.ts';

interface ControllersOptions extends Pick<ClusterOptions, 'names' | 'log'> {
  /** `manual`: nothing moves by itself. */
  readonly mode: NodesOptions['mode'];
  readonly clock?: Clock;
}

/** Objects from before the start are reconciled like new ones. */
const watched = [...Object.values(bucket), ...Object.values(shelves)].filter((one) => one !== bucket.events);

const all: readonly ((world: World) => Controller)[] = [
  createDeploymentController,
  createReplicaSetController,
  createDisruptionController,
  createServiceController,
  createClaimController,
  createVolumeController,
  createTaintController,
  createCronJobController,
];

/** Runs the controllers of workloads, services and volumes on a store. */
export function startControllers(store: Store, { mode, clock = systemClock, names, log }: ControllersOptions) {
  if (mode === 'manual') return { stop: () => Promise.resolve() };
  const events = createEvents(store, clock);
  const marks = marksOf(names);
  const running = all.map((create) => {
    const controller = create({ store, marks, clock, events });
    const agenda = createAgenda(clock, controller.reconcile, (key, why, times) => {
      // The first failure is most often a change that came in between.
      if (times > 1) log('warn', 'a reconciliation failed', { part: controller.name, key, times, why: String(why) });
    });
    return { controller, agenda };
  });

  function heard(change: Change) {
    for (const { controller, agenda } of running)
      try {
        controller.concerns(change).forEach(agenda.ask);
      } catch (why) {
        log('warn', 'an object cannot be read', {
          part: controller.name,
          key: keyOf(change.object),
          why: String(why),
        });
      }
  }

  const seeded = ensureStorageClasses(store, names).catch((why: unknown) =>
    log('warn', 'the storage classes cannot be written', { why: String(why) }),
  );
  const unsubscribe = store.onChange(heard);
  for (const shelf of watched) for (const object of store.list(shelf)) heard({ type: 'ADDED', bucket: shelf, object });

  return {
    async stop() {
      unsubscribe();
      await seeded;
      await Promise.all(running.map(({ agenda }) => agenda.stop()));
      await events.settled();
    },
  };
}
