import { dashboardService } from '../../../rules/domain/ingress.ts';
import type { Resource } from '../../services/cluster/cluster.ts';

/** The Service in front of the dashboard, which the installation made. */
export const dashboardServices: Resource = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
  cached: { fieldSelector: `metadata.name=${dashboardService}` },
};
