import { Context, Effect } from 'effect';
import type { AppSpec } from '../../../../crds/coreApp.ts';
import type { DeployAsked, SpecPatch } from '../../../../rules/draftDeploy/facts.ts';
import { appController } from '../../../../runtime/controllers/app/controller.ts';
import { activeDeploymentController } from '../../../../runtime/controllers/deployment/lifecycles/activeDeployment/controller.ts';
import { deploymentRecordController } from '../../../../runtime/controllers/deployment/controller.ts';
import { apps, everyKind } from '../../../../runtime/services/cluster/kinds.ts';
import type { Controller } from '../../../../runtime/contract/controller.ts';
import { Cluster, type ClusterShape, type Resource } from '../../../../runtime/services/cluster/cluster.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';
import { appIn, putService, recordsIn, serviceName } from '../../../support/deployed.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../../../support/environment.ts';

/** Every controller that has to do with deployment records. */
const recordControllers = (): readonly Controller[] => [
  appController({ gitUrl: 'https://git.example' }),
  deploymentRecordController(),
  activeDeploymentController(),
];

/** A service that is a draft at first, and the operator over it. Time passes only when it is let pass. */
export async function serviceSession(
  spec: Partial<AppSpec> = {},
  { prepare = putDatabaseEnvironment }: { readonly prepare?: (environment: TestEnvironment) => void } = {},
) {
  const time = virtualTime();
  const controllers = recordControllers();
  const environment = makeTestEnvironment({ now: time.wall, controllers, alsoSeen: everyKind });
  prepare(environment);
  putService(environment, spec);
  const begin = async (through: (cluster: ClusterShape) => ClusterShape = (cluster) => cluster) => {
    const services = time.over(Context.add(environment.services, Cluster, through(environment.cluster)));
    const begun = await time.wait(environment.start(undefined, services));
    await time.settle();
    return begun;
  };
  let running = await begin();
  const pass = async (seconds: number) => {
    const until = time.now() + seconds * 1_000;
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  /** Sends commands to the gate of the service, all at once; for each, whether it was done. */
  /** Waits, and lets the time go by that this takes. */
  const lasting = async <A>(promise: Promise<A>): Promise<A> => {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    promise.then(end, end);
    for (await time.settle(); !isOver; await time.settle()) await time.moveTo(time.next() ?? time.now());
    return promise;
  };
  const ask = async (...commands: readonly DeployAsked[]): Promise<readonly boolean[]> => {
    const { operator } = running;
    const [controller] = operator.controllers;
    const lifecycle = controller?.lifecycles.find(({ name }) => name === 'draftDeploy');
    if (!controller || !lifecycle) throw new Error('the service has no gate');
    const moves = commands.map((asked) =>
      Effect.match(operator.move(controller, lifecycle, serviceName, { asked, by: 'admin' }), {
        onSuccess: () => true,
        onFailure: () => false,
      }),
    );
    return lasting(Effect.runPromise(Effect.all(moves, { concurrency: 'unbounded' })));
  };
  return {
    environment,
    time,
    pass,
    app: () => {
      const found = appIn(environment);
      if (!found) throw new Error('the service is gone');
      return found;
    },
    /** The names of the records of deploys, by name. */
    records: () =>
      recordsIn(environment)
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    /** Does something from outside, and lets what follows of it at once happen. */
    edit: async (act: (environment: TestEnvironment) => void) => {
      act(environment);
      await pass(2);
    },
    operator: () => running.operator,
    ask,
    /** Deploys under the name of a record, and lets what follows happen; false where it was refused. */
    deploy: async (revision: string, changed: SpecPatch = {}): Promise<boolean> => {
      const [done = false] = await ask({ is: 'deploy', revision, spec: changed });
      await pass(2);
      return done;
    },
    /** The process dies, and another one takes over, perhaps through a cluster that does not do all it is asked. */
    crash: async (through?: (cluster: ClusterShape) => ClusterShape) => {
      await time.wait(running.crash());
      running = await begin(through);
      await pass(2);
    },
    /** Deletes an object as kubectl does. */
    remove: async (resource: Resource = apps, name: string = serviceName) => {
      await Effect.runPromise(environment.cluster.remove(resource, { name }));
      await pass(30);
    },
    end: () => time.wait(running.crash()),
  };
}

export type ServiceSession = Awaited<ReturnType<typeof serviceSession>>;
