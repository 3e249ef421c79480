import { readFileSync } from 'node:fs';
import { CreateUserCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import * as assert from 'uvu/assert';
import {
  commandOf,
  type Member,
  type SdkOperation,
  sdkOperations,
  valueOf,
} from '../../../support/cloud/sdkOperations.ts';
import { outcomeOf, type ServedCloud, servedCloud } from '../../../support/cloud/served.ts';
import { rootKey } from '../../../support/memory/cloud.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('operations of the embedded cloud');
let cloud: ServedCloud;
let client: S3Client;
spec.before(async () => {
  cloud = await servedCloud();
  client = cloud.client();
});
spec.after(() => cloud.stop());

type Input = Readonly<Record<string, unknown>>;

/** What an operation is served with: values of optional members that are, and what it answers to the plain request. */
interface Served {
  readonly answers: string;
  /** Put into every request. */
  readonly given?: Input;
  /** Optional members of the query and the headers that are served, each with a value. */
  readonly knows?: Input;
}

const owner = { ExpectedBucketOwner: rootKey.account, RequestPayer: 'requester' };
/** Of the body `bytes`. */
const checksums = {
  ChecksumCRC32: 'sZlDzg==',
  ChecksumCRC32C: '0G6ckg==',
  ChecksumCRC64NVME: 'JphbblFKTCQ=',
  ChecksumMD5: 'SzpiGLs+OnMD6KFxpg/Pkg==',
  ChecksumSHA1: '2vUppzEBwr5ia5n8aTgWPnonYgs=',
  ChecksumSHA256: 'J3CJ2RwL308uaGK6fkoHYFEZQx9dE/cm3TUrBvGyBqk=',
  ChecksumSHA512: 'rYerwe+0LgMgfzqYuPQR2tCVOqI9TTGaQkiAznBaEhke4sc3DCJOLYpoG4dctq+kYb25moaTst23SyXfAAINTQ==',
};
const sums = { ...checksums, ChecksumAlgorithm: 'CRC32', ContentMD5: checksums.ChecksumMD5 };
const past = new Date(0);
const future = new Date(Date.UTC(2099, 0));
const pages = { Prefix: 'a', Delimiter: '/', EncodingType: 'url' };
const reads = {
  ...owner,
  ChecksumMode: 'ENABLED',
  IfMatch: '*',
  IfNoneMatch: '"other"',
  IfModifiedSince: past,
  IfUnmodifiedSince: future,
  Range: 'bytes=0-1',
  ResponseCacheControl: 'no-store',
  ResponseContentDisposition: 'inline',
  ResponseContentEncoding: 'identity',
  ResponseContentLanguage: 'de',
  ResponseContentType: 'text/plain',
  ResponseExpires: future,
  VersionId: 'null',
};
const meta = {
  ACL: 'private',
  CacheControl: 'no-store',
  ContentDisposition: 'inline',
  ContentEncoding: 'gzip',
  ContentLanguage: 'de',
  ContentType: 'text/plain',
  Expires: future,
  Metadata: { one: 'two' },
  StorageClass: 'STANDARD',
};
const fromSource = {
  CopySourceIfMatch: '*',
  CopySourceIfNoneMatch: '"other"',
  CopySourceIfModifiedSince: past,
  CopySourceIfUnmodifiedSince: future,
  ExpectedSourceBucketOwner: rootKey.account,
};

/** Every operation that is served, written down by hand from S3's reference; all others are not. */
const served: Readonly<Record<string, Served>> = {
  AbortMultipartUpload: { answers: '204', knows: owner },
  CompleteMultipartUpload: {
    answers: '200',
    given: { MultipartUpload: { Parts: [{ PartNumber: 1 }] } },
    knows: {
      ...owner,
      ...checksums,
      ChecksumType: 'FULL_OBJECT',
      IfMatch: '*',
      IfNoneMatch: '*',
      MpuObjectSize: 5,
    },
  },
  CopyObject: {
    answers: '200',
    given: { Key: 'copied' },
    knows: {
      ...meta,
      ...fromSource,
      ExpectedBucketOwner: rootKey.account,
      RequestPayer: 'requester',
      ChecksumAlgorithm: 'SHA256',
      IfMatch: '*',
      IfNoneMatch: '*',
      MetadataDirective: 'REPLACE',
      TaggingDirective: 'COPY',
    },
  },
  CreateBucket: {
    answers: '200',
    given: { Bucket: 'another' },
    knows: { ACL: 'private', ObjectLockEnabledForBucket: false, ObjectOwnership: 'BucketOwnerEnforced' },
  },
  CreateMultipartUpload: {
    answers: '200',
    knows: { ...meta, ...owner, ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' },
  },
  DeleteBucket: { answers: '409 BucketNotEmpty', knows: { ExpectedBucketOwner: rootKey.account } },
  DeleteObject: { answers: '204', knows: { ...owner, IfMatch: '*', VersionId: 'null' } },
  DeleteObjects: {
    answers: '200',
    given: { Delete: { Objects: [{ Key: 'object' }] } },
    knows: { ...owner, ChecksumAlgorithm: 'SHA256' },
  },
  GetBucketLocation: { answers: '200', knows: { ExpectedBucketOwner: rootKey.account } },
  GetBucketVersioning: { answers: '200', knows: { ExpectedBucketOwner: rootKey.account } },
  GetObject: { answers: '200', knows: reads },
  HeadBucket: { answers: '200', knows: { ExpectedBucketOwner: rootKey.account } },
  HeadObject: { answers: '200', knows: reads },
  ListBuckets: { answers: '200' },
  ListMultipartUploads: {
    answers: '200',
    knows: { ...owner, ...pages, KeyMarker: 'a', MaxUploads: 1, UploadIdMarker: 'a' },
  },
  ListObjectVersions: {
    answers: '200',
    knows: { ...owner, ...pages, KeyMarker: 'a', MaxKeys: 1, VersionIdMarker: 'a' },
  },
  ListObjects: { answers: '200', knows: { ...owner, ...pages, Marker: 'a', MaxKeys: 1 } },
  ListObjectsV2: {
    answers: '200',
    knows: { ...owner, ...pages, ContinuationToken: 'YQ', FetchOwner: true, MaxKeys: 1, StartAfter: 'a' },
  },
  ListParts: { answers: '200', knows: { ...owner, MaxParts: 1, PartNumberMarker: '1' } },
  PutBucketVersioning: {
    answers: '200',
    given: { VersioningConfiguration: { Status: 'Enabled' } },
    knows: { ChecksumAlgorithm: 'SHA1', ExpectedBucketOwner: rootKey.account },
  },
  PutObject: {
    answers: '200',
    given: { Body: 'bytes' },
    knows: { ...meta, ...owner, ...sums, IfMatch: '*', IfNoneMatch: '*' },
  },
  PutPublicAccessBlock: {
    answers: '200',
    given: { PublicAccessBlockConfiguration: { BlockPublicAcls: true } },
    knows: { ChecksumAlgorithm: 'CRC64NVME', ExpectedBucketOwner: rootKey.account },
  },
  UploadPart: {
    answers: '200',
    given: { Body: 'bytes' },
    knows: { ...owner, ...sums },
  },
  UploadPartCopy: { answers: '200', knows: { ...fromSource, ...owner, CopySourceRange: 'bytes=0-1' } },
};

/** Members that the SDK makes no header or key of, or that HTTP has for every request. */
const ofNoMeaning = new Set(['Body', 'Bucket', 'ContentLength', 'Key']);

let buckets = 0;
/** A bucket with an object and an open upload, in the state that a request meets. */
async function prepared(): Promise<Input> {
  const Bucket = `bucket-${++buckets}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'object', Body: 'the object', Metadata: { kept: 'yes' } }));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'object' }));
  await client.send(new UploadPartCommand({ Bucket, Key: 'object', UploadId, PartNumber: 1, Body: 'bytes' }));
  return { Bucket, Key: 'object', UploadId, PartNumber: 1, CopySource: `${Bucket}/object` };
}

const requiredOf = ({ members }: SdkOperation, input: Input): Input =>
  Object.fromEntries(
    members.filter(({ name, isRequired }) => isRequired && name in input).map(({ name }) => [name, input[name]]),
  );

const send = (operation: SdkOperation, input: Input): Promise<string> =>
  outcomeOf(client.send(commandOf(operation, input)));

/** An answer to HEAD has no body to name a code in. */
const refusalOf = ({ method }: SdkOperation): RegExp => (method === 'HEAD' ? /^501 / : /^501 NotImplemented$/);

async function mustRefuse(operation: SdkOperation, input: Input, what: string, as = refusalOf(operation)) {
  const before = cloud.kept();
  assert.match(await send(operation, input), as, what);
  assert.is(cloud.kept(), before, `${what} changed what is kept`);
  await cloud.settled();
}

spec('every operation of the SDK is served, or refused with bucket and objects as they were', async () => {
  assert.ok(sdkOperations.length > 100, 'the operations of the SDK were not read');
  const names = sdkOperations.map(({ name }) => name);
  assert.equal(
    Object.keys(served).filter((name) => !names.includes(name)),
    [],
  );
  const input = await prepared();
  for (const operation of sdkOperations)
    if (!served[operation.name]) await mustRefuse(operation, requiredOf(operation, input), operation.name);
  for (const operation of sdkOperations) {
    const known = served[operation.name];
    if (!known) continue;
    const fresh = requiredOf(operation, await prepared());
    assert.is(await send(operation, { ...fresh, ...known.given }), known.answers, operation.name);
  }
});

spec('the guide names the operations that are served', () => {
  const guide = readFileSync(new URL('../../../../runtime/README.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('### What is not real');
  const rows = section.split('\n').filter((line) => /^\| (?:buckets|lists|objects|uploads) /.test(line));
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  assert.equal(named.toSorted(), Object.keys(served).toSorted());
});

interface Tried {
  readonly operation: SdkOperation;
  readonly member: Member;
  readonly known: Served;
}

/** Each header and query key of each served operation that a request may have or not. */
const optional: readonly Tried[] = sdkOperations.flatMap((operation) =>
  operation.members.flatMap((member) => {
    const known = served[operation.name];
    const isTried = member.place !== null && !member.isRequired && !ofNoMeaning.has(member.name);
    return known && isTried ? [{ operation, member, known }] : [];
  }),
);
const isKnown = ({ known, member }: Tried): boolean => known.knows?.[member.name] !== undefined;

spec(
  'a request with a header or query key that its operation does not know is refused, and changes nothing',
  async () => {
    const input = await prepared();
    const tried = optional.filter((one) => !isKnown(one));
    assert.ok(tried.length > 60, 'the members of requests were not read');
    for (const { operation, member, known } of tried) {
      // A checksum is known to every operation, and this value is wrong.
      const as = member.name === 'ContentMD5' ? /^400 BadDigest$/ : refusalOf(operation);
      const given = { ...requiredOf(operation, input), ...known.given, [member.name]: valueOf(member.type) };
      await mustRefuse(operation, given, `${operation.name} with ${member.name}`, as);
    }
  },
);

spec('every header and query key that an operation knows is served', async () => {
  const tried = optional.filter(isKnown);
  assert.ok(tried.length > 100, 'the members of requests were not read');
  for (const { operation, member, known } of tried) {
    const target = operation.name === 'CreateBucket' ? { Bucket: `another-${++buckets}` } : {};
    const input = { ...requiredOf(operation, await prepared()), ...known.given, ...target };
    const outcome = await send(operation, { ...input, [member.name]: known.knows?.[member.name] });
    assert.match(outcome, /^(20\d|206|409 BucketNotEmpty|412 .*)$/, `${operation.name} with ${member.name}`);
  }
});

spec('a value that would change the meaning of a header is refused', async () => {
  const input = await prepared();
  const values: readonly (readonly [string, Input])[] = [
    ['PutObject', { ACL: 'public-read' }],
    ['PutObject', { StorageClass: 'GLACIER' }],
    ['PutObject', { IfNoneMatch: '"etag"' }],
    ['CreateMultipartUpload', { ACL: 'bucket-owner-full-control' }],
    ['CreateMultipartUpload', { ChecksumAlgorithm: 'XXHASH64' }],
    ['CopyObject', { TaggingDirective: 'REPLACE' }],
    ['CopyObject', { StorageClass: 'STANDARD_IA' }],
    ['CreateBucket', { Bucket: 'never-made', ObjectLockEnabledForBucket: true }],
    ['CreateBucket', { Bucket: 'never-made', ObjectOwnership: 'ObjectWriter' }],
    ['CreateBucket', { Bucket: 'never-made', CreateBucketConfiguration: { Tags: [{ Key: 'a', Value: 'b' }] } }],
    ['PutBucketVersioning', { VersioningConfiguration: { Status: 'Enabled', MFADelete: 'Enabled' } }],
    ['DeleteObjects', { Delete: { Objects: [{ Key: 'object', ETag: '"other"' }] } }],
  ];
  for (const [name, more] of values) {
    const operation = sdkOperations.find((one) => one.name === name);
    assert.ok(operation, name);
    const given = { ...requiredOf(operation, input), ...served[name]?.given, ...more };
    await mustRefuse(operation, given, `${name} with ${JSON.stringify(more)}`);
  }
});

spec('a bucket named by the host, or of another owner than expected, is refused', async () => {
  const { Bucket } = (await prepared()) as { readonly Bucket: string };
  const before = cloud.kept();
  const byHost = cloud.client({ endpoint: cloud.url.replace('127.0.0.1', 'localhost'), forcePathStyle: false });
  byHost.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { hostname: string };
      // Resolvers of some machines know no name under `localhost`.
      request.hostname = 'localhost';
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'reach' },
  );
  assert.is(await outcomeOf(byHost.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'b' }))), '501 NotImplemented');
  const otherOwner = new PutObjectCommand({ Bucket, Key: 'a', Body: 'b', ExpectedBucketOwner: '999999999999' });
  assert.is(await outcomeOf(client.send(otherOwner)), '403 AccessDenied');
  assert.is(cloud.kept(), before);
});

spec('a field of IAM that its action does not know is refused, and changes nothing', async () => {
  const { accessKeyId, secret: secretAccessKey } = rootKey;
  const credentials = { accessKeyId, secretAccessKey };
  const iam = new IAMClient({ endpoint: cloud.url, region: 'us-east-1', maxAttempts: 1, credentials });
  const before = cloud.kept();
  const bounded = new CreateUserCommand({ UserName: 'core-one', PermissionsBoundary: 'arn:aws:iam::aws:policy/none' });
  assert.is(await outcomeOf(iam.send(bounded)), '501 NotImplemented');
  assert.is(
    await outcomeOf(iam.send(new CreateUserCommand({ UserName: 'core-one', Path: '/a/' }))),
    '501 NotImplemented',
  );
  assert.is(cloud.kept(), before);
  assert.is(await outcomeOf(iam.send(new CreateUserCommand({ UserName: 'core-one' }))), '200');
  iam.destroy();
});

spec.run();
