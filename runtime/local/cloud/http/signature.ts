import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CloudModel } from '../model.ts';
import { refused, Refusal } from '../refusal.ts';
import type { Key } from '../state.ts';
import { decoded, encoded, partsOf, queryOf } from './address.ts';
import { type Authorization, authorizationOf } from './authorization.ts';

/** A request that was signed by a key: what its body must be is checked once the body is read. */
export interface Signed {
  readonly key: Key;
  /** The hash of the body, or the word for how it is sent; empty when the body's own hash was signed. */
  readonly payload: string;
  readonly isPresigned: boolean;
  /** Refuses a body whose hash is not the signed one. */
  readonly checkBody: (sha256: string) => void;
  /**
   * Refuses the next chunk of a body, or the trailer behind it, when its signature does not follow from the last one.
   */
  readonly checkChunk: (part: 'PAYLOAD' | 'TRAILER', sha256: string, signature: string) => void;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const isSame = (right: Buffer, signature: string): boolean => {
  const given = Buffer.from(signature, 'hex');
  return given.length === right.length && timingSafeEqual(right, given);
};

function canonicalRequest({ method = '', url = '/', headers }: IncomingMessage, signed: readonly string[]) {
  const [path, query] = partsOf(url);
  const pairs = queryOf(query)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
  const lines = signed.map((name) => {
    const value = headers[name];
    return `${name}:${(Array.isArray(value) ? value.join(',') : (value ?? '')).trim().replaceAll(/ +/g, ' ')}\n`;
  });
  return [
    method,
    path
      .split('/')
      .map((part) => encoded(decoded(part)))
      .join('/'),
    pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    lines.join(''),
    signed.join(';'),
  ].join('\n');
}

/** Refuses additions to a presigned request. */
function refuseUnsigned({ headers }: IncomingMessage, { signed }: Authorization): void {
  const must = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  const unsigned = must.filter((name) => !signed.includes(name));
  if (unsigned.length > 0) throw refused.denied(`the signature must cover the headers ${unsigned.join(', ')}`);
}

/** Verifies the signature of a request; refuses a missing, wrong or expired one. */
export function signedBy(request: IncomingMessage, model: CloudModel, now: number): Signed {
  const given = authorizationOf(request, now);
  const { payload, isPresigned, day, region, service, date } = given;
  const key = model.keyOf(given.accessKeyId);
  refuseUnsigned(request, given);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const signing = hmac(hmac(hmac(hmac(`AWS4${key.secret}`, day), region), service), 'aws4_request');
  const canonical = canonicalRequest(request, given.signed);
  const check = (body: string): void => {
    const right = hmac(signing, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(`${canonical}\n${body}`)}`);
    if (!isSame(right, given.signature)) throw refused.wrongSignature();
  };
  if (payload !== '') check(payload);
  let last = given.signature;
  return {
    key,
    payload,
    isPresigned,
    checkBody: (hash) => {
      if (payload === '') check(hash);
      else if (payload !== hash)
        throw new Refusal(400, 'XAmzContentSHA256Mismatch', 'The body is not the one that was signed');
    },
    checkChunk: (part, hash, signature) => {
      // The hash of the empty text stands for headers, which a chunk does not have.
      const hashes = part === 'PAYLOAD' ? [sha256(''), hash] : [hash];
      const right = hmac(signing, [`AWS4-HMAC-SHA256-${part}`, date, scope, last, ...hashes].join('\n'));
      if (!isSame(right, signature)) throw refused.wrongSignature();
      last = signature;
    },
  };
}
