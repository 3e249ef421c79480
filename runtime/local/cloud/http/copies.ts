import { Refusal } from '../refusal.ts';
import type { Part, Version } from '../state.ts';
import { type Answer, quoted, type S3Request, versionHeader, xmlAnswer } from './answer.ts';
import { decoded, partsOf, placeIn, queryOf } from './address.ts';
import { type Algorithm, digestBy } from './checksums.ts';
import { checkSource, checkTarget } from './conditions.ts';
import { type Range, rangeOf } from './objects.ts';
import { algorithmIn, checksumElements, keptHeaders } from './stored.ts';
import { partNumberOf } from './uploads.ts';

interface Source {
  readonly bucket: string;
  readonly key: string;
  readonly id: string | null;
  readonly version: Version;
}

/** The object that a header names, `[/]<bucket>/<key>[?versionId=<id>]`. */
function sourceOf(asked: S3Request): Source {
  const { model, caller, headers } = asked;
  const [path, query] = partsOf(String(headers['x-amz-copy-source']));
  // Some clients encode the slashes, too.
  const { bucket, key } = path.includes('/') ? placeIn(path) : placeIn(encodeURI(decoded(path)));
  if (key === '') throw new Refusal(400, 'InvalidArgument', 'The copy source must be a bucket and a key');
  const others = queryOf(query).filter(([name]) => name !== 'versionId');
  if (others.length > 0) throw new Refusal(400, 'InvalidArgument', 'The query of the copy source is not versionId');
  const id = new Map(queryOf(query)).get('versionId') ?? null;
  const version = model.read(caller, { bucket, key }, id);
  const owner = headers['x-amz-source-expected-bucket-owner'];
  if (owner !== undefined && model.state.buckets.get(bucket)?.account !== owner)
    throw new Refusal(403, 'AccessDenied', 'The source has another owner');
  checkSource(asked, version);
  return { bucket, key, id, version };
}

/** Stores a copy of the bytes of a source, and removes it when it cannot be used. */
async function withCopied<A>(
  { bodies }: S3Request,
  {
    version,
    range,
    algorithm,
  }: { readonly version: Version; readonly range: Range | null; readonly algorithm: Algorithm | null },
  use: (stored: Omit<Part, 'modified'>) => A,
): Promise<A> {
  const digest = algorithm && digestBy(algorithm);
  const stored = await bodies.write(
    (async function* () {
      if (version.body === null || version.size === 0) return;
      for await (const some of bodies.read(version.body, range ?? undefined)) {
        digest?.update(some);
        yield some;
      }
    })(),
  );
  try {
    return use({ ...stored, checksums: algorithm && digest ? { [algorithm]: digest.base64() } : {} });
  } catch (error) {
    await bodies.remove(stored.body);
    throw error;
  }
}

export function copyObject(asked: S3Request): Promise<Answer> {
  const { model, caller, headers, bucket, key } = asked;
  const source = sourceOf(asked);
  const { version } = source;
  const isReplaced = headers['x-amz-metadata-directive'] === 'REPLACE';
  if (source.bucket === bucket && source.key === key && source.id === null && !isReplaced)
    throw new Refusal(400, 'InvalidRequest', 'An object is copied onto itself with nothing changed');
  return withCopied(asked, { version, range: null, algorithm: algorithmIn(headers) }, (stored) => {
    checkTarget(asked);
    const { id, etag, modified, checksums } = model.put(caller, asked, {
      ...stored,
      checksums: { ...fullOnes(version), ...stored.checksums },
      headers: isReplaced ? keptHeaders(headers) : version.headers,
    });
    const told = { ...versionHeader(id), ...versionHeader(version.id, 'x-amz-copy-source-version-id') };
    return xmlAnswer(
      [
        'CopyObjectResult',
        ['LastModified', new Date(modified).toISOString()],
        ['ETag', quoted(etag)],
        ...checksumElements(checksums),
      ],
      told,
    );
  });
}

/** The checksums of the whole bytes, independent of parts. */
const fullOnes = ({ checksums = {} }: Version) =>
  Object.fromEntries(Object.entries(checksums).filter(([, value]) => !value.includes('-')));

export function copyPart(asked: S3Request): Promise<Answer> {
  const { model, caller, query, headers } = asked;
  const number = partNumberOf(asked);
  const upload = query.get('uploadId') ?? '';
  const algorithm = (model.openUpload(caller, asked, upload).checksum?.algorithm ?? null) as Algorithm | null;
  const { version } = sourceOf(asked);
  const header = headers['x-amz-copy-source-range'];
  const range = header === undefined ? null : rangeOf(String(header), version);
  if (header !== undefined && range === null)
    throw new Refusal(400, 'InvalidArgument', 'The range of the copy source must be bytes=<first>-<last>');
  return withCopied(asked, { version, range, algorithm }, (part) => {
    const modified = model.putPart(caller, asked, upload, { number, part });
    return xmlAnswer(
      [
        'CopyPartResult',
        ['LastModified', new Date(modified).toISOString()],
        ['ETag', quoted(part.etag)],
        ...checksumElements(part.checksums),
      ],
      versionHeader(version.id, 'x-amz-copy-source-version-id'),
    );
  });
}
