import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { coreDatabase } from '../../../../crds/coreDatabase.ts';

/** A database as the API returns it, with the defaults of its kind. */
export const databaseOf = (
  spec: Partial<DatabaseSpec>,
  annotations: Readonly<Record<string, string>> = {},
): CoreDatabase => ({
  ...typeMeta(coreDatabase),
  metadata: { name: 'orders', namespace: 'core-system', uid: 'u1', generation: 1, annotations },
  spec: {
    project: 'shop',
    environment: 'production',
    engine: 'SQLite',
    placement: 'InCluster',
    highAvailability: false,
    version: '16',
    instances: 1,
    deploy: { enabled: true },
    ...spec,
  },
});
