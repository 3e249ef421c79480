import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Algorithm, algorithms, digestBy } from '../../../../runtime/local/cloud/http/checksums.ts';
import { outcomeOf, type ServedCloud, servedCloud } from '../../../support/cloud/served.ts';
import { sendSigned, signedChunks, signedHeaders, type Wire } from '../../../support/cloud/signedRequest.ts';
import { suite } from '../../../support/suite.ts';
import { until } from '../../../support/until.ts';

const spec = suite('checksums of uploads to the embedded cloud');
const Bucket = 'core-one';
let cloud: ServedCloud;
let client: S3Client;
/** Knows fewer algorithms than S3. */
let reader: S3Client;
spec.before(async () => {
  cloud = await servedCloud();
  client = cloud.client();
  reader = cloud.client({ responseChecksumValidation: 'WHEN_REQUIRED' });
  await client.send(new CreateBucketCommand({ Bucket }));
});
spec.after(() => cloud.stop());

const sumOf = (algorithm: Algorithm, bytes: Buffer): string => {
  const digest = digestBy(algorithm);
  digest.update(bytes);
  return digest.base64();
};

/** Refused, with nothing stored. */
async function mustNotStore(wire: Wire, code: string, what: string): Promise<void> {
  const before = cloud.kept();
  const { status, code: told } = await sendSigned(cloud.url, wire);
  assert.is(`${status} ${told}`, code, what);
  assert.is(cloud.kept(), before, `${what} left something`);
  await cloud.settled();
}
const put = (headers: Wire['headers'], body: string | Buffer, payload?: string): Wire => ({
  method: 'PUT',
  path: `/${Bucket}/sent`,
  body,
  ...(headers && { headers }),
  ...(payload === undefined ? {} : { payload }),
});

spec('each checksum algorithm yields its published check value, however the bytes are split', () => {
  // https://reveng.sourceforge.io/crc-catalogue for the CRCs, RFC 1321 and FIPS 180 for the hashes.
  const known: Readonly<Record<Algorithm, string>> = {
    crc32: 'cbf43926',
    crc32c: 'e3069283',
    crc64nvme: 'ae8b14860a799888',
    md5: '25f9e794323b453885f5181f1b624d0b',
    sha1: 'f7c3bc1d808e04732adf679965ccc34ca7ae3441',
    sha256: '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225',
    sha512:
      'd9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274ad27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85',
  };
  for (const name of algorithms)
    for (let cut = 0; cut <= 9; cut++) {
      const digest = digestBy(name);
      digest.update(Buffer.from('123456789'.slice(0, cut)));
      digest.update(Buffer.from('123456789'.slice(cut)));
      assert.is(Buffer.from(digest.base64(), 'base64').toString('hex'), known[name], `${name} cut at ${cut}`);
    }
});

spec('an object is stored only when the checksum in its header matches', async () => {
  const bytes = Buffer.from('what is sent');
  const headers = ['content-md5', ...algorithms.map((name) => `x-amz-checksum-${name}`)];
  for (const [at, header] of headers.entries()) {
    const name = algorithms[at - 1] ?? 'md5';
    await mustNotStore(put({ [header]: sumOf(name, Buffer.from('other')) }, bytes), '400 BadDigest', header);
    const right = sumOf(name, bytes);
    const told = await sendSigned(cloud.url, put({ [header]: right }, bytes));
    assert.is(told.status, 200, header);
    assert.is(told.headers[header], at === 0 ? undefined : right, header);
  }
  await mustNotStore(put({ 'x-amz-checksum-xxhash64': 'AAAAAAAAAAA=' }, bytes), '501 NotImplemented', 'xxhash64');
  await mustNotStore(put({}, bytes, createHash('sha256').digest('hex')), '400 XAmzContentSHA256Mismatch', 'the hash');
});

const chunked = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const framed = (text: string, end: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n${end}`;
const announce = (name: Algorithm) => ({
  'x-amz-trailer': `x-amz-checksum-${name}`,
  'content-encoding': 'aws-chunked',
});

spec('an object is stored only when the checksum in its trailer matches', async () => {
  for (const name of algorithms) {
    const header = `x-amz-checksum-${name}`;
    const right = sumOf(name, Buffer.from('what is sent'));
    const of = (value: string) => framed('what is sent', `${header}:${value}\r\n\r\n`);
    await mustNotStore(put(announce(name), of(sumOf(name, Buffer.from('other'))), chunked), '400 BadDigest', name);
    const told = await sendSigned(cloud.url, put(announce(name), of(right), chunked));
    assert.is(told.status, 200, name);
    assert.is(told.headers[header], right);
    const got = await reader.send(new GetObjectCommand({ Bucket, Key: 'sent' }));
    assert.is(await got.Body?.transformToString(), 'what is sent');
    assert.is(got.ContentEncoding, undefined);
  }
});

spec('an upload that is cut before its checksum stores nothing', async () => {
  const right = sumOf('crc32', Buffer.from('what is sent'));
  const whole = framed('what is sent', `x-amz-checksum-crc32:${right}\r\n\r\n`);
  for (let length = 0; length < whole.length - 2; length++) {
    const before = cloud.kept();
    const { status, code } = await sendSigned(cloud.url, put(announce('crc32'), whole.slice(0, length), chunked));
    assert.ok(
      status === 400 && ['IncompleteBody', 'MalformedTrailerError'].includes(code),
      `${length}: ${status} ${code}`,
    );
    assert.is(cloud.kept(), before, `${length} bytes left something`);
    await cloud.settled();
  }
  const more = put({ ...announce('crc32'), 'x-amz-decoded-content-length': '13' }, whole, chunked);
  await mustNotStore(more, '400 IncompleteBody', 'a length');
  await mustNotStore(put({}, framed('what is sent', '\r\n'), 'STREAMING-OTHER'), '501 NotImplemented', 'a word');
  const odd = put({}, framed('what is sent', 'x-amz-checksum-crc32:AAAAAA==\r\n\r\n'), chunked);
  await mustNotStore(odd, '400 MalformedTrailerError', 'a trailer that nobody announced');
});

spec('a connection that ends within a body stores nothing', async () => {
  await cloud.settled();
  const before = { kept: cloud.kept(), bodies: cloud.bodies().length };
  const wire = put(announce('crc32'), '', chunked);
  const { hostname, port } = new URL(cloud.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = Object.entries(signedHeaders(cloud.url, wire)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PUT /${Bucket}/sent HTTP/1.1\r\n${head.join('')}content-length: 1000\r\n\r\n64\r\n`);
  await until(() => cloud.bodies().length > before.bodies, 'the body is begun');
  socket.destroy();
  await cloud.settled();
  assert.is(cloud.kept(), before.kept);
});

spec('an object is stored only when the signatures of its chunks and trailer match', async () => {
  const chunks = [Buffer.alloc(8_192, 1), Buffer.alloc(100, 2)];
  const sum = sumOf('crc32c', Buffer.concat(chunks));
  for (const trailer of [null, `x-amz-checksum-crc32c:${sum}`]) {
    const payload = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer === null ? '' : '-TRAILER'}`;
    const at = Date.now();
    const wire = { ...put(trailer === null ? {} : announce('crc32c'), '', payload), at };
    const [, seed = ''] = /Signature=(\w+)/.exec(signedHeaders(cloud.url, wire).authorization) ?? [];
    const body = signedChunks(wire, seed, chunks, trailer);
    assert.is((await sendSigned(cloud.url, { ...wire, body })).status, 200);
    const changed = Buffer.from(body);
    changed[4_000] = 9;
    await mustNotStore({ ...wire, body: changed }, '403 SignatureDoesNotMatch', 'a byte of a chunk');
    if (trailer === null) continue;
    const other = Buffer.from(body.toString('latin1').replace(/(trailer-signature:)..../, '$10000'), 'latin1');
    await mustNotStore({ ...wire, body: other }, '403 SignatureDoesNotMatch', 'the signature of the trailer');
  }
});

spec('a body in chunks of any size, split anywhere by the network, is read unchanged', async () => {
  const cuts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(cuts, async (chunks) => {
      const whole = Buffer.concat(chunks);
      const parts = chunks.map((one) =>
        Buffer.concat([Buffer.from(`${one.length.toString(16)}\r\n`), one, Buffer.from('\r\n')]),
      );
      const end = Buffer.from(`0\r\nx-amz-checksum-crc64nvme:${sumOf('crc64nvme', whole)}\r\n\r\n`);
      const wire = put(announce('crc64nvme'), Buffer.concat([...parts, end]), chunked);
      assert.is((await sendSigned(cloud.url, wire)).status, 200);
      const got = await reader.send(new GetObjectCommand({ Bucket, Key: 'sent' }));
      assert.ok(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(whole));
    }),
    { numRuns: 30 },
  );
});

spec('a checksum is stored and returned with a whole object on request', async () => {
  const Body = 'what is sent';
  await client.send(new PutObjectCommand({ Bucket, Key: 'kept', Body, ChecksumAlgorithm: 'SHA256' }));
  const right = sumOf('sha256', Buffer.from(Body));
  const whole = await client.send(new GetObjectCommand({ Bucket, Key: 'kept', ChecksumMode: 'ENABLED' }));
  assert.is(whole.ChecksumSHA256, right);
  assert.is(await whole.Body?.transformToString(), Body, 'the SDK checks what it reads');
  const part = await client.send(
    new GetObjectCommand({ Bucket, Key: 'kept', ChecksumMode: 'ENABLED', Range: 'bytes=0-3' }),
  );
  assert.is(part.ChecksumSHA256, undefined);
  assert.is((await client.send(new HeadObjectCommand({ Bucket, Key: 'kept' }))).ChecksumSHA256, undefined);
});

spec('a stream that the SDK sends in chunks is stored with each checksum that the SDK computes', async () => {
  for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const) {
    const Body = Readable.from([Buffer.alloc(70_000, 1), Buffer.alloc(10, 2)]);
    const sent = new PutObjectCommand({ Bucket, Key: 'stream', Body, ContentLength: 70_010, ChecksumAlgorithm });
    assert.is(await outcomeOf(client.send(sent)), '200', ChecksumAlgorithm);
  }
});

spec('a multipart object is stored only when its parts match their checksums', async () => {
  const bodies = [Buffer.alloc(5_000, 1), Buffer.alloc(700, 2)];
  for (const [algorithm, type] of [
    ['CRC32', 'COMPOSITE'],
    ['SHA256', 'COMPOSITE'],
    ['CRC64NVME', 'FULL_OBJECT'],
    ['CRC32C', 'FULL_OBJECT'],
  ] as const) {
    const place = { Bucket, Key: `parts-${algorithm}` };
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm: algorithm, ChecksumType: type }),
    );
    const field = `Checksum${algorithm}` as const;
    const Parts: object[] = [];
    for (const [at, Body] of bodies.entries()) {
      const part = { ...place, UploadId, PartNumber: at + 1 };
      const told = await client.send(new UploadPartCommand({ ...part, Body, ChecksumAlgorithm: algorithm }));
      Parts.push({ PartNumber: at + 1, ETag: told.ETag, [field]: told[field] });
    }
    const complete = (more: object, parts: readonly object[] = Parts) =>
      client.send(
        new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: [...parts] }, ...more }),
      );
    const before = cloud.kept();
    const wrong = sumOf(algorithm.toLowerCase() as Algorithm, Buffer.from('other'));
    assert.is(await outcomeOf(complete({ [field]: wrong })), '400 BadDigest');
    assert.is(await outcomeOf(complete({}, [{ ...Parts[0], [field]: wrong }, Parts[1] ?? {}])), '400 InvalidPart');
    assert.is(await outcomeOf(complete({}, [{ ...Parts[0], ETag: '"other"' }, Parts[1] ?? {}])), '400 InvalidPart');
    assert.is(await outcomeOf(complete({}, Parts.toReversed())), '400 InvalidPartOrder');
    assert.is(await outcomeOf(complete({ MpuObjectSize: 1 })), '400 InvalidRequest');
    await cloud.settled();
    assert.is(cloud.kept(), before);
    const made = await complete({});
    const full = sumOf(algorithm.toLowerCase() as Algorithm, Buffer.concat(bodies));
    if (type === 'FULL_OBJECT') assert.is(made[field], full);
    else assert.match(String(made[field]), /-2$/);
    const got = await client.send(new GetObjectCommand({ ...place, ChecksumMode: 'ENABLED' }));
    assert.is(got[field], made[field]);
    assert.ok(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Buffer.concat(bodies)));
  }
});

spec('a deletion of many keys deletes nothing when its checksum does not match', async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: 'stays', Body: 'here' }));
  const body = '<Delete><Object><Key>stays</Key></Object></Delete>';
  const wire = { method: 'POST', path: `/${Bucket}`, query: { delete: '' }, body } as const;
  for (const headers of [{ 'content-md5': sumOf('md5', Buffer.from('x')) }, { 'x-amz-checksum-crc32': 'AAAAAA==' }])
    await mustNotStore({ ...wire, headers }, '400 BadDigest', JSON.stringify(headers));
  const many = new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'stays' }] } });
  assert.is(await outcomeOf(client.send(many)), '200');
});

spec.run();
