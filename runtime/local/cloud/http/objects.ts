import { Refusal } from '../refusal.ts';
import type { Part, Version } from '../state.ts';
import { type Answer, quoted, type S3Request, versionHeader, xmlAnswer } from './answer.ts';
import type { Algorithm } from './checksums.ts';
import { checkTarget, isRangeOf, isUnchanged } from './conditions.ts';
import { payloadOf } from './payload.ts';
import { checksumHeaders, keptHeaders, overridden } from './stored.ts';
import { elements, textIn, type Xml } from './xml.ts';

/** Stores the bytes of a request, and removes them when they cannot be used. */
export async function withStored<A>(
  asked: S3Request,
  also: readonly Algorithm[],
  use: (stored: Omit<Part, 'modified'>) => A,
): Promise<A> {
  const { bytes, checksums } = payloadOf(asked, also);
  const stored = await asked.bodies.write(bytes);
  try {
    return use({ ...stored, checksums: Object.fromEntries(checksums) });
  } catch (error) {
    await asked.bodies.remove(stored.body);
    throw error;
  }
}

export function putObject(asked: S3Request): Promise<Answer> {
  const { model, caller, headers } = asked;
  return withStored(asked, [], (stored) => {
    checkTarget(asked);
    const { id, etag, checksums } = model.put(caller, asked, { ...stored, headers: keptHeaders(headers) });
    return { status: 200, headers: { etag: quoted(etag), ...versionHeader(id), ...checksumHeaders(checksums) } };
  });
}

export function getObject(asked: S3Request): Answer {
  const { model, caller, bucket, key, query, headers, request, bodies } = asked;
  const version = model.read(caller, { bucket, key }, query.get('versionId') ?? null);
  const told = {
    ...version.headers,
    'last-modified': new Date(version.modified).toUTCString(),
    'accept-ranges': 'bytes',
    etag: quoted(version.etag),
    ...versionHeader(version.id),
    ...overridden(query),
  };
  if (isUnchanged(asked, version)) return { status: 304, headers: told };
  const range = isRangeOf(asked, version) ? rangeOf(headers.range, version) : null;
  return {
    status: range ? 206 : 200,
    headers: {
      ...told,
      // The checksum of an object does not apply to a range.
      ...(range === null && headers['x-amz-checksum-mode'] !== undefined && checksumHeaders(version.checksums)),
      'content-length': range ? range.end - range.start + 1 : version.size,
      ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${version.size}` } : {}),
    },
    ...(version.body === null || version.size === 0 || request.method === 'HEAD'
      ? {}
      : { body: bodies.read(version.body, range ?? undefined) }),
  };
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The byte range of a header; null for all bytes. */
export function rangeOf(header: string | undefined, { size }: Pick<Version, 'size'>): Range | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end) throw new Refusal(416, 'InvalidRange', 'The range is not within the object');
  return { start, end };
}

export function deleteObject(asked: S3Request): Answer {
  if (asked.headers['if-match'] !== undefined) checkTarget(asked);
  asked.model.remove(asked.caller, asked, asked.query.get('versionId') ?? null);
  return { status: 204 };
}

/** Deletes each key on its own: refusals are listed in a response with status 200. */
export function deleteObjects({ model, caller, bucket }: S3Request, body: string): Answer {
  if (!model.state.buckets.has(bucket)) throw new Refusal(404, 'NoSuchBucket', 'The bucket does not exist');
  // oxlint-disable-next-line no-control-regex
  if (/&#x(?:[0-8bcef]|1[0-9a-f]);|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/i.test(body))
    throw new Refusal(400, 'MalformedXML', 'The XML has characters that XML cannot carry');
  const isQuiet = textIn(body, 'Quiet') === 'true';
  const told = elements(body, 'Object').flatMap((object): readonly Xml[] => {
    const key = textIn(object, 'Key') ?? '';
    try {
      model.remove(caller, { bucket, key }, textIn(object, 'VersionId'));
      return isQuiet ? [] : [['Deleted', ['Key', key]]];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return [['Error', ['Key', key], ['Code', error.code], ['Message', error.message]]];
    }
  });
  return xmlAnswer(['DeleteResult', ...told]);
}
