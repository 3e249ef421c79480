import { Context } from 'effect';
import { storageSecretName } from '../../../rules/backupStorage/place.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { Cluster, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { projectIn, putCluster, putProject } from '../project.ts';
import { virtualTime } from '../virtualTime.ts';
import { makeWorld, type World, type WorldOptions } from '../world.ts';
import { conditionSaid, connectionIn, connectionName, putConnection, putKeys } from './world.ts';

export const minuteMs = 60_000;
/** What an ensure found out is told by the pass after it, which comes a moment later. */
export const soonMs = 100;
export const bucket = 'core-backups';
export const secretName = storageSecretName(bucket);

/** A project and what is given beside it, with the operator over them; time advances only on request. */
export async function startSession(
  given: (world: World) => void,
  clouded: WorldOptions['clouded'] = {},
  through: (cluster: ClusterShape) => ClusterShape = (cluster) => cluster,
) {
  const time = virtualTime();
  const world = makeWorld({
    now: time.wall,
    controllers: [cloudConnectionController(), projectController()],
    clouded,
  });
  putCluster(world);
  putProject(world);
  given(world);
  const services = Context.add(world.services, Cluster, through(Context.get(world.services, Cluster)));
  const { crash } = await time.wait(world.start(undefined, time.over(services)));
  await time.settle();
  return {
    world,
    crash,
    settle: time.settle,
    /** Lets this much time pass, step by step. */
    pass: async (ms: number) => {
      const until = time.now() + ms;
      for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
      await time.moveTo(until);
    },
    ready: () => conditionSaid(connectionIn(world), 'Ready'),
    storage: () => conditionSaid(projectIn(world), 'BackupStorage'),
    calls: (operation: string) => world.cloud.calls.filter((call) => call.startsWith(operation)),
  };
}

export const connected = (world: World) => {
  putKeys(world);
  putConnection(world);
};
export const stored = (world: World, of: Partial<{ bucket: string; region: string }> = {}) => {
  connected(world);
  putProject(world, { backupStorage: { connectionRef: { name: connectionName }, bucket, ...of } });
};
