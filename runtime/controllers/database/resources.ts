import type { Job } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { chartDefinition } from '../../../rules/database/charts.ts';
import { clusterDefinition, type PostgresSeen } from '../../../rules/database/postgres.ts';
import { ownedKind } from '../../owned/owned.ts';
import { definitionOf, jobs } from '../../services/cluster/resources.ts';
import { byLabel, type Resource } from '../../services/cluster/cluster.ts';

/** The label by which the operator for Postgres marks what it makes for a server. */
export const serverLabel = 'cnpg.io/cluster';
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The storage classes of the cluster. */
export const storageClasses: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
  cached: {},
};

/** A claim, reduced to its size and whether it is bound to a volume. */
export interface ClaimSeen extends KubeObject {
  readonly spec?: { readonly resources?: { readonly requests?: { readonly storage?: string } } };
  readonly status?: { readonly phase?: string };
}

/** The label that charts give everything of a release. */
export const instanceLabel = 'app.kubernetes.io/instance';

/** The claims of charts, which carry none of our labels. */
export const chartClaims: Resource<ClaimSeen> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
  cached: { everywhere: true, labelSelector: instanceLabel, indexes: [byLabel(instanceLabel)] },
};

/** The definition of the servers that the operator for Postgres runs, which may not be there. */
export const definitions: Resource = definitionOf(clusterDefinition);

/** The definition of what installs charts, which may not be there. */
export const chartDefinitions: Resource = definitionOf(chartDefinition);

interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
}

/** What the Services of Postgres servers lead to. */
export const serverEndpoints: Resource<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  cached: { everywhere: true, labelSelector: serverLabel, indexes: [byLabel(serviceNameLabel)] },
};

/** The servers of Postgres databases. */
export const postgresClusters = ownedKind<KubeObject & PostgresSeen>({
  group: 'postgresql.cnpg.io',
  kind: 'Cluster',
  plural: 'clusters',
});

interface HelmChart extends KubeObject {
  readonly spec?: { readonly valuesContent?: string };
}

/** What installs charts. */
export const helmCharts = ownedKind<HelmChart>({ group: 'helm.cattle.io', kind: 'HelmChart', plural: 'helmcharts' });

/** The label of the Jobs that install a chart. */
export const chartLabel = 'helmcharts.helm.cattle.io/chart';
export const chartJobs: Resource<Job> = {
  ...jobs,
  cached: { labelSelector: chartLabel, indexes: [byLabel(chartLabel)] },
};
