import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { type Algorithm, algorithms, checksumElement, checksumHeader } from './checksums.ts';
import type { Xml } from './xml.ts';

type Checksums = Readonly<Record<string, string>>;

/** Headers that are returned with an object as they were sent. */
const asSent = ['content-type', 'cache-control', 'content-disposition', 'content-language', 'expires'];

export function keptHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  // The transfer encoding is not stored.
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'aws-chunked')
    .join(',');
  const kept = Object.entries(headers).filter(
    (one): one is [string, string] =>
      typeof one[1] === 'string' && (asSent.includes(one[0]) || one[0].startsWith('x-amz-meta-')),
  );
  return { ...Object.fromEntries(kept), ...(encoding === '' ? {} : { 'content-encoding': encoding }) };
}

/** Query keys that override the headers of an object. */
const overrides = [...asSent, 'content-encoding'].map((name) => [`response-${name}`, name] as const);
export const overrideKeys: readonly string[] = overrides.map(([key]) => key);
export const overridden = (query: ReadonlyMap<string, string>): OutgoingHttpHeaders =>
  Object.fromEntries(
    overrides.flatMap(([key, name]) => {
      const value = query.get(key);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The algorithm that a header names; null when it names none. */
export function algorithmIn(headers: IncomingHttpHeaders): Algorithm | null {
  const named = headers['x-amz-checksum-algorithm'];
  return algorithms.find((one) => one.toUpperCase() === named) ?? null;
}

const isComposite = (checksums: Checksums): boolean => Object.values(checksums).some((one) => one.includes('-'));

/** Stored checksums as response headers. */
export const checksumHeaders = (checksums: Checksums = {}): OutgoingHttpHeaders =>
  Object.keys(checksums).length === 0
    ? {}
    : {
        ...Object.fromEntries(
          Object.entries(checksums).map(([name, value]) => [checksumHeader(name as Algorithm), value]),
        ),
        'x-amz-checksum-type': isComposite(checksums) ? 'COMPOSITE' : 'FULL_OBJECT',
      };

/** Stored checksums as response elements. */
export const checksumElements = (checksums: Checksums = {}): readonly Xml[] =>
  Object.entries(checksums).map(([name, value]) => [checksumElement(name), value]);
