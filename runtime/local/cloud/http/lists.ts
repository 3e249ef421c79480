import type { ListedVersion } from '../listed.ts';
import type { Asked } from '../objects.ts';
import { Refusal } from '../refusal.ts';
import { type Answer, type S3Request, xmlAnswer } from './answer.ts';
import { encoded } from './signature.ts';
import type { Xml } from './xml.ts';

/** Keys as the caller can read them: those that XML cannot carry need `encoding-type=url`. */
const keyWriter = ({ query }: S3Request): ((key: string) => string) =>
  query.get('encoding-type') === 'url' ? (key) => encoded(key).replaceAll('%2F', '/') : (key) => key;

const isoTime = (ms: number): string => new Date(ms).toISOString();

function sizeOf(query: ReadonlyMap<string, string>, name: string): number {
  const size = Number(query.get(name) ?? '1000');
  if (!Number.isSafeInteger(size) || size < 0) throw new Refusal(400, 'InvalidArgument', `${name} is no number`);
  return Math.min(size, 1_000);
}

const askedOf = ({ query }: S3Request, after: string | null, size: number): Asked => ({
  prefix: query.get('prefix') ?? '',
  delimiter: query.get('delimiter') ?? '',
  after,
  size,
});

export function listObjects(asked: S3Request): Answer {
  const { model, caller, bucket, query } = asked;
  const write = keyWriter(asked);
  const isNew = query.get('list-type') === '2';
  const token = query.get('continuation-token');
  const from = token === undefined ? (query.get(isNew ? 'start-after' : 'marker') ?? null) : tokenText(token);
  const { items, isTruncated } = model.list(caller, bucket, askedOf(asked, from, sizeOf(query, 'max-keys')));
  const next = isTruncated ? items.at(-1)?.name : undefined;
  const objects = items.flatMap(({ object }): readonly Xml[] =>
    object === null
      ? []
      : [
          [
            'Contents',
            ['Key', write(object.key)],
            ['LastModified', isoTime(object.modified)],
            ['ETag', `"${object.etag}"`],
            ['Size', String(object.size)],
            ['StorageClass', 'STANDARD'],
          ],
        ],
  );
  const folders = items
    .filter(({ object }) => object === null)
    .map(({ name }): Xml => ['CommonPrefixes', ['Prefix', write(name)]]);
  return xmlAnswer([
    'ListBucketResult',
    ['Name', bucket],
    ['Prefix', write(query.get('prefix') ?? '')],
    ['KeyCount', String(items.length)],
    ['MaxKeys', String(sizeOf(query, 'max-keys'))],
    ...(query.has('encoding-type') ? [['EncodingType', 'url']] : []),
    ['IsTruncated', String(isTruncated)],
    ...(next === undefined ? [] : [isNew ? ['NextContinuationToken', tokenOf(next)] : ['NextMarker', write(next)]]),
    ...objects,
    ...folders,
  ]);
}

const tokenOf = (name: string): string => Buffer.from(name).toString('base64url');
const tokenText = (token: string): string => Buffer.from(token, 'base64url').toString();

/** Where a list begins that has two markers: behind the whole key where no id is named. */
const bothAfter = (query: ReadonlyMap<string, string>, id: string): Pick<Asked, 'after' | 'afterId'> => ({
  after: query.get('key-marker') || null,
  afterId: query.get(id) || null,
});

export function listVersions(asked: S3Request): Answer {
  const { model, caller, bucket, query } = asked;
  const write = keyWriter(asked);
  const given = { ...askedOf(asked, null, sizeOf(query, 'max-keys')), ...bothAfter(query, 'version-id-marker') };
  const { items, isTruncated } = model.listVersions(caller, bucket, given);
  const last = items.at(-1);
  const version = ({ key, id, isLatest, modified, etag, size, body }: ListedVersion): Xml => [
    body === null ? 'DeleteMarker' : 'Version',
    ['Key', write(key)],
    ['VersionId', id],
    ['IsLatest', String(isLatest)],
    ['LastModified', isoTime(modified)],
    ...(body === null
      ? []
      : [
          ['ETag', `"${etag}"`],
          ['Size', String(size)],
        ]),
  ];
  return xmlAnswer([
    'ListVersionsResult',
    ['Name', bucket],
    ['IsTruncated', String(isTruncated)],
    ...(isTruncated && last
      ? [
          ['NextKeyMarker', write(last.key)],
          ['NextVersionIdMarker', last.id],
        ]
      : []),
    ...items.map(version),
  ]);
}

export function listUploads(asked: S3Request): Answer {
  const { model, caller, bucket, query } = asked;
  const write = keyWriter(asked);
  const given = { ...askedOf(asked, null, sizeOf(query, 'max-uploads')), ...bothAfter(query, 'upload-id-marker') };
  const { items, isTruncated } = model.listUploads(caller, bucket, given);
  const last = items.at(-1);
  return xmlAnswer([
    'ListMultipartUploadsResult',
    ['Bucket', bucket],
    ['IsTruncated', String(isTruncated)],
    ...(isTruncated && last
      ? [
          ['NextKeyMarker', write(last.key)],
          ['NextUploadIdMarker', last.id],
        ]
      : []),
    ...items.map(({ key, id, startedAt }): Xml => [
      'Upload',
      ['Key', write(key)],
      ['UploadId', id],
      ['Initiated', isoTime(startedAt)],
    ]),
  ]);
}
