import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { appController } from '../../../../runtime/controllers/app/controller.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';
import { startSession } from '../../../support/session.ts';
import { kubelet, putService, serviceName } from '../../../support/service.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

interface ServiceOptions {
  readonly spec?: Partial<AppSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly prepare?: (environment: TestEnvironment) => void;
  readonly through?: (cluster: ClusterShape) => ClusterShape;
  /** The port at which the machine lets visitors in. */
  readonly visitorsPort?: number;
}

/** A service and the operator over it, in a prepared environment. */
async function serviceSession({
  spec = {},
  annotations = {},
  prepare = () => {},
  through = (cluster) => cluster,
  visitorsPort,
}: ServiceOptions) {
  const session = await startSession<CoreApp>({
    resource: apps,
    name: serviceName,
    controllers: [
      appController({ gitUrl: 'https://git.example', ...(visitorsPort !== undefined && { visitorsPort }) }),
    ],
    prepare: (environment) => {
      putDatabaseEnvironment(environment);
      prepare(environment);
      putService(environment, spec, annotations);
    },
    through,
  });
  return { ...session, app: session.object };
}

export type ServiceSession = Awaited<ReturnType<typeof serviceSession>>;

/** Runs a test in a session of a service and ends the session after it. */
export async function withSession(
  given: ServiceOptions,
  test: (session: ServiceSession) => Promise<void>,
): Promise<void> {
  const session = await serviceSession(given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

/** A deploy, as the API asks for it. */
export async function deploy(session: ServiceSession, revision = 'r1', spec?: object): Promise<Error | null> {
  const refused = await session.ask('draftDeploy', { is: 'deploy', revision, ...(spec && { spec }) } as { is: string });
  await session.pass(2);
  return refused;
}

/** Until every pod of the newest template runs. */
export const running = (session: ServiceSession): Promise<void> =>
  session.edit((environment) => kubelet(environment, 'runs'));
