import { coreCloudConnection } from '../../crds/coreCloudConnection.ts';
import type { DatabaseSpec } from '../../crds/coreDatabase.ts';
import { typeMeta } from '../../crds/kind.ts';
import { cloudConnections } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { inSystem } from './project.ts';
import type { TestEnvironment } from './environment.ts';

/** The spec of a database that its provider creates. */
export const managed: Partial<DatabaseSpec> = {
  engine: 'MySQL',
  placement: 'External',
  provider: 'ManagedDb',
  mode: 'Create',
  connectionRef: { name: 'provider' },
};

/** A connection to the provider, with its Secret. */
export function putConnection(
  { cluster }: TestEnvironment,
  project: string | null = 'shop',
  token = 'id:s3cret',
  name = 'provider',
): void {
  cluster.put(cloudConnections, {
    ...typeMeta(coreCloudConnection),
    metadata: inSystem(name),
    spec: { ...(project === null ? {} : { project }), provider: 'ManagedDb', secretRef: { name: `${name}-token` } },
  });
  const data = { organization: 'acme', token };
  cluster.put(secrets, {
    metadata: inSystem(`${name}-token`),
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  });
}
