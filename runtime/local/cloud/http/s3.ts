import type { IncomingHttpHeaders } from 'node:http';
import { refused } from '../refusal.ts';
import { type Answer, type S3Request } from './answer.ts';
import { partsOf, placeIn, queryOf } from './address.ts';
import { signatureKeys } from './authorization.ts';
import { bodyOf } from './body.ts';
import { operationOf, refuseUnknown, refuseUnknownElements } from './known.ts';

/** Parses the part of a request that does not depend on its body. */
export function s3Request(given: Pick<S3Request, 'model' | 'bodies' | 'request' | 'signed'>): S3Request {
  const { url = '/', headers } = given.request;
  const [path, query] = partsOf(url);
  return {
    ...given,
    caller: given.signed.key,
    ...placeIn(path),
    ...(given.signed.isPresigned ? unsignedParts(query, headers) : { query: new Map(queryOf(query)), headers }),
  };
}

/** A presigned request has its headers in the query. */
function unsignedParts(text: string, sent: IncomingHttpHeaders): Pick<S3Request, 'query' | 'headers'> {
  const query = new Map<string, string>();
  const headers: Record<string, string> = {};
  for (const [name, value] of queryOf(text)) {
    const lower = name.toLowerCase();
    if (signatureKeys.includes(name) || isOfNothing(lower)) continue;
    if (lower.startsWith('x-amz-')) headers[lower] = value;
    else query.set(name, value);
  }
  return { query, headers: { ...headers, ...sent } };
}

/** SDKs presign the checksum of an empty body: S3 checks only those in headers and trailers. */
const isOfNothing = (name: string): boolean =>
  name.startsWith('x-amz-checksum-') || name === 'x-amz-sdk-checksum-algorithm';

/** Performs the operations of the table, and refuses others before anything is changed. */
export async function answerS3(asked: S3Request): Promise<Answer> {
  const operation = operationOf(asked);
  refuseUnknown(operation, asked);
  refuseOtherOwner(asked);
  if (operation.takesBytes) return operation.answer(asked, '');
  const headers = operation.isOfObject ? withoutChecksums(asked.headers) : asked.headers;
  const body = await bodyOf({ ...asked, headers });
  refuseUnknownElements(operation, body);
  return operation.answer(asked, body);
}

const withoutChecksums = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-')));

function refuseOtherOwner({ model, bucket, headers }: S3Request): void {
  const expected = headers['x-amz-expected-bucket-owner'];
  const owner = model.state.buckets.get(bucket)?.account;
  if (expected !== undefined && owner !== undefined && owner !== expected)
    throw refused.denied('the bucket has another owner');
}
