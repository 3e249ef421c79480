import type { IncomingHttpHeaders } from 'node:http';
import { etagOf } from '../objects.ts';
import { Refusal } from '../refusal.ts';
import type { Version } from '../state.ts';
import { bodyOf, checkHash, objectBytes } from './body.ts';
import { type Answer, type S3Request, xmlAnswer } from './answer.ts';
import { elements, textIn, type Xml } from './xml.ts';

/** Requests about one object, by method and the words in the query. */
export async function objectRequest(asked: S3Request): Promise<Answer> {
  const { method = '' } = asked.request;
  const upload = asked.query.get('uploadId');
  if (method === 'PUT') return asked.query.has('partNumber') ? putPart(asked, upload ?? '') : putObject(asked);
  const body = (await bodyOf(asked.request, asked.signed)).toString();
  if (method === 'GET' || method === 'HEAD') return sendObject(asked);
  if (method === 'POST' && asked.query.has('uploads')) return startUpload(asked);
  if (method === 'POST' && upload !== undefined) return completeUpload(asked, upload, body);
  if (method !== 'DELETE') throw new Refusal(405, 'MethodNotAllowed', 'The method is not allowed here');
  if (upload !== undefined) asked.model.abortUpload(asked.caller, asked, upload);
  else asked.model.remove(asked.caller, asked, asked.query.get('versionId') ?? null);
  return { status: 204 };
}

const quoted = (etag: string): string => `"${etag}"`;

/** What is given back with an object. */
const keptHeaders = ({ 'content-type': type, 'content-encoding': encoding, ...others }: IncomingHttpHeaders) => ({
  ...(type === undefined ? {} : { 'content-type': type }),
  ...(encoding === undefined || encoding.startsWith('aws-chunked') ? {} : { 'content-encoding': encoding }),
  ...Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') && typeof value === 'string' ? [[name, value]] : [],
    ),
  ),
});

/** Bytes are kept before their signature can be checked, and removed again where it is wrong. */
async function written({ request, signed, bodies }: S3Request) {
  // An unsigned or chunked payload is not hashed as a whole: its headers alone are signed.
  const isWhole = !signed.payload.startsWith('STREAMING-') && signed.payload !== 'UNSIGNED-PAYLOAD';
  if (!isWhole) checkHash(signed, signed.payload);
  const stored = await bodies.write(objectBytes(request, signed));
  try {
    if (isWhole) checkHash(signed, stored.sha256);
  } catch (error) {
    await bodies.remove(stored.body);
    throw error;
  }
  return stored;
}

async function putObject(asked: S3Request): Promise<Answer> {
  const { model, caller, request, bodies, bucket, key } = asked;
  if (request.headers['x-amz-copy-source'] !== undefined)
    throw new Refusal(501, 'NotImplemented', 'Copies are not served here');
  const { body, size, etag } = await written(asked);
  try {
    checkConditions(asked);
    const headers = keptHeaders(request.headers);
    const { id } = model.put(caller, { bucket, key }, { body, size, etag, headers });
    return { status: 200, headers: { etag: quoted(etag), ...(id === 'null' ? {} : { 'x-amz-version-id': id }) } };
  } catch (error) {
    await bodies.remove(body);
    throw error;
  }
}

/** Whether what stands under the key is what the writer expects. */
function checkConditions({ request, model, bucket, key }: S3Request): void {
  const newest = model.state.buckets.get(bucket)?.versions.get(key)?.at(-1);
  const standing = newest === undefined || newest.body === null ? null : newest;
  const { 'if-none-match': none, 'if-match': match } = request.headers;
  const isRight =
    (none !== '*' || standing === null) && (match === undefined || quoted(standing?.etag ?? '') === match);
  if (!isRight) throw new Refusal(412, 'PreconditionFailed', 'Another object stands under the key');
}

async function putPart(asked: S3Request, upload: string): Promise<Answer> {
  const { model, caller, query, bodies } = asked;
  const { body, size, etag } = await written(asked);
  try {
    const number = Number(query.get('partNumber'));
    model.putPart(caller, asked, upload, { number, part: { body, size, etag } });
  } catch (error) {
    await bodies.remove(body);
    throw error;
  }
  return { status: 200, headers: { etag: quoted(etag) } };
}

function startUpload({ model, caller, bucket, key, request }: S3Request): Answer {
  const id = model.startUpload(caller, { bucket, key }, keptHeaders(request.headers));
  return xmlAnswer(['InitiateMultipartUploadResult', ['Bucket', bucket], ['Key', key], ['UploadId', id]]);
}

async function completeUpload(asked: S3Request, upload: string, body: string): Promise<Answer> {
  const { model, caller, bodies, bucket, key } = asked;
  const numbers = elements(body, 'Part').map((part) => Number(textIn(part, 'PartNumber')));
  const parts = model.partsOf(caller, asked, upload, numbers);
  const whole = await bodies.write(
    (async function* () {
      for (const part of parts) yield* bodies.read(part.body);
    })(),
  );
  const etag = `${etagOf(Buffer.from(parts.map((part) => part.etag).join(''), 'hex'))}-${parts.length}`;
  model.completeUpload(caller, asked, upload, { body: whole.body, size: whole.size, etag });
  return xmlAnswer(['CompleteMultipartUploadResult', ['Bucket', bucket], ['Key', key], ['ETag', quoted(etag)]]);
}

function sendObject({ model, caller, bucket, key, query, request, bodies }: S3Request): Answer {
  const version = model.read(caller, { bucket, key }, query.get('versionId') ?? null);
  const range = rangeOf(request.headers.range, version);
  return {
    status: range ? 206 : 200,
    headers: {
      ...version.headers,
      'content-length': range ? range.end - range.start + 1 : version.size,
      'last-modified': new Date(version.modified).toUTCString(),
      'accept-ranges': 'bytes',
      etag: quoted(version.etag),
      ...(version.id === 'null' ? {} : { 'x-amz-version-id': version.id }),
      ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${version.size}` } : {}),
    },
    ...(version.body === null || version.size === 0 || request.method === 'HEAD'
      ? {}
      : { body: bodies.read(version.body, range ?? undefined) }),
  };
}

function rangeOf(
  header: string | undefined,
  { size }: Version,
): { readonly start: number; readonly end: number } | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end) throw new Refusal(416, 'InvalidRange', 'The range is not within the object');
  return { start, end };
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
