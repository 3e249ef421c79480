import { Context, Effect, Logger } from 'effect';
import { databaseController } from '../../runtime/controllers/database/controller.ts';
import { everyKind } from '../../runtime/services/cluster/kinds.ts';
import { Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { startOperator } from '../../runtime/start.ts';
import { makeTestEnvironment } from '../support/environment.ts';
import { bareDatabases } from './bareDatabases.ts';
import { type Deploy, type Lived, liveAll, putPassword } from './databaseLives.ts';
import { withServer } from './server.ts';

export interface LivedMachines extends Lived {
  readonly writes: Writes;
}

/** Writes that were done: of databases by what they changed, and of what they own. */
interface Writes {
  readonly status: number;
  readonly object: number;
  readonly owned: number;
}

function counting(cluster: ClusterShape) {
  const writes = { status: 0, object: 0, owned: 0 };
  const noted = <A, E>(what: keyof typeof writes, write: Effect.Effect<A, E>) =>
    Effect.tap(write, () => Effect.sync(() => void writes[what]++));
  const shape: ClusterShape = {
    ...cluster,
    patch: (...given) => noted('object', cluster.patch(...given)),
    patchStatus: (...given) => noted('status', cluster.patchStatus(...given)),
    apply: (...given) => noted('owned', cluster.apply(...given)),
    remove: (...given) => noted('owned', cluster.remove(...given)),
  };
  return { writes, shape };
}

/**
 * Databases with three machines each, one of them kept in the object, from their creation to their end: the real kind,
 * external ones, for nothing of it waits for anybody else.
 */
export const machinesByRuntime = (count: number): Promise<LivedMachines> =>
  withServer(async (server) => {
    await putPassword(server);
    const { writes, shape } = counting(server);
    const services = Context.add(makeTestEnvironment().services, Cluster, shape);
    const { operator, stop } = await startOperator(
      services,
      { controllers: [databaseController()], alsoSeen: everyKind, workers: 16 },
      { logger: Logger.layer([]) },
    );
    await Effect.runPromise(operator.ready);
    const [controller] = operator.controllers;
    const gate = controller?.lifecycles.find(({ storage: kept }) => kept === 'object');
    if (!controller || !gate) throw new Error('no machine is kept in the object');
    const deploy: Deploy = ({ metadata }) =>
      operator.move(controller, gate, metadata.name, { asked: 'deploy', by: 'admin' });
    const lived = await liveAll(server, count, deploy);
    await stop();
    return { ...lived, writes };
  });

export const machinesByBareLoop = (count: number): Promise<LivedMachines> =>
  withServer(async (server) => {
    await putPassword(server);
    const { writes, shape } = counting(server);
    const { deploy, end } = bareDatabases(shape);
    const lived = await liveAll(server, count, deploy);
    await end();
    return { ...lived, writes };
  });
