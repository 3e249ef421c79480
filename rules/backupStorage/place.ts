import type { ProjectSpec } from '../../crds/coreProject.ts';
import { hashOf } from '../canonical.ts';

/** The backup storage of a project. */
export type BackupStorage = NonNullable<ProjectSpec['backupStorage']>;

/** The Secret in core-system with the keys of a backup bucket (001 Backups). */
export const storageSecretName = (bucket: string): string => `core-backup-storage-${bucket}`;

/** Whether a bucket's name fits into the name of a Secret, which allows no consecutive dots and hyphens. */
export const namesSecret = (bucket: string): boolean =>
  bucket.split('.').every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part));

const longestUser = 64;
const hashLength = 8;

/** The user of a bucket: its name, with `core-` in front, because a connection may create no others. */
export function userOf(bucket: string): string {
  const name = bucket.startsWith('core-') ? bucket : `core-${bucket}`;
  if (name.length <= longestUser) return name;
  return `${name.slice(0, longestUser - hashLength - 1)}-${hashOf(bucket).slice(0, hashLength)}`;
}

/** A generated bucket (001 Backups). */
export const generatedBucket = (random: string): string => `core-backup-${random}`;

// Ceph also requires the delete permission on the bucket for batch deletions.
const ofBucket = ['s3:DeleteObject', 's3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'];
const ofObjects = [
  's3:AbortMultipartUpload',
  's3:DeleteObject',
  's3:GetObject',
  's3:ListMultipartUploadParts',
  's3:PutObject',
];

/** What a bucket's user may do: use this bucket and no other. */
export function bucketPolicy(bucket: string, partition: string): string {
  const arn = `arn:${partition}:s3:::${bucket}`;
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ofBucket, Resource: arn },
      { Effect: 'Allow', Action: ofObjects, Resource: `${arn}/*` },
    ],
  });
}
