import type { Within } from './within.ts';
import { authorize, bucketArn } from './policy.ts';
import { refused, Refusal } from './refusal.ts';
import type { CloudBucket, Key } from './state.ts';

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** A bucket, if the caller may perform this action on it. */
export function bucketFor({ state }: Within, caller: Key, name: string, action: string): CloudBucket {
  authorize(state, caller, action, bucketArn(name));
  const bucket = state.buckets.get(name);
  if (!bucket) throw refused.noBucket(name);
  if (bucket.account !== caller.account) throw refused.denied(action);
  return bucket;
}

export const bucketsIn = (within: Within) => ({
  listBuckets: (caller: Key): readonly CloudBucket[] => {
    authorize(within.state, caller, 's3:ListAllMyBuckets', '*');
    return [...within.state.buckets.values()].filter(({ account }) => account === caller.account);
  },

  makeBucket: (caller: Key, name: string, region: string): void => {
    authorize(within.state, caller, 's3:CreateBucket', bucketArn(name));
    if (!bucketName.test(name)) throw new Refusal(400, 'InvalidBucketName', 'The bucket name is not valid');
    const owner = within.state.buckets.get(name)?.account;
    if (owner === caller.account)
      throw new Refusal(409, 'BucketAlreadyOwnedByYou', 'Your earlier request made the bucket');
    if (owner !== undefined) throw new Refusal(409, 'BucketAlreadyExists', 'The bucket name is not available');
    within.change({
      is: 'bucketMade',
      made: { name, account: caller.account, region, createdAt: within.options.now() },
    });
  },

  bucketRegion: (caller: Key, name: string): string => bucketFor(within, caller, name, 's3:GetBucketLocation').region,

  removeBucket: (caller: Key, name: string): void => {
    const { versions } = bucketFor(within, caller, name, 's3:DeleteBucket');
    if (versions.size > 0) throw new Refusal(409, 'BucketNotEmpty', 'The bucket that is to be deleted is not empty');
    within.change({ is: 'bucketRemoved', bucket: name });
  },

  setVersioning: (caller: Key, name: string, on: boolean): void => {
    bucketFor(within, caller, name, 's3:PutBucketVersioning');
    if (within.options.withoutVersions === true) throw noVersions();
    within.change({ is: 'versioned', bucket: name, on });
  },
});

export const noVersions = () => new Refusal(501, 'NotImplemented', 'Versions are not implemented here');
