import { Context, Effect, Fiber, Logger, Stream } from 'effect';
import { everything } from '../../runtime/controllers/all.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { startOperator } from '../../runtime/start.ts';
import { userBuild, labelled, makeTestEnvironment } from '../support/environment.ts';
import { bareLoop } from './bareLoop.ts';
import { finishJobs } from './finisher.ts';
import { follow } from './follow.ts';
import { withServer } from './server.ts';

export interface Drained {
  readonly perSecond: number;
  /** Status writes of builds for each move in their histories. */
  readonly writesPerMove: number;
}

const settings = { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' };

/** Counts the status writes of builds, and those that changed nothing. */
function counting(cluster: ClusterShape) {
  const counted = { writes: 0 };
  const shape: ClusterShape = {
    ...cluster,
    patchStatus: (resource, name, ...rest) =>
      Effect.tap(cluster.patchStatus(resource, name, ...rest), () =>
        Effect.sync(() => {
          if (resource.plural === 'corebuilds') counted.writes++;
        }),
      ),
  };
  return { counted, shape };
}

/** Resolves when so many builds have succeeded. */
const succeeded = (cluster: ClusterShape, count: number) => {
  const done = new Set<string>();
  return Effect.runFork(
    follow(cluster, builds).pipe(
      Stream.takeUntil((change) => {
        if (change.type === 'modified' && change.object.status?.phase === 'Succeeded')
          done.add(change.object.metadata.name);
        return done.size >= count;
      }),
      Stream.runDrain,
    ),
  );
};

/** Creates builds, each of a service of its own, and times them until the last has succeeded. */
async function drain(cluster: ClusterShape, count: number): Promise<number> {
  const all = succeeded(cluster, count);
  await new Promise((listening) => setTimeout(listening, 200));
  const start = performance.now();
  await Effect.runPromise(
    Effect.forEach(
      Array.from({ length: count }, (_, index) => `drain-${index}`),
      (name) => cluster.create(builds, labelled(userBuild(name, { app: name }))),
      { concurrency: 16, discard: true },
    ),
  );
  await Effect.runPromise(Fiber.join(all));
  return count / ((performance.now() - start) / 1000);
}

/** The runtime over the embedded API, in a process of its own. */
export const drainByRuntime = (count: number): Promise<Drained> =>
  withServer(async (cluster) => {
    const { counted, shape } = counting(cluster);
    const services = Context.add(makeTestEnvironment().services, Cluster, shape);
    const { operator, stop } = await startOperator(
      services,
      { ...everything({ builder: settings }), workers: 16 },
      { logger: Logger.layer([]) },
    );
    await Effect.runPromise(operator.ready);
    const stopFinishing = finishJobs(cluster);
    const perSecond = await drain(cluster, count);
    await new Promise((settled) => setTimeout(settled, 500));
    const moves = operator.caches.list(builds).reduce((sum, build) => sum + historyOf(build).length, 0);
    await stop();
    await stopFinishing();
    return { perSecond, writesPerMove: counted.writes / moves };
  });

export const drainByBareLoop = (count: number): Promise<number> =>
  withServer(async (cluster) => {
    const stopFinishing = finishJobs(cluster);
    const stopLoop = bareLoop(cluster);
    const perSecond = await drain(cluster, count);
    await stopLoop();
    await stopFinishing();
    return perSecond;
  });
