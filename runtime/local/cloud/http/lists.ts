import type { ListedVersion } from '../listed.ts';
import type { ListRequest } from '../objectLists.ts';
import type { Line } from '../listed.ts';
import { encoded } from './address.ts';
import { type Answer, quoted, type S3Request, xmlAnswer } from './answer.ts';
import { countIn } from './count.ts';
import type { Xml } from './xml.ts';

/** Encodes keys as the caller requested: those that XML cannot contain need `encoding-type=url`. */
const keyWriter = ({ query }: S3Request): ((key: string) => string) =>
  query.get('encoding-type') === 'url' ? (key) => encoded(key).replaceAll('%2F', '/') : (key) => key;

const isoTime = (ms: number): string => new Date(ms).toISOString();

const sizeOf = (query: ReadonlyMap<string, string>, name: string): number =>
  Math.min(countIn(query, name, 1_000), 1_000);

const askedOf = ({ query }: S3Request, after: string | null, size: number): ListRequest => ({
  prefix: query.get('prefix') ?? '',
  delimiter: query.get('delimiter') ?? '',
  after,
  size,
});

const foldersOf = (items: readonly Line<unknown>[], write: (key: string) => string): readonly Xml[] =>
  items.filter(({ object }) => object === null).map(({ name }): Xml => ['CommonPrefixes', ['Prefix', write(name)]]);

/** The objects of a page, without folders. */
const objectsOf = <A>(items: readonly Line<A>[]): readonly A[] =>
  items.flatMap(({ object }) => (object === null ? [] : [object]));

export function listObjects(asked: S3Request): Answer {
  const { model, caller, bucket, query } = asked;
  const write = keyWriter(asked);
  const isNew = query.get('list-type') === '2';
  const withOwner = !isNew || query.get('fetch-owner') === 'true';
  const token = query.get('continuation-token');
  const from = token === undefined ? (query.get(isNew ? 'start-after' : 'marker') ?? null) : tokenText(token);
  const { items, isTruncated } = model.list(caller, bucket, askedOf(asked, from, sizeOf(query, 'max-keys')));
  const next = isTruncated ? items.at(-1)?.name : undefined;
  const objects = objectsOf(items).map((object): Xml => [
    'Contents',
    ['Key', write(object.key)],
    ['LastModified', isoTime(object.modified)],
    ['ETag', quoted(object.etag)],
    ['Size', String(object.size)],
    ['StorageClass', 'STANDARD'],
    ...(withOwner ? [['Owner', ['ID', caller.account]]] : []),
  ]);
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
    ...foldersOf(items, write),
  ]);
}

const tokenOf = (name: string): string => Buffer.from(name).toString('base64url');
const tokenText = (token: string): string => Buffer.from(token, 'base64url').toString();

/** The start of a list with two markers: after the whole key when no id is given. */
const bothAfter = (query: ReadonlyMap<string, string>, id: string): Pick<ListRequest, 'after' | 'afterId'> => ({
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
          ['ETag', quoted(etag)],
          ['Size', String(size)],
        ]),
  ];
  return xmlAnswer([
    'ListVersionsResult',
    ['Name', bucket],
    ['IsTruncated', String(isTruncated)],
    ...(isTruncated && last
      ? [
          ['NextKeyMarker', write(last.name)],
          ['NextVersionIdMarker', last.object?.id ?? ''],
        ]
      : []),
    ...objectsOf(items).map(version),
    ...foldersOf(items, write),
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
          ['NextKeyMarker', write(last.name)],
          ['NextUploadIdMarker', last.object?.id ?? ''],
        ]
      : []),
    ...objectsOf(items).map(({ key, id, startedAt }): Xml => [
      'Upload',
      ['Key', write(key)],
      ['UploadId', id],
      ['Initiated', isoTime(startedAt)],
    ]),
    ...foldersOf(items, write),
  ]);
}
