import { Context, Effect } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { label } from '../../crds/names.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { controller } from '../../runtime/contract/controller.ts';
import { makeOwned, owned, type OwnedObject } from '../../runtime/owned/owned.ts';
import { Cluster, type Resource } from '../../runtime/services/cluster/cluster.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import { startOperator } from '../../runtime/start.ts';
import { userBuild, makeTestEnvironment } from '../support/environment.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { counted } from './counted.ts';
import { letPass } from './idling.ts';

export interface OwnedFigures {
  readonly owners: number;
  readonly objects: number;
  /** What was written, and read but for the lists that caches are compared with, in ten minutes in which nothing happened. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly passes: number;
  /** The time of the processor that each owner takes in a look at all of them. */
  readonly msEach: number;
  /** The same in the first passes of a new leader, with its lists and caches: it compares every value. */
  readonly firstMsEach: number;
}

const owners = 1_000;
const idleMs = 600_000;
const beginsMs = 120_000;

const one = (resource: Resource, name: string, fields: object, more: Partial<OwnedObject> = {}): OwnedObject => ({
  resource,
  object: { metadata: { name, namespace: 'shop' }, ...fields },
  ...more,
});

/** What a database of the size of one pod has. */
function six(owner: string): readonly OwnedObject[] {
  const labels = { run: owner };
  const container = {
    name: 'main',
    image: 'registry.local/rqlite:8',
    env: ['HTTP_ADDR', 'RAFT_ADDR', 'DATA_DIR', 'NODE_ID'].map((name) => ({ name, value: `${name} of ${owner}` })),
    ports: [{ containerPort: 4001 }, { containerPort: 4002 }],
    resources: { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { memory: '1024Mi' } },
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: owner } }];
  const template = { metadata: { labels }, spec: { containers: [container], volumes } };
  const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } };
  return [
    one(owned.claims, owner, { spec: storage }),
    one(owned.configMaps, owner, { data: { 'init.sql': 'select 1;'.repeat(50) } }, { whole: [['data']] }),
    one(owned.secrets, owner, { data: { password: Buffer.from(owner).toString('base64') } }),
    one(owned.serviceAccounts, owner, {}),
    one(owned.deployments, owner, { spec: { replicas: 1, selector: { matchLabels: labels }, template } }),
    one(owned.services, owner, { spec: { selector: labels, ports: [{ port: 4001 }] } }),
  ];
}

/** A kind that keeps six objects for each of its own, and does nothing else. */
function keeper() {
  const resources = [
    owned.claims,
    owned.configMaps,
    owned.secrets,
    owned.serviceAccounts,
    owned.deployments,
    owned.services,
  ];
  const own = makeOwned<CoreBuild>({ owners: builds, resources, desired: ({ metadata }) => six(metadata.name) });
  const kept = controller<CoreBuild>({
    resource: builds,
    lifecycles: [],
    watches: own.watches,
    ensures: { objects: own.ensure },
  });
  return { own, kept };
}

/** Ten idle minutes of a leader over owners whose objects stand, a look at all of them, and the first of the next leader. */
export async function ownedFigures(): Promise<OwnedFigures> {
  const time = virtualTime(undefined, undefined, Number.POSITIVE_INFINITY);
  const environment = makeTestEnvironment({ now: time.wall });
  const { cluster, writes, reads } = counted(environment.cluster);
  let passes = 0;
  const metrics = Context.get(environment.services, Metrics);
  const services = time.over(
    environment.services.pipe(
      Context.add(Cluster, cluster),
      Context.add(Metrics, { ...metrics, passed: () => void passes++ }),
    ),
  );
  const start = ({ kept }: ReturnType<typeof keeper>) =>
    time.wait(startOperator(services, { controllers: [kept], alsoSeen: [], workers: 2 }));
  environment.cluster.put(owned.namespaces, { metadata: { name: 'shop' } });
  for (let number = 0; number < owners; number++) environment.cluster.put(builds, userBuild(`owner-${number}`));

  const keeping = keeper();
  const leader = await start(keeping);
  await letPass(time, beginsMs);
  const own = environment.cluster.everything().filter(({ metadata }) => metadata.labels?.[label.kind] !== undefined);

  const before = { writes: writes.length, reads: reads.length, passes };
  for (const { metadata } of environment.cluster.all(owned.deployments)) {
    await letPass(time, idleMs / owners);
    // A workload tells of itself, which wakes its owner.
    await time.wait(
      Effect.runPromise(environment.cluster.patchStatus(owned.deployments, metadata, { availableReplicas: 1 })),
    );
  }
  const idle = {
    writes: writes.slice(before.writes),
    reads: reads.slice(before.reads),
    passes: passes - before.passes,
  };
  const from = process.cpuUsage();
  for (const object of leader.operator.caches.list(builds))
    await Effect.runPromise(Effect.provideContext(keeping.own.reconcile(object, leader.operator.caches), services));
  const msEach = spentMs(from) / owners;
  await time.wait(leader.stop());

  const since = { writes: writes.length, passes };
  const begun = process.cpuUsage();
  const next = await start(keeper());
  await letPass(time, beginsMs);
  const firstMsEach = spentMs(begun) / (passes - since.passes);
  await time.wait(next.stop());
  return {
    owners,
    objects: own.length,
    writes: [...idle.writes, ...writes.slice(since.writes)],
    reads: idle.reads.filter((call) => !call.startsWith('list ')),
    passes: idle.passes,
    msEach,
    firstMsEach,
  };
}

function spentMs(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}
