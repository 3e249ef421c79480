import type { Summary } from '../../../api.ts';
import { fieldsIn } from '../../model/details.ts';

/** What is filled in of a new shared server. */
export interface SharedServer {
  readonly name: string;
  readonly engine: string;
  readonly region: string;
  readonly storageSize: string;
  readonly highAvailability: boolean;
}

export const emptyServer: SharedServer = {
  name: '',
  engine: 'Postgres',
  region: '',
  storageSize: '10Gi',
  highAvailability: false,
};

/** The engines whose servers hold logical databases. */
export const serverEngines: readonly string[] = ['Postgres', 'MySQL'];

/** How many instances the switch of high availability asks for. */
const haInstances = 3;

/** The body of the request that makes a shared server: it has no project, and is deployed at once. */
export const sharedServerBody = ({ name, engine, region, storageSize, highAvailability }: SharedServer) => ({
  ...(name === '' ? {} : { name }),
  engine,
  placement: 'InCluster',
  storageSize: storageSize.trim(),
  ...(region.trim() === '' ? {} : { serverRegion: region.trim() }),
  ...(highAvailability ? { highAvailability: true, instances: haInstances } : { highAvailability: false }),
  deploy: true,
});

/** The shared servers among databases. */
export const sharedAmong = (databases: readonly Summary[]): readonly Summary[] =>
  databases.filter(({ project }) => project === '');

/** What the last readiness check found. */
export interface Readiness {
  readonly healthyNodes: number;
  readonly ready: boolean;
  readonly checkedAt: string | null;
}

/** A report as the API gives it; a server without the route has none. */
export function readinessOf(value: unknown): Readiness {
  const { healthyNodes, ready, checkedAt } = fieldsIn(value);
  return {
    healthyNodes: typeof healthyNodes === 'number' ? healthyNodes : 0,
    ready: ready === true,
    checkedAt: typeof checkedAt === 'string' && checkedAt !== '' ? checkedAt : null,
  };
}
