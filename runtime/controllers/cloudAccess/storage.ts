import { Effect } from 'effect';
import { arnPartition } from '../../../rules/cloud/account.ts';
import {
  type BackupStorage,
  bucketPolicy,
  namesSecret,
  storageSecretName,
  userOf,
} from '../../../rules/backupStorage/place.ts';
import type { StorageState } from '../../../rules/backupStorage/state.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { cloudConnections } from '../../services/cluster/kinds.ts';
import type { Cloud } from '../../services/cloud.ts';
import type { Cluster, WriteError } from '../../services/cluster/cluster.ts';
import { accountFor } from './account.ts';
import { grantedBuckets, type GrantedBuckets } from './buckets.ts';

/** Backup storage with the project that requests it. */
interface StorageRequest extends BackupStorage {
  readonly project: string;
}

/** The buckets of projects for their backups. */
export interface BackupStorages {
  /** Creates the bucket with its user and Secret; see GrantedBuckets. */
  readonly reconcile: (
    asked: StorageRequest,
    reader: CacheReader,
    repair?: boolean,
  ) => Effect.Effect<StorageState, WriteError, Cloud | Cluster>;
}

export function backupStorages(buckets: GrantedBuckets = grantedBuckets()): BackupStorages {
  return {
    reconcile: ({ project, connectionRef, bucket, region }, reader, repair) => {
      const failing = (error: string) => Effect.succeed<StorageState>({ is: 'failing', error });
      const found = accountFor(reader, project, { name: connectionRef.name, region });
      if (found.is === 'unusable') return failing(found.why);
      if (!namesSecret(bucket))
        return failing(`bucket "${bucket}" cannot be the name of a Secret: choose another bucket`);
      const { spec } = found.connection;
      const asked = {
        addresses: spec,
        account: found.account,
        bucket,
        user: userOf(bucket),
        policy: bucketPolicy(bucket, arnPartition(spec)),
        secret: storageSecretName(bucket),
        project,
        connection: connectionRef.name,
        isGone: (connection: string) => reader.get(cloudConnections, connection) === undefined,
      };
      return buckets.reconcile(asked, reader, repair);
    },
  };
}
