import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { jobNameLabel, label } from '../../../../crds/names.ts';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { installJobOf, pgOperatorName, releasedName } from '../../../../rules/database/charts.ts';
import {
  cloudConnections,
  clusters,
  databases,
  haReadiness,
  logicalDatabases,
  projects,
} from '../../../services/cluster/kinds.ts';
import { owned } from '../../../owned/owned.ts';
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
} from '../../../services/cluster/indexes.ts';
import { dataOf, everyChange, settingsOf, specRead, standingOf, verdictsOf } from '../../../contract/reads.ts';
import { jobPods, secrets } from '../../../services/cluster/resources.ts';
import type { Resource } from '../../../services/cluster/cluster.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { chartDefinitions, chartJobs, chartLabel, definitions, serverEndpoints, serviceNameLabel } from '../kinds.ts';
import { clusterNodes, unmanagedPods, workloadPods } from '../../capacity.ts';
import { inProjectOf, namespaceDeletions } from '../../hangingNamespaces.ts';
import { cachedOnly, type Watching, watching } from '../../../contract/controller.ts';
import { namesBy, namesByEach } from '../../../cache/names.ts';
import { chartClaims, helmCharts, instanceLabel, replicaSets, storageClasses } from '../../../owned/addonKinds.ts';

/** The databases of the projects in a cluster, and shared servers, which run in the first one. */
const inCluster = (cluster: string, reader: CacheReader): readonly string[] => [
  ...namesByEach(reader, databases, byProject, namesBy(reader, projects, byCluster, cluster)),
  ...namesBy(reader, databases, byShared, any),
];

/** The databases being provisioned, which may wait for something in the cluster. */
const provisioning = (_: unknown, reader: CacheReader) => namesBy(reader, databases, byProvisioning, any);

/** The databases that wait for the Job of a chart. */
const installedBy = (chart: string, reader: CacheReader): readonly string[] =>
  chart === pgOperatorName
    ? provisioning(chart, reader)
    : [...releasedName(chart, 'MySQL'), ...releasedName(chart, 'Redis')];

const ownerOf = ({ metadata: { labels } }: KubeObject): readonly string[] =>
  labels?.[label.kind] === 'CoreDatabase' ? [labels[label.name] ?? ''] : [];

/** The other resources that trigger a pass over a database. */
export const watches: readonly Watching[] = [
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
  // Cached for the claims of charts, too.
  namespaceDeletions(inProjectOf(databases)),
  watching({
    resource: logicalDatabases,
    reads: ({ spec }) => spec.serverRef,
    concerns: ({ spec }) => [spec.serverRef],
  }),
  watching({ resource: chartDefinitions, reads: standingOf, concerns: provisioning }),
  // For the age of the rights in an environment.
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
  // Pods tell whether a chart or a server runs, and why they or a Job do not.
  watching({
    resource: workloadPods,
    reads: everyChange,
    concerns: ({ metadata: { labels } }, reader) =>
      [labels?.[label.kind] === 'CoreDatabase' ? labels[label.name] : undefined, labels?.[purposeLabel]].flatMap(
        (name = '') => (reader.get(databases, name) === undefined ? [] : [name]),
      ),
  }),
  watching({
    resource: jobPods,
    reads: everyChange,
    concerns: ({ metadata: { labels } }, reader) =>
      installedBy((labels?.[jobNameLabel] ?? '').replace(installJobOf(''), ''), reader),
  }),
  watching({ resource: replicaSets, reads: everyChange, concerns: ownerOf }),
  // Nodes and their pods change often; a database that waits for capacity requeues instead.
  ...[unmanagedPods, clusterNodes].map((resource: Resource) => cachedOnly(resource)),
];
