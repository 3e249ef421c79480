import { Context, Effect, Logger } from 'effect';
import { appController } from '../../runtime/controllers/app/controller.ts';
import { activeDeploymentController } from '../../runtime/controllers/deployment/lifecycles/activeDeployment/controller.ts';
import { deploymentRecordController } from '../../runtime/controllers/deployment/controller.ts';
import type { Controller } from '../../runtime/contract/controller.ts';
import { everyKind } from '../../runtime/services/cluster/kinds.ts';
import { Cluster, type ClusterShape, type Resource } from '../../runtime/services/cluster/cluster.ts';
import { startOperator } from '../../runtime/start.ts';
import { makeTestEnvironment } from '../support/environment.ts';
import { bareServices } from './bareServices.ts';
import { counted } from './counted.ts';
import { processorMs } from './processorTime.ts';
import { withServer } from './server.ts';
import { type DeployService, liveToReady, putProject, recordNameOf } from './serviceLives.ts';

export interface Readied {
  readonly perSecond: number;
  /** Processor time of this process for each service: of the operator, and of what plays the Deployment controller. */
  readonly cpuMsEach: number;
  /** The same of the embedded API, a process of its own: it serves both of these, and the start of the operator. */
  readonly apiCpuMsEach: number;
  /** Writes that were done, by verb and plural. */
  readonly writes: Readonly<Record<string, number>>;
  /** Requests of the operator for each service, by verb and plural, but for lists of caches and the lease. */
  readonly requestsEach: Readonly<Record<string, number>>;
}

type Timed = Pick<Readied, 'perSecond' | 'cpuMsEach'>;

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

interface Operating {
  /** What stands between the operator and the cluster. */
  readonly through?: ClusterShape;
  readonly controllers?: readonly Controller[];
}

/** Services from draft to Ready, by the runtime over a cluster. */
export async function readied(
  server: ClusterShape,
  count: number,
  { through = server, controllers = serviceControllers() }: Operating = {},
): Promise<Timed> {
  const services = Context.add(makeTestEnvironment().services, Cluster, through);
  const { operator, stop } = await startOperator(
    services,
    { controllers, alsoSeen: everyKind, workers: 16 },
    { logger: Logger.layer([]) },
  );
  await Effect.runPromise(operator.ready);
  const [controller] = operator.controllers;
  const gate = controller?.lifecycles.find(({ storage: kept }) => kept === 'object');
  if (!controller || !gate) throw new Error('no machine is kept in the object');
  const deploy: DeployService = (app) =>
    operator.move(controller, gate, app.metadata.name, {
      asked: { is: 'deploy', revision: recordNameOf(app) } as { is: string },
      by: 'admin',
    });
  const timed = await timedReady(server, count, deploy);
  await stop();
  return timed;
}

async function timedReady(server: ClusterShape, count: number, deploy: DeployService): Promise<Timed> {
  const before = process.cpuUsage();
  const perSecond = await liveToReady(server, count, deploy);
  const { user, system } = process.cpuUsage(before);
  return { perSecond, cpuMsEach: (user + system) / 1_000 / count };
}

/** How many there are of each, for each service; a list without a page of its own is of a cache. */
function each(requests: readonly string[], count: number): Readonly<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const request of requests) totals[request] = (totals[request] ?? 0) + 1;
  const ofServices = Object.entries(totals).filter(([, total]) => total >= count / 2);
  return Object.fromEntries(ofServices.map(([request, total]) => [request, total / count]));
}

/** Without what a list selects, which names the service. */
const called = (request: string) =>
  request
    .split(' ')
    .slice(0, request.startsWith('status') ? 3 : 2)
    .join(' ');

/** What comes to pass with services, and what it costs the API of that process. */
async function served(pid: number, count: number, work: () => Promise<Timed>) {
  const before = processorMs(pid);
  const timed = await work();
  return { ...timed, apiCpuMsEach: (processorMs(pid) - before) / count };
}

export const servicesByRuntime = (count: number, controllers?: readonly Controller[]): Promise<Readied> =>
  withServer(async (server, { pid }) => {
    await putProject(server);
    const requests = counted(server);
    const { writes, shape } = counting(requests.cluster);
    const timed = await served(pid, count, () =>
      readied(server, count, { through: shape, ...(controllers && { controllers }) }),
    );
    return { ...timed, writes, requestsEach: each([...requests.reads, ...requests.writes].map(called), count) };
  });

export const servicesByBareLoop = (count: number): Promise<Readied> =>
  withServer(async (server, { pid }) => {
    await putProject(server);
    const { writes, shape } = counting(server);
    const { deploy, end } = bareServices(shape);
    const timed = await served(pid, count, () => timedReady(server, count, deploy));
    await end();
    return { ...timed, writes, requestsEach: {} };
  });
