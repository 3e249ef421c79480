import { etagOf } from '../objects.ts';
import { Refusal } from '../refusal.ts';
import type { Part, Upload } from '../state.ts';
import { type Answer, quoted, type S3Request, versionHeader, xmlAnswer } from './answer.ts';
import {
  type Algorithm,
  algorithms,
  checksumElement,
  checksumHeader,
  compositeOf,
  type Digest,
  digestBy,
} from './checksums.ts';
import { checkTarget } from './conditions.ts';
import { countIn } from './count.ts';
import { withStored } from './objects.ts';
import { algorithmIn, checksumElements, checksumHeaders, keptHeaders } from './stored.ts';
import { elements, textIn } from './xml.ts';

const maxParts = 10_000;

export function partNumberOf({ query }: S3Request): number {
  const number = Number(query.get('partNumber'));
  if (!Number.isInteger(number) || number < 1 || number > maxParts)
    throw new Refusal(400, 'InvalidArgument', `The part number must be 1 to ${maxParts}`);
  return number;
}

const idOf = ({ query }: S3Request): string => query.get('uploadId') ?? '';

export function startUpload({ model, caller, bucket, key, headers }: S3Request): Answer {
  const algorithm = algorithmIn(headers);
  const type = headers['x-amz-checksum-type'] ?? (algorithm === 'crc64nvme' ? 'FULL_OBJECT' : 'COMPOSITE');
  const checksum = algorithm === null ? undefined : { algorithm, isComposite: type === 'COMPOSITE' };
  const id = model.startUpload(caller, { bucket, key }, keptHeaders(headers), checksum);
  return xmlAnswer(
    ['InitiateMultipartUploadResult', ['Bucket', bucket], ['Key', key], ['UploadId', id]],
    algorithm ? { 'x-amz-checksum-algorithm': algorithm.toUpperCase(), 'x-amz-checksum-type': type } : {},
  );
}

export async function putPart(asked: S3Request): Promise<Answer> {
  const { model, caller } = asked;
  const number = partNumberOf(asked);
  const { checksum } = model.openUpload(caller, asked, idOf(asked));
  const also = checksum ? [checksum.algorithm as Algorithm] : [];
  return withStored(asked, also, (part) => {
    model.putPart(caller, asked, idOf(asked), { number, part });
    const { 'x-amz-checksum-type': _, ...checksums } = checksumHeaders(part.checksums);
    return { status: 200, headers: { etag: quoted(part.etag), ...checksums } };
  });
}

export function abortUpload(asked: S3Request): Answer {
  asked.model.abortUpload(asked.caller, asked, idOf(asked));
  return { status: 204 };
}

export function listParts(asked: S3Request): Answer {
  const { model, caller, bucket, key, query } = asked;
  const { parts, checksum, startedAt } = model.upload(caller, asked, idOf(asked));
  const [after, size] = [countIn(query, 'part-number-marker', 0), Math.min(countIn(query, 'max-parts', 1_000), 1_000)];
  const following = [...parts].filter(([number]) => number > after).toSorted(([a], [b]) => a - b);
  const page = following.slice(0, size);
  return xmlAnswer([
    'ListPartsResult',
    ['Bucket', bucket],
    ['Key', key],
    ['UploadId', idOf(asked)],
    ['PartNumberMarker', String(after)],
    ['NextPartNumberMarker', String(page.at(-1)?.[0] ?? after)],
    ['MaxParts', String(size)],
    ['IsTruncated', String(page.length < following.length)],
    ['StorageClass', 'STANDARD'],
    ['Initiator', ['ID', caller.account]],
    ['Owner', ['ID', caller.account]],
    ...(checksum
      ? [
          ['ChecksumAlgorithm', checksum.algorithm.toUpperCase()],
          ['ChecksumType', checksum.isComposite ? 'COMPOSITE' : 'FULL_OBJECT'],
        ]
      : []),
    ...page.map(([number, part]) => [
      'Part',
      ['PartNumber', String(number)],
      ['LastModified', new Date(part.modified ?? startedAt).toISOString()],
      ['ETag', quoted(part.etag)],
      ['Size', String(part.size)],
      ...checksumElements(part.checksums),
    ]),
  ]);
}

export async function completeUpload(asked: S3Request, body: string): Promise<Answer> {
  const { model, caller, bodies, bucket, key, headers } = asked;
  const upload = model.openUpload(caller, asked, idOf(asked));
  const parts = partsIn(body, upload);
  const sums = checksumsOf(asked, upload, parts);
  const whole = await bodies.write(
    (async function* () {
      for (const part of parts)
        for await (const some of bodies.read(part.body)) {
          sums.update(some);
          yield some;
        }
    })(),
  );
  try {
    const size = headers['x-amz-mp-object-size'];
    if (size !== undefined && Number(size) !== whole.size)
      throw new Refusal(400, 'InvalidRequest', 'The object is not as long as the request says');
    checkTarget(asked);
    const etag = `${etagOf(Buffer.from(parts.map((part) => part.etag).join(''), 'hex'))}-${parts.length}`;
    const { id, checksums } = model.completeUpload(caller, asked, idOf(asked), {
      ...whole,
      etag,
      checksums: sums.checked(),
    });
    return xmlAnswer(
      [
        'CompleteMultipartUploadResult',
        ['Bucket', bucket],
        ['Key', key],
        ['ETag', quoted(etag)],
        ...checksumElements(checksums),
      ],
      versionHeader(id),
    );
  } catch (error) {
    await bodies.remove(whole.body);
    throw error;
  }
}

/** The parts of an object; each must match the request. */
function partsIn(body: string, { parts }: Upload): readonly Part[] {
  let last = 0;
  const found = elements(body, 'Part').map((element) => {
    const number = Number(textIn(element, 'PartNumber'));
    if (!(number > last)) throw new Refusal(400, 'InvalidPartOrder', 'The parts are not in ascending order');
    last = number;
    const part = parts.get(number);
    const isRight = (name: Algorithm) => {
      const told = textIn(element, checksumElement(name));
      return told === null || told === part?.checksums?.[name];
    };
    const etag = textIn(element, 'ETag')?.replaceAll('"', '');
    if (!part || (etag !== undefined && etag !== part.etag) || !algorithms.every(isRight))
      throw new Refusal(400, 'InvalidPart', `Part ${number} was not uploaded, or not as the request says`);
    return part;
  });
  if (found.length === 0) throw new Refusal(400, 'MalformedXML', 'The request names no part');
  return found;
}

/** The checksums of an object of parts, computed while reading. */
function checksumsOf({ headers }: S3Request, { checksum }: Upload, parts: readonly Part[]) {
  const told = new Map(algorithms.map((name) => [name, headers[checksumHeader(name)]] as const));
  const isWanted = (name: Algorithm) => told.get(name) !== undefined || checksum?.algorithm === name;
  const isComposite = (name: Algorithm) =>
    checksum?.algorithm === name ? checksum.isComposite : String(told.get(name)).includes('-');
  const wanted = algorithms.filter(isWanted);
  const digests = new Map<Algorithm, Digest>(
    wanted.filter((name) => !isComposite(name)).map((name) => [name, digestBy(name)]),
  );
  const valueOf = (name: Algorithm): string =>
    digests.get(name)?.base64() ??
    compositeOf(
      name,
      parts.map(({ checksums }) => checksums?.[name] ?? ''),
    );
  return {
    update: (bytes: Uint8Array): void => {
      for (const digest of digests.values()) digest.update(bytes);
    },
    /** By algorithm; refuses an object that does not match the request. */
    checked: (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        wanted.map((name) => {
          const [value, expected] = [valueOf(name), told.get(name)];
          // Clients leave out the number of parts in a composite checksum.
          if (expected !== undefined && expected !== value && `${String(expected)}-${parts.length}` !== value)
            throw new Refusal(400, 'BadDigest', `The ${checksumHeader(name)} of the request is not that of the object`);
          return [name, value];
        }),
      ),
  };
}
