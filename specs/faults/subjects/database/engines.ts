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
  serverMessage,
} from '../../../support/engines.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Actor } from '../subject.ts';
import { backupJobs, helmCharts } from '../../../../runtime/owned/addonKinds.ts';

/** Does something once it has been due for a while, a second where nothing else is said. */
export function later(
  isDue: (environment: TestEnvironment) => boolean,
  text: string,
  act: (environment: TestEnvironment) => void,
  afterMs = 1_000,
) {
  return (environment: TestEnvironment): Actor => {
    let due: number | null = null;
    return {
      act: (now) => {
        if (!isDue(environment)) return (void (due = null), null);
        due ??= now + afterMs;
        if (now < due) return null;
        due = null;
        act(environment);
        return text;
      },
      nextAt: () => (due === null ? Infinity : due),
    };
  };
}

const podOf = ({ cluster }: TestEnvironment, name: string) =>
  cluster.all(workloadPods).find(({ metadata }) => metadata.name === name);
const dropPod = ({ cluster }: TestEnvironment, name: string) => {
  const pod = podOf({ cluster } as TestEnvironment, name);
  if (pod) cluster.drop(workloadPods, name, pod.metadata.namespace);
};
const jobOf = ({ cluster }: TestEnvironment, chart: string) =>
  cluster.all(chartJobs).find(({ metadata }) => metadata.name === `helm-install-${chart}`);

/** What installs a chart, and the pod that it has. */
const installing = (chart: string, pod: string) => [
  later(
    (environment) => chartIn(environment, chart) !== undefined && !jobOf(environment, chart),
    'the chart is installed',
    (environment) => {
      chartJob(environment, chart, 'Complete');
      serverPod(environment, pod, 'ready');
    },
  ),
  later(
    (environment) => chartIn(environment, chart) === undefined && jobOf(environment, chart) !== undefined,
    'the chart is uninstalled',
    (environment) => {
      environment.cluster.drop(chartJobs, `helm-install-${chart}`, 'core-system');
      dropPod(environment, pod);
    },
  ),
];

/** The volume of a chart stays when the chart goes. */
const claiming = (chart: string) =>
  later(
    (environment) => chartIn(environment, chart) !== undefined && releasedClaims(environment).length === 0,
    'the chart has its volume',
    (environment) => releasedClaim(environment, '1Gi'),
  );

const server = `${databaseName}-1`;
const hasServer = (environment: TestEnvironment) => serverIn(environment) !== undefined;

/** Whether a server that begins from a backup is not recovered yet. */
export function awaitsRecovery(environment: TestEnvironment): boolean {
  const found = serverIn(environment) as
    (KubeObject & { readonly spec?: { readonly bootstrap?: { readonly recovery?: object } } }) | undefined;
  if (found?.spec?.bootstrap?.recovery === undefined || isHealthy(environment)) return false;
  const jobs = environment.cluster.all(backupJobs).filter(({ metadata }) => metadata.name.endsWith('-full-recovery'));
  return !jobs.some((job) => jobOutcome(job).is === 'succeeded');
}

/** What the operator for Postgres does, and what installs it. */
const postgres = [
  later(
    (environment) =>
      chartIn(environment, 'core-pg-operator') !== undefined && environment.cluster.all(definitions).every(isOther),
    'the operator for Postgres is installed',
    (environment) => {
      chartJob(environment, 'core-pg-operator', 'Complete');
      putDefinition(environment);
    },
  ),
  later(
    (environment) =>
      hasServer(environment) &&
      !awaitsRecovery(environment) &&
      (!podOf(environment, server) || !isHealthy(environment)),
    'the server runs',
    (environment) => {
      serverPod(environment, server, 'ready');
      serverMessage(environment, { phase: 'Cluster in healthy state', readyInstances: 1, currentPrimary: server });
    },
  ),
  later(
    (environment) => !hasServer(environment) && podOf(environment, server) !== undefined,
    'the server is gone',
    (environment) => dropPod(environment, server),
  ),
];
const volumeOf = ({ cluster }: TestEnvironment) =>
  cluster.all(owned.claims).find(({ metadata }) => metadata.name === server);
const isTerminating = (environment: TestEnvironment) => volumeOf(environment)?.metadata.deletionTimestamp !== undefined;

/** A client keeps the pod of a stopped server, and with it its volume, for longer than failures may be counted. */
const slowVolume = [
  later(
    (environment) => hasServer(environment) && volumeOf(environment) === undefined,
    'the server has its volume',
    (environment) => serverClaim(environment, server, ['kubernetes.io/pvc-protection']),
  ),
  later(
    isTerminating,
    'the volume is gone',
    (environment) => {
      const volume = volumeOf(environment);
      if (volume)
        environment.cluster.put(owned.claims, { ...volume, metadata: { ...volume.metadata, finalizers: [] } });
    },
    240_000,
  ),
];
const isOther = ({ metadata }: { readonly metadata: { readonly name: string } }) =>
  metadata.name !== 'clusters.postgresql.cnpg.io';
/** Whether the server runs, in the words of its operator. */
export const isHealthy = (environment: TestEnvironment): boolean =>
  JSON.stringify(serverIn(environment)).includes('Cluster in healthy state');

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
  (environment: TestEnvironment): readonly Actor[] =>
    all[engine].map((actor) => actor(environment));

/** Whether anything of a server that is not SQLite stands. */
export const serversIn = (environment: TestEnvironment): readonly string[] =>
  [...environment.cluster.all(helmCharts), serverIn(environment)].flatMap((one) =>
    one?.metadata.labels?.['core.platform/kind'] === 'CoreDatabase' ? [`${one.kind ?? ''} ${one.metadata.name}`] : [],
  );
