import { Context } from 'effect';
import { coreDatabase, type DatabaseSpec } from '../../crds/coreDatabase.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { databaseController } from '../../runtime/controllers/database/controller.ts';
import { databases, everyKind } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import { putDatabaseEnvironment, workflow } from '../support/database.ts';
import { inSystem } from '../support/project.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../support/environment.ts';
import { counted } from './counted.ts';
import { compared, letPass, statesIn, tellOfProject } from './idling.ts';

export interface IdleMachines {
  /** Passes in ten minutes in which nothing happened. */
  readonly restPasses: number;
  /** What was written in ten minutes in which only a neighbour changed. */
  readonly writes: readonly string[];
  /** What was read from the API meanwhile, but for the one list that each cache is compared with. */
  readonly reads: readonly string[];
  readonly objects: number;
  readonly passes: number;
  /** The states in which the machine of the status stood, and that in the object. */
  readonly states: readonly string[];
}

const beginsMs = 120_000;
const idleMinutes = 10;
const external = {
  engine: 'MySQL',
  placement: 'External',
  externalHost: 'db.example',
  username: 'app',
  passwordSecretRef: { name: 'password', key: '' },
} satisfies Partial<DatabaseSpec>;
const deployed = { deploy: { enabled: true } };

/** One for each state that can last: those that wait, here for more nodes, are rechecked every 30 s (DB-211). */
const kinds: Readonly<
  Record<string, { readonly spec: Partial<DatabaseSpec>; readonly annotations?: Readonly<Record<string, string>> }>
> = {
  draft: { spec: external, annotations: workflow },
  ready: { spec: { ...external, ...deployed } },
  changed: {
    spec: { ...external, ...deployed, databaseName: 'other' },
    annotations: {
      ...workflow,
      [annotation.pendingChanges]: 'settings',
      [annotation.lastDeployed]: JSON.stringify({ ...specOf(external), ...deployed }),
    },
  },
  failed: { spec: { ...external, ...deployed, externalHost: '' } },
  waiting: {
    spec: { engine: 'Postgres', placement: 'InCluster', highAvailability: true, instances: 3, ...deployed },
  },
};

/** Ten minutes of virtual time over databases of every state that can last, whose project tells of itself each minute. */
export async function idleMachines(count: number): Promise<IdleMachines> {
  const time = virtualTime(undefined, undefined, Number.POSITIVE_INFINITY);
  const environment = makeTestEnvironment({ now: time.wall, controllers: [databaseController()], alsoSeen: everyKind });
  const { cluster, writes, reads } = counted(environment.cluster);
  let passes = 0;
  const metrics = Context.get(environment.services, Metrics);
  const services = environment.services.pipe(
    Context.add(Cluster, cluster),
    Context.add(Metrics, { ...metrics, passed: (machine) => void (passes += machine === 'database' ? 1 : 0) }),
  );
  fill(environment, count);
  const { operator, stop } = await time.wait(environment.start(undefined, time.over(services)));
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
    objects: operator.caches.list(databases).length,
    passes: passes - before.passes,
    states: statesIn(environment.cluster.all(databases)),
  };
  await time.wait(stop());
  return figures;
}

function specOf(spec: Partial<DatabaseSpec>): DatabaseSpec {
  return {
    project: 'shop',
    environment: 'production',
    engine: 'MySQL',
    placement: 'External',
    highAvailability: false,
    version: '8',
    instances: 1,
    deploy: { enabled: false },
    ...spec,
  };
}

function fill(environment: TestEnvironment, count: number): void {
  putDatabaseEnvironment(environment);
  environment.cluster.put(secrets, { metadata: inSystem('password'), data: { password: 'cw==' } });
  const all = Object.entries(kinds);
  for (let number = 0; number < count; number++) {
    const [kind, { spec, annotations = {} }] = all[number % all.length] ?? ['', { spec: {} }];
    environment.cluster.put(databases, {
      ...typeMeta(coreDatabase),
      metadata: { ...inSystem(`${kind}-${number}`), generation: 1, annotations },
      spec: specOf(spec),
    });
  }
}
