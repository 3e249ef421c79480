import type { Job } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { chartDefinition } from '../../../rules/database/charts.ts';
import { clusterDefinition } from '../../../rules/database/postgres.ts';
import { definitionOf, jobs } from '../../services/cluster/resources.ts';
import { byLabel, type Resource } from '../../services/cluster/cluster.ts';

/** The label by which the Postgres operator marks the objects of a server. */
export const serverLabel = 'cnpg.io/cluster';
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The definition of the Postgres operator's servers, which may be missing. */
export const definitions: Resource = definitionOf(clusterDefinition);

/** The definition of chart installations, which may be missing. */
export const chartDefinitions: Resource = definitionOf(chartDefinition);

interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
}

/** The endpoints of the Services of Postgres servers. */
export const serverEndpoints: Resource<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  cached: { everywhere: true, labelSelector: serverLabel, indexes: [byLabel(serviceNameLabel)] },
};

/** The label of the Jobs that install a chart. */
export const chartLabel = 'helmcharts.helm.cattle.io/chart';
export const chartJobs: Resource<Job> = {
  ...jobs,
  cached: { labelSelector: chartLabel, indexes: [byLabel(chartLabel)] },
};
