import { Context, Effect } from 'effect';
import { type AppSpec, coreApp } from '../../crds/coreApp.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { appController } from '../../runtime/controllers/app/controller.ts';
import { apps, everyKind } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { inSystem } from '../support/project.ts';
import { draft } from '../support/service.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../support/environment.ts';
import { counted } from './counted.ts';
import { compared, letPass, statesIn, tellOfProject } from './idling.ts';
import { deploymentRuns } from './serviceLives.ts';

export interface IdleServices {
  /** Passes in ten minutes in which nothing happened. */
  readonly restPasses: number;
  /** What was written in ten minutes in which only the project told of itself. */
  readonly writes: readonly string[];
  /** What was read from the API meanwhile, but for the one list that each cache is compared with. */
  readonly reads: readonly string[];
  readonly objects: number;
  readonly passes: number;
  /** The states in which the services stood. */
  readonly states: readonly string[];
}

/** Longer than five counted failures take. */
const beginsMs = 1_200_000;
const idleMinutes = 10;
const image = { source: { image: 'nginx:1.27' } };
const deployed = { deploy: { enabled: true } };
const inProject = { project: 'shop', environment: 'production' };

interface ServiceInput {
  readonly spec: Partial<AppSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** One for each state that can last, none of which has a timer. */
const kinds: Readonly<Record<string, ServiceInput>> = {
  draft: { spec: image, annotations: draft },
  ready: {
    spec: { ...image, ...deployed, config: { LEVEL: 'info' }, networking: { host: 'web.example', tls: true } },
  },
  changed: {
    spec: { ...image, ...deployed, config: { LEVEL: 'debug' } },
    annotations: {
      [annotation.deployWorkflow]: 'true',
      [annotation.pendingChanges]: 'settings',
      [annotation.lastDeployed]: JSON.stringify({ ...inProject, ...image, ...deployed }),
    },
  },
  failed: { spec: { ...image, ...deployed, secretRefs: [{ name: 'absent' }] } },
  waiting: {
    spec: {
      source: { git: { repository: 'shop/web', waitForCI: false } },
      build: { registry: { repository: 'registry.example/web' }, cache: true },
      ...deployed,
    },
  },
};

/** Ten minutes of virtual time over services of every state that can last, on a server that defaults what is written. */
export async function idleServices(count: number): Promise<IdleServices> {
  const time = virtualTime(undefined, undefined, Number.POSITIVE_INFINITY);
  const controllers = [appController({ gitUrl: 'https://git.example' })];
  const environment = makeTestEnvironment({ now: time.wall, controllers, alsoSeen: everyKind });
  const { cluster, writes, reads } = counted(environment.cluster);
  let passes = 0;
  const metrics = Context.get(environment.services, Metrics);
  const services = environment.services.pipe(
    Context.add(Cluster, cluster),
    Context.add(Metrics, { ...metrics, passed: (machine) => void (passes += machine === 'service' ? 1 : 0) }),
  );
  fill(environment, count);
  const { operator, stop } = await time.wait(environment.start(undefined, time.over(services)));
  await letPass(time, 60_000);
  for (const deployment of environment.cluster.all(owned.deployments))
    await time.wait(Effect.runPromise(deploymentRuns(environment.cluster, deployment)));
  await letPass(time, beginsMs);
  const rested = passes;
  await letPass(time, idleMinutes * 60_000);
  const restPasses = passes - rested;
  const before = { writes: writes.length, reads: reads.length, passes };
  for (let minute = 0; minute < idleMinutes; minute++) {
    await time.wait(tellOfProject(environment, minute));
    await letPass(time, 60_000);
  }
  const figures = {
    restPasses,
    writes: writes.slice(before.writes),
    reads: compared(reads.slice(before.reads), operator.caches).others,
    objects: operator.caches.list(apps).length,
    passes: passes - before.passes,
    states: statesIn(environment.cluster.all(apps)),
  };
  await time.wait(stop());
  return figures;
}

function fill(environment: TestEnvironment, count: number): void {
  putDatabaseEnvironment(environment);
  const all = Object.entries(kinds);
  for (let number = 0; number < count; number++) {
    const [kind, { spec, annotations = {} }]: [string, ServiceInput] = all[number % all.length] ?? [
      '',
      { spec: image },
    ];
    const networking = spec.networking && { ...spec.networking, host: `web-${number}.example` };
    environment.cluster.put(apps, {
      ...typeMeta(coreApp),
      metadata: { ...inSystem(`${kind}-${number}`), generation: 1, annotations },
      spec: { ...inProject, ...image, deploy: { enabled: false }, ...spec, ...(networking && { networking }) },
    });
  }
}
