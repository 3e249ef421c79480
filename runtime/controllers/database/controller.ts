import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { key, label } from '../../../crds/names.ts';
import { pgOperatorName, releasedName } from '../../../rules/database/charts.ts';
import { namespaceOf, ranAs } from '../../../rules/database/effective.ts';
import type { DatabaseSeen } from '../../../rules/database/facts.ts';
import { type DatabaseImages, databaseImages } from '../../../rules/database/images.ts';
import { postgresVersion } from '../../../rules/database/postgres.ts';
import { asClaimed } from '../../../rules/managedDatabase/claimed.ts';
import {
  cloudConnections,
  clusters,
  databases,
  haReadiness,
  logicalDatabases,
  projects,
} from '../../services/cluster/kinds.ts';
import { owned } from '../../owned/owned.ts';
import {
  any,
  byCloud,
  byCluster,
  byHighAvailability,
  byOwnKeys,
  byPassword,
  byProject,
  byProvisioning,
  byShared,
} from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, settingsOf, specRead, standingOf, verdictsOf } from '../../contract/reads.ts';
import { namespaces, secrets } from '../../services/cluster/resources.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { backupLooks, type Looks } from '../backupArchive/read.ts';
import { backupPieces } from './lifecycles/databaseBackup/owned.ts';
import { archivesKept } from './actions/release.ts';
import { restoreSettled } from './actions/restore.ts';
import { databaseBackups } from './lifecycles/databaseBackup/lifecycle.ts';
import { backupWatches } from './controller/backupWatches.ts';
import { backupStorages } from '../cloudAccess/storage.ts';
import { type Deletions, makeDeletions } from '../provisioned/deletion.ts';
import { managedDatabase } from './lifecycles/managedDatabase/lifecycle.ts';
import { databasePieces } from './owned.ts';
import { databaseProvisioned, deploy } from './lifecycle.ts';
import { postgresServer } from './observe/runs.ts';
import { chartDefinitions, chartJobs, chartLabel, definitions, serverEndpoints, serviceNameLabel } from './kinds.ts';
import { clusterNodes, unmanagedPods, workloadPods } from '../capacity.ts';
import { settling } from './observe/settled.ts';
import { cachedOnly, type Controller, controller, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';
import { specOf } from '../../../rules/database/deployed.ts';
import { chartClaims, helmCharts, instanceLabel, storageClasses } from '../../owned/addonKinds.ts';

/** CoreDatabase: drafts, deploys and provisions a database, of any engine in the cluster or an external one. */
export function databaseController(
  images: DatabaseImages = databaseImages,
  looks: Looks = backupLooks(backupStorages()),
  deletions: Deletions = makeDeletions(),
): Controller {
  const pieces = databasePieces(images);
  const backups = backupPieces(images, looks);
  const { retry, lifecycle, ensures, readyOf } = databaseProvisioned({ pieces, backups, deletions }, images);
  return controller<CoreDatabase>({
    resource: databases,
    lifecycles: [deploy.draftDeploy, managedDatabase(pieces), retry, lifecycle, databaseBackups(looks)],
    watches: [
      ...pieces.watches,
      ...backups.watches,
      ...backupWatches,
      watching({
        resource: projects,
        reads: settingsOf<CoreProject>('clusterRef', 'environments', 'region', 'requiredTags', 'backupStorage'),
        concerns: ({ metadata }, reader) => namesBy(reader, databases, byProject, metadata.name),
      }),
      watching({
        resource: clusters,
        reads: specRead,
        concerns: ({ metadata }, reader) => inCluster(metadata.name, reader),
      }),
      watching({
        resource: cloudConnections,
        reads: specRead,
        concerns: ({ metadata }, reader) => namesBy(reader, databases, byCloud, metadata.name),
      }),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) => [
          ...namesBy(reader, databases, byPassword, metadata.name),
          ...namesByEach(reader, databases, byCloud, namesBy(reader, cloudConnections, byOwnKeys, metadata.name)),
        ],
      }),
      watching({
        resource: haReadiness,
        reads: (report) => [verdictsOf(report), report.status?.healthyNodes],
        concerns: (_, reader) => namesBy(reader, databases, byHighAvailability, any),
      }),
      watching({ resource: storageClasses, reads: everyChange, concerns: provisioning }),
      // The namespaces of a project say where the claims of its charts may be.
      cachedOnly(namespaces),
      watching({
        resource: logicalDatabases,
        reads: ({ spec }) => spec.serverRef,
        concerns: ({ spec }) => [spec.serverRef],
      }),
      watching({ resource: chartDefinitions, reads: standingOf, concerns: provisioning }),
      // How old the rights in an environment are.
      cachedOnly(owned.roleBindings),
      watching({
        resource: serverEndpoints,
        reads: everyChange,
        concerns: ({ metadata: { labels } }) =>
          labels?.[serviceNameLabel]?.endsWith('-rw') && labels[label.kind] === 'CoreDatabase'
            ? [labels[label.name] ?? '']
            : [],
      }),
      watching({ resource: definitions, reads: standingOf, concerns: provisioning }),
      watching({
        resource: helmCharts,
        reads: everyChange,
        concerns: (chart, reader) => (chart.metadata.name === pgOperatorName ? provisioning(chart, reader) : []),
      }),
      watching({
        resource: chartJobs,
        reads: everyChange,
        concerns: ({ metadata }, reader) => installedBy(metadata.labels?.[chartLabel] ?? '', reader),
      }),
      watching({
        resource: chartClaims,
        reads: everyChange,
        concerns: ({ metadata }) => releasedName(metadata.labels?.[instanceLabel] ?? '', 'MySQL'),
      }),
      // The pods of a Deployment come and go with it; the others are all that shows whether a chart or a server runs.
      watching({
        resource: workloadPods,
        reads: everyChange,
        concerns: ({ metadata: { labels } }, reader) => {
          const name = labels?.[label.kind] === 'CoreDatabase' ? (labels[label.name] ?? '') : '';
          return (reader.get(databases, name)?.spec.engine ?? 'SQLite') === 'SQLite' ? [] : [name];
        },
      }),
      // Nodes come and go with their pods: a database that waits for room requeues by itself.
      ...[unmanagedPods, clusterNodes].map((resource: Resource) => cachedOnly(resource)),
    ],
    derive: (database, deriving) => derived(database, deriving.reader, readyOf(database, deriving)),
    ensures: { ...ensures, backups: backups.set },
    finalizer: { name: key('database'), release: archivesKept(deletions) },
    absent: (name, context) => Effect.andThen(pieces.sweep(name, context), backups.sweep(name, context)),
    adopt: (database, reader, now) => settling(database, reader) ?? restoreSettled(database, reader, now),
  });
}

/** The databases of the projects in a cluster, and shared servers, which run in the first one. */
const inCluster = (cluster: string, reader: CacheReader): readonly string[] => [
  ...namesByEach(reader, databases, byProject, namesBy(reader, projects, byCluster, cluster)),
  ...namesBy(reader, databases, byShared, any),
];

/** The databases that wait for something in the cluster. */
const provisioning = (_: unknown, reader: CacheReader) => namesBy(reader, databases, byProvisioning, any);

/** The databases that wait for the Job of a chart. */
const installedBy = (chart: string, reader: CacheReader): readonly string[] =>
  chart === pgOperatorName
    ? provisioning(chart, reader)
    : [...releasedName(chart, 'MySQL'), ...releasedName(chart, 'Redis')];

/**
 * What was provisioned, once all of it is applied and runs; a stop forgets it where the data went with the volume. The
 * version of Postgres is the one that the server reports, for one that was asked for may never come to run.
 */
function runningOf(database: CoreDatabase, spec: DatabaseSpec, { workload }: DatabaseSeen, reader: CacheReader) {
  const { status } = database;
  const before = status?.running ?? null;
  if (status?.phase === 'Draft') return before?.engine === 'MySQL' ? { ...before, highAvailability: false } : null;
  const ran = status?.phase === 'Ready' && workload === 'current' ? ranAs(database, asClaimed(database, spec)) : before;
  const server = postgresServer(database, spec, reader);
  return ran === null || server === undefined ? ran : { ...ran, version: postgresVersion(server) };
}

/** What follows from what is observed: Ready by the states that the machines reached, and what it refers to. */
function derived(
  database: CoreDatabase,
  reader: CacheReader,
  { seen, conditions }: ReturnType<ReturnType<typeof databaseProvisioned>['readyOf']>,
) {
  const spec = specOf(database, seen.gate);
  const running = runningOf(database, spec, seen, reader);
  return {
    targetNamespace: namespaceOf(spec),
    ...(running === null && database.status?.running === undefined ? {} : { running }),
    conditions,
  };
}
