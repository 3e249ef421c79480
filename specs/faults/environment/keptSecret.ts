import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { MemoryCluster } from '../../support/memoryCluster.ts';

/** Keys of a connection that its database publishes, and of a bucket that say where it is. */
const open: ReadonlySet<string> = new Set([
  'host',
  'port',
  'database',
  'username',
  'endpoint',
  'region',
  'REGION',
  'bucket',
]);

/** Every value of a Secret that nobody else may read, as text. */
export const keptSecret = (cluster: Pick<MemoryCluster, 'all'>): readonly string[] =>
  cluster
    .all(secrets)
    .flatMap(({ data = {} }) => Object.entries(data).flatMap(([key, value]) => (open.has(key) ? [] : [value])))
    .map((encoded) => Buffer.from(encoded, 'base64').toString());
