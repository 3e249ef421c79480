import type { IncomingMessage } from 'node:http';
import { refused, Refusal } from '../refusal.ts';
import { partsOf, queryOf } from './address.ts';

/** The signature of a request, from its header or, presigned, from its query. */
export interface Authorization {
  readonly accessKeyId: string;
  readonly day: string;
  readonly region: string;
  readonly service: string;
  /** Names of the signed headers, lower case. */
  readonly signed: readonly string[];
  /** Lower-case hex. */
  readonly signature: string;
  /** `20260102T030405Z` */
  readonly date: string;
  /** The hash of the body, or the word for how it is sent; empty when the body's own hash was signed. */
  readonly payload: string;
  readonly isPresigned: boolean;
}

const skewMs = 15 * 60_000;
const longestSeconds = 7 * 24 * 3_600;
const algorithm = 'AWS4-HMAC-SHA256';
const credential = String.raw`([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/aws4_request`;
const inHeader = new RegExp(
  String.raw`^${algorithm} Credential=${credential},\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$`,
);
const inQuery = new RegExp(`^${credential}$`);

/** The query keys of a presigned request that are about its signature. */
export const signatureKeys: readonly string[] = [
  'X-Amz-Algorithm',
  'X-Amz-Content-Sha256',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
];

/** `20260102T030405Z`, ms since the epoch. */
const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

/** Parses the signature; refuses an unsigned request, and one signed for another time. */
export function authorizationOf({ headers, url = '/' }: IncomingMessage, now: number): Authorization {
  const query = new Map(queryOf(partsOf(url)[1]));
  const isPresigned = query.has('X-Amz-Algorithm') || query.has('X-Amz-Signature');
  const payload = textOf(headers['x-amz-content-sha256']);
  if (isPresigned) {
    if (headers.authorization !== undefined)
      throw new Refusal(400, 'InvalidArgument', 'The request is signed in its header and in its query');
    return presigned(query, payload, now);
  }
  if (query.has('AWSAccessKeyId') || headers.authorization?.startsWith('AWS ') === true)
    throw new Refusal(400, 'InvalidRequest', `The signature must be one of ${algorithm}`);
  const found = partsIn(inHeader.exec(headers.authorization ?? ''));
  if (!found) throw refused.denied('the request is not signed');
  const date = textOf(headers['x-amz-date']);
  if (!(Math.abs(timeOf(date) - now) <= skewMs))
    throw new Refusal(403, 'RequestTimeTooSkewed', 'The time of the request differs too much from that of the cloud');
  return { ...found, date, payload, isPresigned };
}

function presigned(query: ReadonlyMap<string, string>, payload: string, now: number): Authorization {
  const valueOf = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  const seconds = Number(valueOf('Expires'));
  const match = inQuery.exec(valueOf('Credential'));
  const found = partsIn(match && [...match, valueOf('SignedHeaders'), valueOf('Signature')]);
  const date = valueOf('Date');
  const from = timeOf(date);
  const isWhole = found !== null && /^[0-9a-f]{64}$/.test(found.signature) && !Number.isNaN(from);
  if (!isWhole || valueOf('Algorithm') !== algorithm || !(seconds > 0 && seconds <= longestSeconds))
    throw new Refusal(400, 'AuthorizationQueryParametersError', 'The signature in the query is not complete');
  if (from > now + skewMs) throw refused.denied('the request is not valid yet');
  if (now > from + seconds * 1_000) throw refused.denied('the request has expired');
  const body = payload || valueOf('Content-Sha256') || 'UNSIGNED-PAYLOAD';
  return { ...found, date, payload: body, isPresigned: true };
}

function partsIn(match: readonly string[] | null) {
  if (match === null) return null;
  const [, accessKeyId = '', day = '', region = '', service = '', signed = '', signature = ''] = match;
  return { accessKeyId, day, region, service, signed: signed.split(';'), signature };
}
