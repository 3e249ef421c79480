import { Type } from '@sinclair/typebox';
import { type ReadonlyStatic, orNull, text, time } from '../kit.ts';

export const clusterSize = Type.Object(
  {
    name: text('The name that `clusterSize` takes.'),
    displayName: text(),
    cpu: text(),
    memoryBytes: Type.Number(),
    storageBytes: Type.Number(),
    architecture: text(),
  },
  { title: 'ClusterSize' },
);
/** GET /api/v1/managed-db/cluster-sizes: a size that the provider of managed databases offers. */
export type ClusterSize = ReadonlyStatic<typeof clusterSize>;

export const haReadiness = Type.Object(
  {
    healthyNodes: Type.Integer({ description: 'Ready and schedulable nodes without pressure.' }),
    ready: Type.Boolean({ description: 'Whether those are three at least.' }),
    checkedAt: orNull(time('When they were counted; null where nobody asked yet.')),
  },
  { title: 'HAReadiness' },
);
/** GET /api/v1/ha-readiness, and POST /api/v1/ha-readiness/check. */
export type HAReadiness = ReadonlyStatic<typeof haReadiness>;
