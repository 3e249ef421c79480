import { refused } from '../refusal.ts';
import type { S3Request } from './answer.ts';
import { algorithms, checksumHeader } from './checksums.ts';
import { type Operation, operations } from './operations.ts';

/** Headers of any request: authentication, encoding and content of the body. */
const everywhere = [
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-expected-bucket-owner',
  'x-amz-request-payer',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
  'x-amz-user-agent',
  ...algorithms.map(checksumHeader),
];
/** HTTP headers of conditional requests. */
const conditional = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

/** The accepted values of query keys and headers; others accept all. */
const values: Readonly<Record<string, readonly string[]>> = {
  'encoding-type': ['url'],
  'fetch-owner': ['true', 'false'],
  'list-type': ['2'],
  'x-amz-acl': ['private'],
  'x-amz-bucket-object-lock-enabled': ['false', 'False'],
  'x-amz-checksum-algorithm': algorithms.map((name) => name.toUpperCase()),
  'x-amz-checksum-mode': ['ENABLED'],
  'x-amz-checksum-type': ['COMPOSITE', 'FULL_OBJECT'],
  'x-amz-metadata-directive': ['COPY', 'REPLACE'],
  'x-amz-object-ownership': ['BucketOwnerEnforced'],
  'x-amz-request-payer': ['requester'],
  'x-amz-storage-class': ['STANDARD'],
  'x-amz-tagging-directive': ['COPY'],
};

/** The operation of a request, by its method, its address and its selectors. */
export function operationOf({ request, bucket, key, query, headers }: S3Request): Operation {
  const on = `${request.method ?? ''} ${key !== '' ? 'object' : bucket === '' ? 'account' : 'bucket'}`;
  const isThere = (name: string) => query.has(name) || (name.startsWith('x-amz-') && headers[name] !== undefined);
  const found = operations.find((one) => one.on === on && (one.selectedBy ?? []).every(isThere));
  if (!found) throw refused.notServed(`${on} with the query keys ${[...query.keys()].join(', ') || '(none)'}`);
  return found;
}

/** Refuses a request with a query key, a header or a value that its operation does not support. */
export function refuseUnknown(operation: Operation, { query, headers, request }: S3Request): void {
  const { name, selectedBy = [] } = operation;
  const refuse = (what: string) => refused.notServed(`${what} with ${name}`);
  if (isNamedByHost(request.headers.host)) throw refuse('a bucket in the name of the host');
  for (const [key, value] of query) {
    const isKnown = key === 'x-id' ? value === name : [...selectedBy, ...(operation.keys ?? [])].includes(key);
    if (!isKnown || !serves(key, value)) throw refuse(`the query key ${key}=${value}`);
  }
  const known = [...everywhere, ...selectedBy, ...(operation.headers ?? [])];
  const knows = (header: string) => known.some((one) => (one.endsWith('-') ? header.startsWith(one) : header === one));
  for (const [header, value] of Object.entries(headers))
    if ((header.startsWith('x-amz-') || conditional.includes(header)) && !(knows(header) && serves(header, value)))
      throw refuse(`the header ${header}: ${String(value)}`);
}

const serves = (name: string, value: string | string[] | undefined): boolean =>
  values[name]?.includes(String(value)) ?? true;

/** Whether the bucket is in the host name, as SDKs send it by default. */
const isNamedByHost = (host = ''): boolean => /.\.localhost(?::\d+)?$/i.test(host);

/** Refuses a body of XML with an element that its operation does not support. */
export function refuseUnknownElements({ name, elements }: Operation, body: string): void {
  if (elements === undefined) return;
  for (const [, element = ''] of body.matchAll(/<([A-Za-z][\w.:-]*)/g))
    if (!elements.includes(element)) throw refused.notServed(`the element ${element} with ${name}`);
}
