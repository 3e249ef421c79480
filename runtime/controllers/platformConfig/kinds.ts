import { dashboardService } from '../../../rules/domain/ingress.ts';
import type { Resource } from '../../services/cluster/cluster.ts';

/** The Service of the dashboard, created by the installation. */
export const dashboardServices: Resource = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
  cached: { fieldSelector: `metadata.name=${dashboardService}` },
};
