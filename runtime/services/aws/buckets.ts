import type { BucketLocationConstraint } from '@aws-sdk/client-s3';
import { Effect } from 'effect';
import { isAws } from '../../../rules/cloud/account.ts';
import type { CloudShape } from '../cloud.ts';
import type { AwsClients } from './clients.ts';
import { codeOf, statusIn, strangeAnswer } from './failure.ts';

/** The region that is not named in a request or response about a bucket's location. */
const unnamedRegion = 'us-east-1';

/** Whether a store does not support public access settings or bucket locations. */
const isUnknownThere = (error: unknown): boolean => {
  const status = statusIn(error);
  return (
    ['NotImplemented', 'MethodNotAllowed', 'UnsupportedOperation', 'MalformedXML', 'InvalidArgument'].includes(
      codeOf(error),
    ) ||
    status === 405 ||
    status === 501
  );
};

export const awsBuckets = ({
  s3,
}: AwsClients): Pick<CloudShape, 'check' | 'makeBucket' | 'bucketRegion' | 'removeBucket'> => ({
  check: (account) =>
    s3(account, async ({ ListBucketsCommand }, client, abortSignal) => {
      const { Buckets, Owner } = await client.send(new ListBucketsCommand({}), { abortSignal });
      if (Buckets === undefined && Owner === undefined) throw strangeAnswer();
    }).pipe(
      Effect.catchIf(
        ({ code }) => code === 'AccessDenied',
        () => Effect.void,
      ),
    ),

  makeBucket: (account, Bucket) =>
    s3(account, async (sdk, client, abortSignal) => {
      const { CreateBucketCommand, HeadBucketCommand, PutPublicAccessBlockCommand } = sdk;
      const { iam, region } = account;
      // Some regions and stores respond as if they had created a bucket that the account already has.
      const stood = await standing(client.send(new HeadBucketCommand({ Bucket }), { abortSignal }));
      const LocationConstraint = region as BucketLocationConstraint;
      const place = region === unnamedRegion ? {} : { CreateBucketConfiguration: { LocationConstraint } };
      try {
        await client.send(new CreateBucketCommand({ Bucket, ...place }), { abortSignal });
      } catch (error) {
        // Without IAM, the account's own keys may be restricted to this bucket.
        const isGiven = iam === null && stood === 'open' && codeOf(error) === 'AccessDenied';
        if (codeOf(error) !== 'BucketAlreadyOwnedByYou' && !isGiven) throw error;
      }
      if (stood !== 'missing') return;
      const PublicAccessBlockConfiguration = {
        // Ceph would then refuse every write to the bucket; ignoring public ACLs is as safe.
        BlockPublicAcls: isAws(account),
        IgnorePublicAcls: true,
        BlockPublicPolicy: true,
        RestrictPublicBuckets: true,
      };
      const closed = new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration });
      await client.send(closed, { abortSignal }).catch((error: unknown) => {
        if (!isUnknownThere(error)) throw error;
      });
    }),

  bucketRegion: (account, Bucket) =>
    s3(account, async ({ GetBucketLocationCommand }, client, abortSignal) => {
      try {
        const { LocationConstraint } = await client.send(new GetBucketLocationCommand({ Bucket }), { abortSignal });
        return regionOf(LocationConstraint);
      } catch (error) {
        const elsewhere = regionIn(error);
        if (elsewhere !== null) return elsewhere;
        if (isUnknownThere(error) || codeOf(error) === 'AccessDenied') return null;
        throw error;
      }
    }),

  removeBucket: (account, Bucket) =>
    s3(account, async ({ DeleteBucketCommand }, client, abortSignal) => {
      await client.send(new DeleteBucketCommand({ Bucket }), { abortSignal }).catch((error: unknown) => {
        if (codeOf(error) !== 'NoSuchBucket') throw error;
      });
    }),
});

/** Whether a bucket exists, by a HEAD request; a refused one may belong to any account. */
const standing = (asked: Promise<unknown>): Promise<'open' | 'missing' | 'refused'> =>
  asked.then(
    () => 'open',
    (error: unknown) => {
      const status = statusIn(error);
      if (status === null) throw error;
      return status === 404 ? 'missing' : 'refused';
    },
  );

/** The right region, which a server of another region names in its refusal. */
function regionIn(error: unknown): string | null {
  const { $response } = error as {
    readonly $response?: { readonly headers?: Readonly<Record<string, string | undefined>> };
  };
  return $response?.headers?.['x-amz-bucket-region'] || null;
}

/** The region of a bucket's location constraint. */
function regionOf(location: string | undefined): string {
  if (location === undefined || location === '') return unnamedRegion;
  return location === 'EU' ? 'eu-west-1' : location;
}
