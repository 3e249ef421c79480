import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CloudModel } from '../model.ts';
import { refused, Refusal } from '../refusal.ts';
import type { Key } from '../state.ts';

const skewMs = 15 * 60_000;
const scheme =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/;

/** A request that was signed by a key: what its body must be is checked once the body is read. */
export interface Signed {
  readonly key: Key;
  /** `x-amz-content-sha256`; empty where the body's own hash was signed. */
  readonly payload: string;
  /** Whether the signature is right for a body of this hash. */
  readonly isRightFor: (bodyHash: string) => boolean;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** RFC 3986, as AWS has it. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'InvalidURI', 'The address cannot be decoded');
  }
}

/** Path and query of a request, as they came. */
export function partsOf(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

export const queryOf = (query: string): readonly (readonly [name: string, value: string])[] =>
  query === ''
    ? []
    : query.split('&').map((pair) => {
        const at = pair.indexOf('=');
        return at === -1 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
      });

function canonicalRequest({ method = '', url = '/', headers }: IncomingMessage, signed: string, payload: string) {
  const [path, query] = partsOf(url);
  const pairs = queryOf(query)
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
  const lines = signed.split(';').map((name) => {
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
    signed,
    payload,
  ].join('\n');
}

/** `20260102T030405Z`, ms since the epoch. */
const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Who signed a request; a request without a signature, or with one of long ago, is refused. */
export function signedBy(request: IncomingMessage, model: CloudModel, now: number): Signed {
  const { headers } = request;
  const [, id = '', day = '', region = '', service = '', names = '', signature = ''] =
    scheme.exec(headers.authorization ?? '') ?? [];
  if (id === '') throw refused.denied('the request is not signed');
  const key = model.keyOf(id);
  const time = String(headers['x-amz-date'] ?? '');
  if (!(Math.abs(timeOf(time) - now) <= skewMs))
    throw new Refusal(403, 'RequestTimeTooSkewed', 'The time of the request differs too much from that of the cloud');
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const signing = hmac(hmac(hmac(hmac(`AWS4${key.secret}`, day), region), service), 'aws4_request');
  return {
    key,
    payload,
    isRightFor: (bodyHash) => {
      const canonical = canonicalRequest(request, names, payload === '' ? bodyHash : payload);
      const hash = createHash('sha256').update(canonical).digest('hex');
      const right = hmac(signing, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash}`);
      return timingSafeEqual(right, Buffer.from(signature, 'hex'));
    },
  };
}
