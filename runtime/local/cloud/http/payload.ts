import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { refused, Refusal } from '../refusal.ts';
import { type Algorithm, algorithms, checksumHeader, type Digest, digestBy } from './checksums.ts';
import { unchunked } from './chunked.ts';
import type { Signed } from './signature.ts';
import { announcedIn, trailedIn } from './trailer.ts';

/** The markers for bodies whose hash is not signed. */
const words = [
  'UNSIGNED-PAYLOAD',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
];

/** A request whose body has not been read. */
export interface Sent {
  readonly request: IncomingMessage;
  readonly signed: Signed;
  readonly headers: IncomingHttpHeaders;
}

/** The bytes of a body; fails with a refusal at the end when they do not match the request. */
export interface Payload {
  readonly bytes: AsyncIterable<Buffer>;
  /** By algorithm, the sent and the requested ones; complete once all bytes were read. */
  readonly checksums: ReadonlyMap<Algorithm, string>;
}

/** The body of a request, whose checksums are computed while reading: `also` those not sent. */
export function payloadOf({ request, signed, headers }: Sent, also: readonly Algorithm[] = []): Payload {
  const { payload } = signed;
  const isHash = payload === '' || /^[0-9a-f]{64}$/.test(payload);
  if (!isHash && !words.includes(payload)) throw refused.notServed(`the body ${payload}`);
  const announced = announcedIn(headers, payload);
  const told = new Map(algorithms.flatMap((name) => given(name, headers[checksumHeader(name)])));
  const names = new Set([...told.keys(), ...announced, ...also]);
  const digests = new Map<Algorithm, Digest>([...names].map((name) => [name, digestBy(name)]));
  const hash = isHash ? createHash('sha256') : null;
  const md5 = headers['content-md5'] === undefined ? null : digestBy('md5');
  const checksums = new Map<Algorithm, string>();

  const bytes = async function* (): AsyncGenerator<Buffer> {
    // A body refused midway is read to its end before responding, because the client would not read the response
    // otherwise.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
    const trailer = new Map<string, string>();
    let size = 0;
    for await (const some of payload.startsWith('STREAMING-') ? unchunked(body, signed, trailer) : body) {
      size += some.length;
      hash?.update(some);
      md5?.update(some);
      for (const digest of digests.values()) digest.update(some);
      yield some;
    }
    if (Number(headers['x-amz-decoded-content-length'] ?? size) !== size)
      throw new Refusal(400, 'IncompleteBody', 'The body is not as long as the request says');
    if (hash) signed.checkBody(hash.digest('hex'));
    if (md5 && md5.base64() !== headers['content-md5']) throw badDigest('Content-MD5');
    const followed = trailedIn(trailer, announced);
    for (const [name, digest] of digests) {
      const right = digest.base64();
      for (const one of [told.get(name), followed.get(name)])
        if (one !== undefined && one !== right) throw badDigest(checksumHeader(name));
      checksums.set(name, right);
    }
  };
  return { bytes: bytes(), checksums };
}

const given = (name: Algorithm, value: string | string[] | undefined) =>
  typeof value === 'string' ? [[name, value] as const] : [];

const badDigest = (what: string) =>
  new Refusal(400, 'BadDigest', `The ${what} of the request is not that of the bytes that came`);
