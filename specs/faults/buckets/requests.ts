import { servedCloud } from '../../support/cloud/served.ts';
import { presignedQuery, sendSigned, sendTo, type Wire } from '../../support/cloud/signedRequest.ts';
import { plant, wasReached } from '../bugs/planting.ts';
import { bucketBugs } from './bugs.ts';

const bucket = '/core-one';
const key = `${bucket}/key`;
const chunked = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const trailer = { 'x-amz-trailer': 'x-amz-checksum-crc32' };
/** `text`, with the checksum of other bytes behind it. */
const framed = '4\r\ntext\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n';

/** Requests that the embedded cloud must refuse, each with what it answers. */
const refusedOnes: readonly (readonly [answer: string, wire: Wire])[] = [
  ['501 NotImplemented', { method: 'DELETE', path: bucket, query: { policy: '' } }],
  ['501 NotImplemented', { method: 'PUT', path: key, query: { tagging: '' }, body: '<Tagging/>' }],
  ['501 NotImplemented', { method: 'GET', path: bucket, query: { policy: '' } }],
  ['501 NotImplemented', { method: 'PUT', path: key, headers: { 'x-amz-acl': 'public-read' }, body: 'b' }],
  ['400 BadDigest', { method: 'PUT', path: key, headers: { 'x-amz-checksum-crc32': 'AAAAAA==' }, body: 'text' }],
  ['400 BadDigest', { method: 'PUT', path: key, headers: trailer, payload: chunked, body: framed }],
  [
    '400 MalformedTrailerError',
    { method: 'PUT', path: key, headers: trailer, payload: chunked, body: '4\r\ntext\r\n0\r\n\r\n' },
  ],
  ['403 AccessDenied', { method: 'PUT', path: key, unsigned: { 'x-amz-copy-source': key }, body: 'b' }],
];

/** What the embedded cloud answers or changes that it must not. */
export async function violations(): Promise<readonly string[]> {
  const cloud = await servedCloud();
  const wrong: string[] = [];
  try {
    for (const wire of [
      { method: 'PUT', path: bucket },
      { method: 'PUT', path: key, body: 'kept' },
    ])
      if ((await sendSigned(cloud.url, wire)).status !== 200) wrong.push(`${wire.method} ${wire.path} failed`);
    const before = cloud.kept();
    for (const [answer, wire] of refusedOnes) {
      const { status, code } = await sendSigned(cloud.url, wire);
      if (`${status} ${code}` !== answer) wrong.push(`${JSON.stringify(wire)} is answered ${status} ${code}`);
      if (cloud.kept() !== before) wrong.push(`${JSON.stringify(wire)} changed something`);
    }
    const expired = presignedQuery(cloud.url, { method: 'GET', path: key, seconds: 5, at: Date.now() - 60_000 });
    const headers = { host: new URL(cloud.url).host };
    const { status } = await sendTo(cloud.url, { method: 'GET', path: `${key}?${expired}`, headers });
    if (status !== 403) wrong.push(`an expired address is answered ${status}`);
    return wrong;
  } finally {
    await cloud.stop();
  }
}

/** Plants each bug in turn: whether it was come by, and whether it shows. */
export async function huntAll(): Promise<
  readonly { readonly name: string; readonly reached: boolean; readonly shown: boolean }[]
> {
  const hunted = [];
  for (const { name, plant: bug } of bucketBugs) {
    plant(bug);
    const shown = (await violations()).length > 0;
    hunted.push({ name, reached: wasReached(), shown });
  }
  return hunted;
}
