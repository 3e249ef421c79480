import { Context, Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { databaseController } from '../../../../runtime/controllers/database/controller.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { databases, everyKind } from '../../../../runtime/kinds.ts';
import { Cluster, type ClusterShape, type Resource } from '../../../../runtime/services/cluster.ts';
import { databaseIn, databaseName, putDatabase, putSurroundings } from '../../../support/database.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { makeWorld, type World } from '../../../support/world.ts';

/** A database and the operator over it, in a prepared world. Time advances only on request. */
export async function liveDatabase(
  {
    spec = {},
    annotations = {},
  }: { readonly spec?: Partial<DatabaseSpec>; readonly annotations?: Readonly<Record<string, string>> } = {},
  prepare: (world: World) => void = putSurroundings,
  through: (cluster: ClusterShape) => ClusterShape = (cluster) => cluster,
) {
  const time = virtualTime();
  const controllers = [databaseController()];
  const world = makeWorld({ now: time.wall, controllers, alsoSeen: everyKind });
  prepare(world);
  putDatabase(world, spec, annotations);
  const told: string[] = [];
  world.cluster.onChange((changed) => {
    if (changed.kind !== 'CoreDatabase') return;
    const message = conditionOf(changed, 'Ready')?.message ?? '';
    if (message !== '' && message !== told.at(-1)) told.push(message);
  });
  const { operator, crash } = await time.wait(
    world.start(undefined, time.over(Context.add(world.services, Cluster, through(world.cluster)))),
  );
  await time.settle();
  const database = (): CoreDatabase => {
    const found = databaseIn(world);
    if (!found) throw new Error('the database is gone');
    return found;
  };
  const ready = () => conditionOf(database(), 'Ready');
  return {
    world,
    time,
    operator,
    database,
    phase: () => database().status?.phase ?? '',
    message: () => ready()?.message ?? '',
    ready: () => `${ready()?.status ?? ''} ${ready()?.reason ?? ''}`,
    moves: (machine: string) =>
      historyOf(database())
        .filter((move) => move.machine === machine)
        .map(({ from, event, to }) => `${from} ${event} ${to}`),
    /** Every Ready message so far. */
    told,
    attempts: () => database().status?.provision?.provisionAttempts ?? [],
    /** Advances time, with everything that happens in it. */
    pass: async (seconds: number) => {
      const until = time.now() + seconds * 1_000;
      for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
      await time.moveTo(until);
    },
    /** Makes an external change and lets its immediate effects happen. */
    hand: async (act: (world: World) => void) => {
      act(world);
      await time.settle();
      await time.moveTo(time.now() + 2_000);
    },
    /** Sends a command to one of its machines; resolves with the refusal, or null. */
    ask: async (machine: string, asked: string) => {
      const [controller] = operator.controllers;
      const lifecycle = controller?.lifecycles.find(({ name }) => name === machine);
      if (!controller || !lifecycle) throw new Error(`no machine ${machine}`);
      const moved = operator.move(controller, lifecycle, databaseName, { asked, by: 'admin' });
      const answered = await time.wait(
        Effect.runPromise(
          Effect.match(moved, {
            onSuccess: () => null,
            onFailure: (failure) => {
              if (failure._tag === 'NoAnswer') return failure;
              throw new Error(failure._tag);
            },
          }),
        ),
      );
      return answered;
    },
    /** Deletes an object as kubectl does. */
    remove: async (resource: Resource = databases, name: string = databaseName, namespace?: string) => {
      await Effect.runPromise(world.cluster.remove(resource, { name, ...(namespace && { namespace }) }));
      await time.settle();
      await time.moveTo(time.now() + 2_000);
    },
    end: () => time.wait(crash()),
  };
}

export type LiveDatabase = Awaited<ReturnType<typeof liveDatabase>>;
