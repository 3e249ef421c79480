import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import * as assert from 'uvu/assert';
import { type ServedCloud, servedCloud } from '../../../support/cloud/served.ts';
import { presignedQuery, sendTo, signedHeaders, type Told, type Wire } from '../../../support/cloud/signedRequest.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('presigned requests to the embedded cloud');
const Bucket = 'core-one';
const path = `/${Bucket}/a%20key`;
let cloud: ServedCloud;
let client: S3Client;
spec.before(async () => {
  cloud = await servedCloud();
  client = cloud.client();
  await client.send(new CreateBucketCommand({ Bucket }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'a key', Body: 'text', ContentType: 'text/css' }));
});
spec.after(() => cloud.stop());

type Presigned = Partial<Wire> & { readonly seconds?: number; readonly change?: (query: string) => string };

/** Sends what a browser sends that was given the address: nothing but `Host`, and the headers of `sent`. */
function send(method: string, given: Presigned = {}, sent: Readonly<Record<string, string>> = {}): Promise<Told> {
  const { seconds = 60, change = (query: string) => query, ...wire } = given;
  const query = change(presignedQuery(cloud.url, { method, path, ...wire, seconds }));
  const headers = { host: new URL(cloud.url).host, ...given.headers, ...sent };
  return sendTo(cloud.url, {
    method,
    path: `${path}?${query}`,
    headers,
    ...(given.body !== undefined && { body: given.body }),
  });
}
const outcome = async (told: Promise<Told>): Promise<string> => {
  const { status, code } = await told;
  return code === '' ? String(status) : `${status} ${code}`;
};

spec('a presigned GET and PUT are answered without any other key', async () => {
  const got = await send('GET');
  assert.equal([got.status, got.body.toString(), got.headers['content-type']], [200, 'text', 'text/css']);
  assert.is(await outcome(send('HEAD')), '200');
  const query = { 'response-content-type': 'text/plain', 'response-content-disposition': 'attachment; filename="a"' };
  const { headers } = await send('GET', { query });
  assert.equal([headers['content-type'], headers['content-disposition']], ['text/plain', 'attachment; filename="a"']);
  assert.is(await outcome(send('PUT', { body: 'from a browser' })), '200');
  assert.is((await send('GET')).body.toString(), 'from a browser');
});

spec('a presigned request is valid only for its method, key, query, headers and time', async () => {
  const before = cloud.kept();
  const wrong = '403 SignatureDoesNotMatch';
  const presigned = presignedQuery(cloud.url, { method: 'GET', path, seconds: 60 });
  const other = (method: string, to: string) =>
    outcome(sendTo(cloud.url, { method, path: `${to}?${presigned}`, headers: { host: new URL(cloud.url).host } }));
  assert.is(await other('DELETE', path), wrong);
  assert.is(await other('GET', `/${Bucket}/other`), wrong);
  assert.is(await outcome(send('GET', { change: (query) => `${query}&versionId=null` })), wrong);
  assert.is(await outcome(send('GET', { change: (query) => query.replace('Expires=60', 'Expires=600') })), wrong);
  assert.is(await outcome(send('PUT', { headers: { 'content-type': 'a/b' } }, { 'content-type': 'c/d' })), wrong);
  assert.is(await outcome(send('GET', { key: { accessKeyId: 'AKIAROOT', secret: 'another' } })), wrong);

  const past = Date.now() - 100_000;
  assert.is(await outcome(send('GET', { at: past, seconds: 99 })), '403 AccessDenied');
  assert.is(await outcome(send('GET', { at: past, seconds: 160 })), '200');
  assert.is(await outcome(send('GET', { at: Date.now() + 3_600_000 })), '403 AccessDenied');
  for (const seconds of [0, -1, 604_801, Number.NaN])
    assert.is(await outcome(send('GET', { seconds })), '400 AuthorizationQueryParametersError', String(seconds));
  assert.is(
    await outcome(send('GET', { change: (query) => query.replace(/Signature=\w+/, 'Signature=00') })),
    '400 AuthorizationQueryParametersError',
  );
  assert.is(cloud.kept(), before);
});

spec('a presigned request with an added header that changes its effect is refused', async () => {
  const before = cloud.kept();
  for (const header of ['x-amz-copy-source', 'x-amz-acl', 'x-amz-meta-a', 'x-amz-tagging'])
    assert.is(await outcome(send('PUT', {}, { [header]: 'core-one/a' })), '403 AccessDenied', header);
  const older = sendTo(cloud.url, {
    method: 'GET',
    path: `${path}?AWSAccessKeyId=AKIAROOT&Signature=a&Expires=9`,
    headers: {},
  });
  assert.is(await outcome(older), '400 InvalidRequest', 'an older way to sign');
  const { authorization } = signedHeaders(cloud.url, { method: 'GET', path });
  assert.is(await outcome(send('GET', {}, { authorization })), '400 InvalidArgument');
  assert.is(cloud.kept(), before);
});

spec('a header in the query of a presigned request counts as one: served, or refused', async () => {
  const before = cloud.kept();
  assert.is(await outcome(send('PUT', { query: { 'x-amz-tagging': 'a=b' } })), '501 NotImplemented');
  assert.is(await outcome(send('PUT', { query: { 'x-amz-acl': 'public-read' } })), '501 NotImplemented');
  assert.is(await outcome(send('PUT', { query: { tagging: '' } })), '501 NotImplemented');
  assert.is(cloud.kept(), before);
  assert.is(
    await outcome(send('PUT', { query: { 'x-amz-meta-colour': 'red', 'x-amz-acl': 'private' }, body: 'b' })),
    '200',
  );
  const { Metadata } = await client.send(new GetObjectCommand({ Bucket, Key: 'a key' }));
  assert.equal(Metadata, { colour: 'red' });
});

spec('a request presigned by the SDK is accepted, and its answer has the checksum of the body', async () => {
  const signer = await (
    client.config.signer as unknown as () => Promise<{
      readonly presign: (
        request: object,
        options: object,
      ) => Promise<{ readonly query: Readonly<Record<string, string>> }>;
    }>
  )();
  const { hostname, port, host } = new URL(cloud.url);
  const request = {
    method: 'PUT',
    protocol: 'http:',
    hostname,
    port: Number(port),
    path: `/${Bucket}/sdk`,
    headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
  };
  const query = { 'x-id': 'PutObject', 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-sdk-checksum-algorithm': 'CRC32' };
  const signed = await signer.presign({ ...request, query }, { expiresIn: 60, unsignableHeaders: new Set() });
  const text = new URLSearchParams(signed.query).toString().replaceAll('+', '%20');
  const told = await sendTo(cloud.url, {
    method: 'PUT',
    path: `/${Bucket}/sdk?${text}`,
    headers: { host },
    body: 'hello',
  });
  assert.is(told.status, 200, told.body.toString());
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'sdk' }));
  assert.is(await Body?.transformToString(), 'hello');
});

spec.run();
