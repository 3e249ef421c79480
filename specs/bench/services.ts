import { Context, Effect, Logger } from 'effect';
import { appController } from '../../runtime/controllers/app/controller.ts';
import { activeDeploymentController } from '../../runtime/controllers/deployment/active.ts';
import { deploymentRecordController } from '../../runtime/controllers/deployment/record.ts';
import { everyKind } from '../../runtime/kinds.ts';
import { Cluster, type ClusterShape, type Resource } from '../../runtime/services/cluster.ts';
import { startOperator } from '../../runtime/start.ts';
import { makeWorld } from '../support/world.ts';
import { bareServices } from './bareServices.ts';
import { withServer } from './server.ts';
import { type DeployService, liveToReady, putProject, recordNameOf } from './serviceLives.ts';

export interface Readied {
  readonly perSecond: number;
  /** Writes that were done, by verb and plural. */
  readonly writes: Readonly<Record<string, number>>;
}

/** Counts what was written, but for Events and the lease. */
function counting(cluster: ClusterShape) {
  const writes: Record<string, number> = {};
  const noted = <A, E>(verb: string, { plural }: Resource, write: Effect.Effect<A, E>) =>
    Effect.tap(write, () =>
      Effect.sync(() => {
        if (plural !== 'events' && plural !== 'leases')
          writes[`${verb} ${plural}`] = (writes[`${verb} ${plural}`] ?? 0) + 1;
      }),
    );
  const shape: ClusterShape = {
    ...cluster,
    create: (resource, ...rest) => noted('create', resource, cluster.create(resource, ...rest)),
    patch: (resource, ...rest) => noted('patch', resource, cluster.patch(resource, ...rest)),
    patchStatus: (resource, ...rest) => noted('status of', resource, cluster.patchStatus(resource, ...rest)),
    apply: (resource, ...rest) => noted('apply', resource, cluster.apply(resource, ...rest)),
    remove: (resource, ...rest) => noted('remove', resource, cluster.remove(resource, ...rest)),
  };
  return { writes, shape };
}

/** What carries services to Ready, with the records of their deploys and of what runs. */
export const serviceControllers = () => [
  appController({ gitUrl: 'https://git.example' }),
  deploymentRecordController(),
  activeDeploymentController(),
];

/** Services from draft to Ready, by the runtime over a cluster; how many in a second. */
export async function readied(server: ClusterShape, count: number, through: ClusterShape = server): Promise<number> {
  const services = Context.add(makeWorld().services, Cluster, through);
  const { operator, stop } = await startOperator(
    services,
    { controllers: serviceControllers(), alsoSeen: everyKind, workers: 16 },
    { logger: Logger.layer([]) },
  );
  await Effect.runPromise(operator.ready);
  const [controller] = operator.controllers;
  const gate = controller?.lifecycles.find(({ kept }) => kept === 'object');
  if (!controller || !gate) throw new Error('no machine is kept in the object');
  const deploy: DeployService = (app) =>
    operator.move(controller, gate, app.metadata.name, {
      asked: { is: 'deploy', revision: recordNameOf(app) } as { is: string },
      by: 'admin',
    });
  const perSecond = await liveToReady(server, count, deploy);
  await stop();
  return perSecond;
}

export const servicesByRuntime = (count: number): Promise<Readied> =>
  withServer(async (server) => {
    await putProject(server);
    const { writes, shape } = counting(server);
    return { perSecond: await readied(server, count, shape), writes };
  });

export const servicesByBareLoop = (count: number): Promise<Readied> =>
  withServer(async (server) => {
    await putProject(server);
    const { writes, shape } = counting(server);
    const { deploy, end } = bareServices(shape);
    const perSecond = await liveToReady(server, count, deploy);
    await end();
    return { perSecond, writes };
  });
