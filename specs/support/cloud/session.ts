import { Context } from 'effect';
import { storageSecretName } from '../../../rules/backupStorage/place.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { Cluster, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { projectIn, putCluster, putProject } from '../project.ts';
import { virtualTime } from '../virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment, type TestEnvironmentOptions } from '../environment.ts';
import { conditionSaid, connectionIn, connectionName, putConnection, putKeys } from './objects.ts';

export const minuteMs = 60_000;
/** What an ensure found out is told by the pass after it, which comes a moment later. */
export const soonMs = 100;
export const bucket = 'core-backups';
export const secretName = storageSecretName(bucket);

/** A project and what is given beside it, with the operator over them; time advances only on request. */
export async function startSession(
  given: (environment: TestEnvironment) => void,
  clouded: TestEnvironmentOptions['clouded'] = {},
  through: (cluster: ClusterShape) => ClusterShape = (cluster) => cluster,
) {
  const time = virtualTime();
  const environment = makeTestEnvironment({
    now: time.wall,
    controllers: [cloudConnectionController(), projectController()],
    clouded,
  });
  putCluster(environment);
  putProject(environment);
  given(environment);
  const services = Context.add(environment.services, Cluster, through(Context.get(environment.services, Cluster)));
  const { crash } = await time.wait(environment.start(undefined, time.over(services)));
  await time.settle();
  return {
    environment,
    crash,
    settle: time.settle,
    /** Lets this much time pass, step by step. */
    pass: async (ms: number) => {
      const until = time.now() + ms;
      for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
      await time.moveTo(until);
    },
    ready: () => conditionSaid(connectionIn(environment), 'Ready'),
    storage: () => conditionSaid(projectIn(environment), 'BackupStorage'),
    calls: (operation: string) => environment.cloud.calls.filter((call) => call.startsWith(operation)),
  };
}

export const connected = (environment: TestEnvironment) => {
  putKeys(environment);
  putConnection(environment);
};
export const stored = (environment: TestEnvironment, of: Partial<{ bucket: string; region: string }> = {}) => {
  connected(environment);
  putProject(environment, { backupStorage: { connectionRef: { name: connectionName }, bucket, ...of } });
};
