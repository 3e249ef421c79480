import type { BackupArchiveSpec } from '../../../../crds/coreBackupArchive.ts';
import { storageSecretName } from '../../../../rules/backupStorage/place.ts';
import { accountOf, type CloudAccount } from '../../../../rules/cloud/account.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { secretText } from '../../../services/secretText.ts';
import { accountFor } from '../../cloudAccess/account.ts';

/** How a bucket is used: by its own user, or why it cannot be. */
export type BucketAccess =
  | { readonly is: 'usable'; readonly account: CloudAccount; readonly endpoint: string }
  | { readonly is: 'unusable'; readonly why: string };

type Stored = Pick<BackupArchiveSpec, 'project' | 'storage'>;

/** The bucket of an archive, with its own keys. */
export function bucketAccess({ project, storage }: Stored, reader: CacheReader): BucketAccess {
  const { connectionRef, bucket, region } = storage;
  const found = accountFor(reader, project, { name: connectionRef.name, region });
  if (found.is === 'unusable') return found;
  const secret = reader.get(secrets, storageSecretName(bucket));
  const keys = {
    accessKeyId: secretText(secret, 'ACCESS_KEY_ID'),
    secretAccessKey: secretText(secret, 'ACCESS_SECRET_KEY'),
  };
  if (keys.accessKeyId === '' || keys.secretAccessKey === '')
    return { is: 'unusable', why: `Secret "${storageSecretName(bucket)}" has no keys` };
  const { endpoint = '' } = found.connection.spec;
  return { is: 'usable', account: accountOf(found.connection.spec, keys, region || undefined), endpoint };
}
