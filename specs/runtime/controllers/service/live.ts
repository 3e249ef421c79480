import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { appController } from '../../../../runtime/controllers/app/controller.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';
import { liveIn } from '../../../support/live.ts';
import { kubelet, putService, serviceName } from '../../../support/service.ts';
import type { World } from '../../../support/world.ts';

interface Given {
  readonly spec?: Partial<AppSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly prepare?: (world: World) => void;
  readonly through?: (cluster: ClusterShape) => ClusterShape;
  /** The port at which the machine lets visitors in. */
  readonly visitorsPort?: number;
}

/** A service and the operator over it, in a prepared world. */
async function liveService({
  spec = {},
  annotations = {},
  prepare = () => {},
  through = (cluster) => cluster,
  visitorsPort,
}: Given) {
  const live = await liveIn<CoreApp>({
    resource: apps,
    name: serviceName,
    controllers: [
      appController({ gitUrl: 'https://git.example', ...(visitorsPort !== undefined && { visitorsPort }) }),
    ],
    prepare: (world) => {
      putDatabaseEnvironment(world);
      prepare(world);
      putService(world, spec, annotations);
    },
    through,
  });
  return { ...live, app: live.object };
}

export type LiveService = Awaited<ReturnType<typeof liveService>>;

/** A life of a service, ended after the test. */
export async function living(given: Given, test: (live: LiveService) => Promise<void>): Promise<void> {
  const live = await liveService(given);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}

/** A deploy, as the API asks for it. */
export async function deploy(live: LiveService, revision = 'r1', spec?: object): Promise<Error | null> {
  const refused = await live.ask('draftDeploy', { is: 'deploy', revision, ...(spec && { spec }) } as { is: string });
  await live.pass(2);
  return refused;
}

/** Until every pod of the newest template runs. */
export const running = (live: LiveService): Promise<void> => live.edit((world) => kubelet(world, 'runs'));
