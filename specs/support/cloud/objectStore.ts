import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreObjectStore, type CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { objectStoreController } from '../../../runtime/controllers/objectStore/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { objectStores } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { inSystem, pieceIn, putCluster, putProject } from '../project.ts';
import { virtualTime } from '../virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../environment.ts';
import { conditionSaid, connectionName, putConnection, putKeys } from './objects.ts';

type Spec = CoreObjectStore['spec'];

export const storeIn = ({ cluster }: TestEnvironment, name = 'files') =>
  cluster.all(objectStores).find(({ metadata }) => metadata.name === name);

/** Writes an object store, changing only these fields of its spec. */
export function putStore(
  environment: TestEnvironment,
  of: Partial<Spec> = {},
  name = 'files',
  annotations: Record<string, string> = {},
) {
  const found = storeIn(environment, name);
  environment.cluster.put(objectStores, {
    ...typeMeta(coreObjectStore),
    metadata: {
      ...(found?.metadata ?? inSystem(name)),
      generation: (found?.metadata.generation ?? 0) + 1,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: {
      project: 'shop',
      environment: 'production',
      mode: 'Bucket',
      connectionRef: { name: connectionName },
      deploy: { enabled: true },
      ...found?.spec,
      ...of,
    },
    ...(found?.status === undefined ? {} : { status: found.status }),
  });
}
export const server: Partial<Spec> = {
  mode: 'Server',
  project: undefined as never,
  environment: undefined as never,
  connectionRef: undefined as never,
};
export const onServer: Partial<Spec> = { serverRef: { name: 'store' }, connectionRef: undefined as never };

/** A project with a connection, and what is given beside it; time advances only on request. */
export async function startSession(given: (environment: TestEnvironment) => void) {
  const time = virtualTime();
  const controllers = [cloudConnectionController(), objectStoreController(), projectController()];
  const environment = makeTestEnvironment({ now: time.wall, controllers });
  putCluster(environment);
  putProject(environment);
  putKeys(environment);
  putConnection(environment);
  given(environment);
  const { operator, crash } = await time.wait(environment.start(undefined, time.over(environment.services)));
  const pass = async (ms: number) => {
    const until = time.now() + ms;
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  await time.settle();
  await pass(1_000);
  return {
    environment,
    time,
    reader: operator.caches,
    crash,
    pass,
    ready: (name = 'files') => conditionSaid(storeIn(environment, name), 'Ready'),
    remove: (name: string) => Effect.runSync(environment.cluster.remove(objectStores, { name })),
  };
}
/** The Deployment of a server as it is once its pod runs. */
export const runs = ({ cluster }: TestEnvironment, name = 'store') => {
  const found = pieceIn({ cluster } as TestEnvironment, owned.deployments, name, 'core-system');
  assert.ok(found, 'the server is deployed');
  cluster.put(owned.deployments, { ...found, status: { availableReplicas: 1, replicas: 1 } } as never);
};
