import type { KubeObject } from '../../../../crds/kind.ts';
import { chartJobs, definitions } from '../../../../runtime/controllers/database/kinds.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import { workloadPods } from '../../../../runtime/controllers/capacity.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { databaseName } from '../../../support/database.ts';
import {
  chartIn,
  chartJob,
  putDefinition,
  releasedClaim,
  releasedClaims,
  serverClaim,
  serverIn,
  serverPod,
  serverSays,
} from '../../../support/engines.ts';
import type { World } from '../../../support/world.ts';
import type { Actor } from '../subject.ts';
import { backupJobs, helmCharts } from '../../../../runtime/owned/addonKinds.ts';

/** Does something once it has been due for a while, a second where nothing else is said. */
export function later(isDue: (world: World) => boolean, text: string, act: (world: World) => void, afterMs = 1_000) {
  return (world: World): Actor => {
    let due: number | null = null;
    return {
      act: (now) => {
        if (!isDue(world)) return (void (due = null), null);
        due ??= now + afterMs;
        if (now < due) return null;
        due = null;
        act(world);
        return text;
      },
      nextAt: () => (due === null ? Infinity : due),
    };
  };
}

const podOf = ({ cluster }: World, name: string) =>
  cluster.all(workloadPods).find(({ metadata }) => metadata.name === name);
const dropPod = ({ cluster }: World, name: string) => {
  const pod = podOf({ cluster } as World, name);
  if (pod) cluster.drop(workloadPods, name, pod.metadata.namespace);
};
const jobOf = ({ cluster }: World, chart: string) =>
  cluster.all(chartJobs).find(({ metadata }) => metadata.name === `helm-install-${chart}`);

/** What installs a chart, and the pod that it has. */
const installing = (chart: string, pod: string) => [
  later(
    (world) => chartIn(world, chart) !== undefined && !jobOf(world, chart),
    'the chart is installed',
    (world) => {
      chartJob(world, chart, 'Complete');
      serverPod(world, pod, 'ready');
    },
  ),
  later(
    (world) => chartIn(world, chart) === undefined && jobOf(world, chart) !== undefined,
    'the chart is uninstalled',
    (world) => {
      world.cluster.drop(chartJobs, `helm-install-${chart}`, 'core-system');
      dropPod(world, pod);
    },
  ),
];

/** The volume of a chart stays when the chart goes. */
const claiming = (chart: string) =>
  later(
    (world) => chartIn(world, chart) !== undefined && releasedClaims(world).length === 0,
    'the chart has its volume',
    (world) => releasedClaim(world, '1Gi'),
  );

const server = `${databaseName}-1`;
const hasServer = (world: World) => serverIn(world) !== undefined;

/** Whether a server that begins from a backup is not recovered yet. */
export function awaitsRecovery(world: World): boolean {
  const found = serverIn(world) as
    (KubeObject & { readonly spec?: { readonly bootstrap?: { readonly recovery?: object } } }) | undefined;
  if (found?.spec?.bootstrap?.recovery === undefined || isHealthy(world)) return false;
  const jobs = world.cluster.all(backupJobs).filter(({ metadata }) => metadata.name.endsWith('-full-recovery'));
  return !jobs.some((job) => jobOutcome(job).is === 'succeeded');
}

/** What the operator for Postgres does, and what installs it. */
const postgres = [
  later(
    (world) => chartIn(world, 'core-pg-operator') !== undefined && world.cluster.all(definitions).every(isOther),
    'the operator for Postgres is installed',
    (world) => {
      chartJob(world, 'core-pg-operator', 'Complete');
      putDefinition(world);
    },
  ),
  later(
    (world) => hasServer(world) && !awaitsRecovery(world) && (!podOf(world, server) || !isHealthy(world)),
    'the server runs',
    (world) => {
      serverPod(world, server, 'ready');
      serverSays(world, { phase: 'Cluster in healthy state', readyInstances: 1, currentPrimary: server });
    },
  ),
  later(
    (world) => !hasServer(world) && podOf(world, server) !== undefined,
    'the server is gone',
    (world) => dropPod(world, server),
  ),
];
const volumeOf = ({ cluster }: World) => cluster.all(owned.claims).find(({ metadata }) => metadata.name === server);
const isTerminating = (world: World) => volumeOf(world)?.metadata.deletionTimestamp !== undefined;

/** A client keeps the pod of a stopped server, and with it its volume, for longer than failures may be counted. */
const slowVolume = [
  later(
    (world) => hasServer(world) && volumeOf(world) === undefined,
    'the server has its volume',
    (world) => serverClaim(world, server, ['kubernetes.io/pvc-protection']),
  ),
  later(
    isTerminating,
    'the volume is gone',
    (world) => {
      const volume = volumeOf(world);
      if (volume) world.cluster.put(owned.claims, { ...volume, metadata: { ...volume.metadata, finalizers: [] } });
    },
    240_000,
  ),
];
const isOther = ({ metadata }: { readonly metadata: { readonly name: string } }) =>
  metadata.name !== 'clusters.postgresql.cnpg.io';
/** Whether the server runs, in the words of its operator. */
export const isHealthy = (world: World): boolean =>
  JSON.stringify(serverIn(world)).includes('Cluster in healthy state');

const all = {
  Postgres: postgres,
  PostgresWithVolume: [...postgres, ...slowVolume],
  MySQL: [
    ...installing(`core-mysql-${databaseName}`, `core-mysql-${databaseName}-0`),
    claiming(`core-mysql-${databaseName}`),
  ],
  Redis: installing(`core-redis-db-${databaseName}`, `core-redis-db-${databaseName}-master-0`),
};

/** What runs the server of each engine besides SQLite. */
export const engineActors =
  (engine: keyof typeof all) =>
  (world: World): readonly Actor[] =>
    all[engine].map((actor) => actor(world));

/** Whether anything of a server that is not SQLite stands. */
export const serversIn = (world: World): readonly string[] =>
  [...world.cluster.all(helmCharts), serverIn(world)].flatMap((one) =>
    one?.metadata.labels?.['core.platform/kind'] === 'CoreDatabase' ? [`${one.kind ?? ''} ${one.metadata.name}`] : [],
  );
