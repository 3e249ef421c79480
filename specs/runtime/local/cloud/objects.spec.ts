import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandInput,
  type ListPartsCommandOutput,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import * as assert from 'uvu/assert';
import { otherKey, outcomeOf, type ServedCloud, servedCloud } from '../../../support/cloud/served.ts';
import { sendSigned } from '../../../support/cloud/signedRequest.ts';
import { suite } from '../../../support/suite.ts';
import { until } from '../../../support/until.ts';

const spec = suite('objects of the embedded cloud');
let cloud: ServedCloud;
let client: S3Client;
let buckets = 0;
spec.before(async () => {
  cloud = await servedCloud();
  client = cloud.client();
});
spec.after(() => cloud.stop());

const newBucket = async (): Promise<string> => {
  const Bucket = `core-${++buckets}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
};
const put = (Bucket: string, Key: string, Body: string, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const textOf = async (Bucket: string, Key: string, more: object = {}) =>
  (await client.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body?.transformToString();
const versioned = (Bucket: string, Status: 'Enabled' | 'Suspended') =>
  client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));

spec('a copy has the bytes and headers of its source, or new headers where they are replaced', async () => {
  const Bucket = await newBucket();
  const source = { ContentType: 'text/css', CacheControl: 'no-store', Metadata: { colour: 'red' } };
  await put(Bucket, 'a/ä key', 'text', source);
  const CopySource = `${Bucket}/${encodeURIComponent('a/ä key')}`;
  const other = await newBucket();
  const made = await client.send(new CopyObjectCommand({ Bucket: other, Key: 'b', CopySource }));
  const copied = await client.send(new GetObjectCommand({ Bucket: other, Key: 'b' }));
  assert.is(await copied.Body?.transformToString(), 'text');
  assert.is(copied.ETag, made.CopyObjectResult?.ETag);
  assert.equal([copied.ContentType, copied.CacheControl, copied.Metadata], ['text/css', 'no-store', { colour: 'red' }]);
  const replaced = { MetadataDirective: 'REPLACE', ContentType: 'text/plain', Metadata: { size: 'big' } } as const;
  await client.send(new CopyObjectCommand({ Bucket: other, Key: 'b', CopySource: `/${other}/b`, ...replaced }));
  const changed = await client.send(new GetObjectCommand({ Bucket: other, Key: 'b' }));
  assert.equal(
    [changed.ContentType, changed.CacheControl, changed.Metadata],
    ['text/plain', undefined, { size: 'big' }],
  );
  assert.is(await changed.Body?.transformToString(), 'text');
  assert.is(await textOf(Bucket, 'a/ä key'), 'text', 'the source stays');
});

spec('a copy that is refused stores nothing', async () => {
  const Bucket = await newBucket();
  const { ETag } = await put(Bucket, 'a', 'text');
  await cloud.settled();
  const bodies = cloud.bodies().length;
  const copy = (more: object, from = client) =>
    outcomeOf(from.send(new CopyObjectCommand({ Bucket, Key: 'b', CopySource: `${Bucket}/a`, ...more })));
  assert.is(await copy({ Key: 'a' }), '400 InvalidRequest');
  assert.is(await copy({ CopySource: `${Bucket}/none` }), '404 NoSuchKey');
  assert.is(await copy({ CopySource: 'no-bucket/a' }), '404 NoSuchBucket');
  assert.is(await copy({ CopySource: `${Bucket}/a?other=1` }), '400 InvalidArgument');
  assert.is(await copy({ CopySourceIfMatch: '"other"' }), '412 PreconditionFailed');
  assert.is(await copy({ CopySourceIfNoneMatch: ETag }), '412 PreconditionFailed');
  assert.is(await copy({ CopySourceIfModifiedSince: new Date(Date.now() + 9_000) }), '412 PreconditionFailed');
  assert.is(await copy({ CopySourceIfUnmodifiedSince: new Date(0) }), '412 PreconditionFailed');
  assert.is(await copy({ ExpectedSourceBucketOwner: '1' }), '403 AccessDenied');
  const theirs = cloud.client({ credentials: { accessKeyId: otherKey.accessKeyId, secretAccessKey: otherKey.secret } });
  await theirs.send(new CreateBucketCommand({ Bucket: 'theirs' }));
  assert.is(await copy({ Bucket: 'theirs' }, theirs), '403 AccessDenied');
  await cloud.settled();
  assert.is(cloud.bodies().length, bodies);
  assert.is(await copy({ CopySourceIfMatch: ETag }), '200');
});

spec('a part is a range of another object, and parts are listed by pages', async () => {
  const Bucket = await newBucket();
  await put(Bucket, 'a', '0123456789');
  const place = { Bucket, Key: 'b' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm: 'CRC32' }));
  const copy = (PartNumber: number, CopySourceRange?: string) =>
    client.send(
      new UploadPartCopyCommand({ ...place, UploadId, PartNumber, CopySource: `${Bucket}/a`, CopySourceRange }),
    );
  await copy(1, 'bytes=2-4');
  await copy(3);
  const own = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber: 2, Body: 'xy' }));
  assert.is(await outcomeOf(copy(4, 'bytes=20-30')), '416 InvalidRange');
  assert.is(await outcomeOf(copy(0)), '400 InvalidArgument');

  const pages: unknown[] = [];
  for (let from: ListPartsCommandInput | null = { ...place, UploadId, MaxParts: 2 }; from !== null;) {
    const page: ListPartsCommandOutput = await client.send(new ListPartsCommand(from));
    pages.push(page.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size]));
    from = page.IsTruncated === true ? { ...from, PartNumberMarker: page.NextPartNumberMarker } : null;
  }
  assert.equal(pages, [
    [
      [1, 3],
      [2, 2],
    ],
    [[3, 10]],
  ]);
  const { Parts = [], ChecksumAlgorithm } = await client.send(new ListPartsCommand({ ...place, UploadId }));
  assert.is(ChecksumAlgorithm, 'CRC32');
  assert.is(Parts[1]?.ETag, own.ETag);
  assert.ok(
    Parts.every(({ ChecksumCRC32, LastModified }) => ChecksumCRC32 !== undefined && LastModified !== undefined),
  );
  assert.is(await outcomeOf(client.send(new ListPartsCommand({ ...place, UploadId: 'none' }))), '404 NoSuchUpload');

  const MultipartUpload = {
    Parts: Parts.map(({ PartNumber, ETag, ChecksumCRC32 }) => ({ PartNumber, ETag, ChecksumCRC32 })),
  };
  await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload }));
  assert.is(await textOf(Bucket, 'b'), '234xy0123456789');
});

spec('an open upload does not block the deletion of a bucket, and its bytes are deleted with the bucket', async () => {
  const Bucket = await newBucket();
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'a' }));
  await cloud.settled();
  const before = cloud.bodies().length;
  await client.send(new UploadPartCommand({ Bucket, Key: 'a', UploadId, PartNumber: 1, Body: 'part' }));
  assert.is(cloud.bodies().length, before + 1);
  assert.is(await outcomeOf(client.send(new DeleteBucketCommand({ Bucket }))), '204');
  await until(() => cloud.bodies().length === before, 'the part is gone');
  const late = new UploadPartCommand({ Bucket, Key: 'a', UploadId, PartNumber: 2, Body: 'part' });
  assert.is(await outcomeOf(client.send(late)), '404 NoSuchBucket');
  await cloud.settled();
  assert.is(cloud.bodies().length, before);
});

spec('a conditional read is 304 when the object is unchanged and 412 when another one is expected', async () => {
  const Bucket = await newBucket();
  const { ETag = '' } = await put(Bucket, 'a', 'text');
  const path = `/${Bucket}/a`;
  const ask = async (headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET') => {
    const told = await sendSigned(cloud.url, { method, path, headers });
    return [told.status, told.body.length, told.headers['etag']];
  };
  const future = new Date(Date.now() + 60_000).toUTCString();
  const past = new Date(0).toUTCString();
  for (const method of ['GET', 'HEAD'] as const) {
    for (const tags of [ETag, '*', `"other", W/${ETag}`, ETag.replaceAll('"', '')])
      assert.equal(await ask({ 'if-none-match': tags }, method), [304, 0, ETag], `${method} ${tags}`);
    assert.equal(await ask({ 'if-modified-since': future }, method), [304, 0, ETag]);
  }
  assert.is((await ask({ 'if-none-match': '"other"' }))[0], 200);
  assert.is((await ask({ 'if-none-match': '"other"', 'if-modified-since': future }))[0], 200, 'a tag outranks a time');
  assert.is((await ask({ 'if-match': '"other"' }))[0], 412);
  assert.is((await ask({ 'if-unmodified-since': past }))[0], 412);
  assert.is((await ask({ 'if-match': ETag, 'if-unmodified-since': past }))[0], 200);
  assert.is((await ask({ range: 'bytes=0-1', 'if-range': ETag }))[0], 206);
  assert.is((await ask({ range: 'bytes=0-1', 'if-range': '"other"' }))[0], 200);
});

spec('a conditional write or deletion is refused when the object is not the expected one', async () => {
  const Bucket = await newBucket();
  const { ETag } = await put(Bucket, 'a', 'text');
  assert.is(await outcomeOf(put(Bucket, 'a', 'other', { IfNoneMatch: '*' })), '412 PreconditionFailed');
  assert.is(await outcomeOf(put(Bucket, 'a', 'other', { IfMatch: '"x"' })), '412 PreconditionFailed');
  assert.is(
    await outcomeOf(client.send(new DeleteObjectCommand({ Bucket, Key: 'a', IfMatch: '"x"' }))),
    '412 PreconditionFailed',
  );
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'a' }));
  await client.send(new UploadPartCommand({ Bucket, Key: 'a', UploadId, PartNumber: 1, Body: 'part' }));
  const complete = new CompleteMultipartUploadCommand({
    Bucket,
    Key: 'a',
    UploadId,
    MultipartUpload: { Parts: [{ PartNumber: 1 }] },
    IfNoneMatch: '*',
  });
  assert.is(await outcomeOf(client.send(complete)), '412 PreconditionFailed');
  assert.is(await textOf(Bucket, 'a'), 'text');
  assert.is(await outcomeOf(client.send(new DeleteObjectCommand({ Bucket, Key: 'a', IfMatch: ETag }))), '204');
});

spec('headers and metadata of an object are returned as they were sent', async () => {
  const Bucket = await newBucket();
  const sent = {
    CacheControl: 'max-age=60',
    ContentDisposition: 'attachment; filename="a"',
    ContentEncoding: 'gzip',
    ContentLanguage: 'de',
    ContentType: 'text/plain',
    Metadata: { one: '1', two: 'a  b' },
  };
  await put(Bucket, 'a', 'text', sent);
  const told = await client.send(new HeadObjectCommand({ Bucket, Key: 'a' }));
  for (const [name, value] of Object.entries(sent)) assert.equal(told[name as keyof typeof sent], value, name);
});

spec('versions and uploads are grouped by folders, and pages continue where they ended', async () => {
  const Bucket = await newBucket();
  await versioned(Bucket, 'Enabled');
  for (const key of ['a/1', 'a/2', 'b', 'b', 'c/1']) await put(Bucket, key, key);
  for (const Key of ['a/3', 'd']) await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const lines: (string | undefined)[] = [];
  for (let from: ListObjectVersionsCommandInput | null = { Bucket, Delimiter: '/', MaxKeys: 1 }; from !== null;) {
    const page: ListObjectVersionsCommandOutput = await client.send(new ListObjectVersionsCommand(from));
    lines.push(
      ...(page.Versions ?? []).map(({ Key }) => Key),
      ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
    );
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = page.IsTruncated === true ? { ...from, KeyMarker, VersionIdMarker } : null;
  }
  assert.equal(lines, ['a/', 'b', 'b', 'c/']);
  const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket, Delimiter: '/' }));
  assert.equal(
    uploads.Uploads?.map(({ Key }) => Key),
    ['d'],
  );
  assert.equal(
    uploads.CommonPrefixes?.map(({ Prefix }) => Prefix),
    ['a/'],
  );
  const listed = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'b', FetchOwner: true }));
  assert.is(listed.Contents?.[0]?.Owner?.ID, '111111111111');
});

spec('an older version stays hidden when the object is deleted under suspended versioning', async () => {
  const Bucket = await newBucket();
  await versioned(Bucket, 'Enabled');
  const { VersionId } = await put(Bucket, 'a', 'older');
  await versioned(Bucket, 'Suspended');
  await put(Bucket, 'a', 'newer');
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  assert.is(await outcomeOf(client.send(new GetObjectCommand({ Bucket, Key: 'a' }))), '404 NoSuchKey');
  assert.is(await textOf(Bucket, 'a', { VersionId }), 'older');
});

spec.run();
