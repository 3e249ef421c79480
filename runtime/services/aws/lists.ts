import type { S3Client } from '@aws-sdk/client-s3';
import type { CloudAccount, CloudPage, CloudShape, CloudVersion, Listing } from '../cloud.ts';
import type { AwsClients, S3Sdk } from './clients.ts';
import { codeOf, statusIn, strangeAnswer } from './failure.ts';

/** Keys are encoded, because XML cannot contain every character. */
const encoded = { EncodingType: 'url' } as const;
const decoded = (text: string | undefined): string => decodeURIComponent((text ?? '').replaceAll('+', ' '));

/** Stops a list whose next page is the same page, which would never end. */
const onward = (next: string | null, from: string | null): string | null => (next === from ? null : next);

/** Joins the two markers of a list into one text. */
const pair = (key: string | undefined, id: string | undefined): string => JSON.stringify([decoded(key), id ?? '']);
const unpaired = (from: string): readonly [key: string, id: string] => JSON.parse(from) as [string, string];

const hasNoVersions = (error: unknown): boolean =>
  ['NotImplemented', 'MethodNotAllowed'].includes(codeOf(error)) || [405, 501].includes(statusIn(error) ?? 0);

interface List {
  readonly IsTruncated?: boolean | undefined;
  /** The bucket, in a list of objects or of uploads. */
  readonly Name?: string | undefined;
  readonly Bucket?: string | undefined;
}

/** The SDK reads a web page as an empty list, which would say that nothing is stored. */
async function listed<L extends List>(sent: Promise<L>): Promise<L> {
  const list = await sent;
  if (list.IsTruncated === undefined && list.Name === undefined && list.Bucket === undefined) throw strangeAnswer();
  return list;
}

type Lists = Pick<CloudShape, 'objects' | 'folders' | 'versions' | 'uploads'>;

/** Lists the contents of a bucket in pages of at most a thousand. */
export const awsLists = ({ s3 }: AwsClients): Lists => ({
  objects: (account, Bucket, { prefix, from }) =>
    s3(account, async ({ ListObjectsV2Command }, client, abortSignal) => {
      const given = { Bucket, Prefix: prefix, ...encoded, ...(from === null ? {} : { ContinuationToken: from }) };
      const answer = await listed(client.send(new ListObjectsV2Command(given), { abortSignal }));
      const items = (answer.Contents ?? []).map(({ Key, Size, LastModified }) => ({
        key: decoded(Key),
        size: Size ?? 0,
        modified: LastModified?.getTime() ?? 0,
      }));
      return { items, next: onward(answer.NextContinuationToken ?? null, from) };
    }),

  folders: (account, Bucket, { prefix, from }) =>
    s3(account, async ({ ListObjectsV2Command }, client, abortSignal) => {
      const where = { Bucket, Prefix: prefix, Delimiter: '/', ...encoded };
      const given = { ...where, ...(from === null ? {} : { ContinuationToken: from }) };
      const answer = await listed(client.send(new ListObjectsV2Command(given), { abortSignal }));
      const items = (answer.CommonPrefixes ?? []).map(({ Prefix }) => decoded(Prefix));
      return { items, next: onward(answer.NextContinuationToken ?? null, from) };
    }),

  versions: (account, Bucket, listing) =>
    s3(account, async (sdk, client, abortSignal) => {
      const bound: Bound = { sdk, client, abortSignal, Bucket };
      if (listing.from?.startsWith(plainly) !== true)
        try {
          return await everyVersion(bound, listing);
        } catch (error) {
          if (!hasNoVersions(error)) throw error;
        }
      return plainVersions(bound, listing);
    }),

  uploads: (account: CloudAccount, Bucket, { prefix, from }) =>
    s3(account, async ({ ListMultipartUploadsCommand }, client, abortSignal) => {
      const [KeyMarker, UploadIdMarker] = from === null ? [] : unpaired(from);
      const given = { Bucket, Prefix: prefix, ...encoded, ...marked({ KeyMarker, UploadIdMarker }) };
      const answer = await listed(client.send(new ListMultipartUploadsCommand(given), { abortSignal }));
      const items = (answer.Uploads ?? []).map(({ Key, UploadId }) => ({ key: decoded(Key), upload: UploadId ?? '' }));
      const next = answer.IsTruncated === true ? pair(answer.NextKeyMarker, answer.NextUploadIdMarker) : null;
      return { items, next: onward(next, from) };
    }),
});

interface Bound {
  readonly sdk: S3Sdk;
  readonly client: S3Client;
  readonly abortSignal: AbortSignal;
  readonly Bucket: string;
}

/** Leaves out empty markers, which stores refuse. */
const marked = <Name extends string>(markers: Readonly<Record<Name, string | undefined>>) =>
  Object.fromEntries(Object.entries(markers).filter(([, value]) => value !== undefined && value !== '')) as Partial<
    Record<Name, string>
  >;

async function everyVersion(
  { sdk, client, abortSignal, Bucket }: Bound,
  { prefix, from }: Listing,
): Promise<CloudPage<CloudVersion>> {
  const [KeyMarker, VersionIdMarker] = from === null ? [] : unpaired(from);
  const given = { Bucket, Prefix: prefix, ...encoded, ...marked({ KeyMarker, VersionIdMarker }) };
  const answer = await listed(client.send(new sdk.ListObjectVersionsCommand(given), { abortSignal }));
  const items = [...(answer.Versions ?? []), ...(answer.DeleteMarkers ?? [])].map(({ Key, VersionId }) => ({
    key: decoded(Key),
    version: VersionId ?? null,
  }));
  const next = answer.IsTruncated === true ? pair(answer.NextKeyMarker, answer.NextVersionIdMarker) : null;
  return { items, next: onward(next, from) };
}

/** Prefixes the marker of a plain list, so that its next page requests no versions either. */
const plainly = 'objects:';

async function plainVersions(
  { sdk, client, abortSignal, Bucket }: Bound,
  { prefix, from }: Listing,
): Promise<CloudPage<CloudVersion>> {
  const token = from?.startsWith(plainly) === true ? from.slice(plainly.length) : null;
  const given = { Bucket, Prefix: prefix, ...encoded, ...(token === null ? {} : { ContinuationToken: token }) };
  const answer = await listed(client.send(new sdk.ListObjectsV2Command(given), { abortSignal }));
  const next = onward(answer.NextContinuationToken ?? null, token);
  return {
    items: (answer.Contents ?? []).map(({ Key }) => ({ key: decoded(Key), version: null })),
    next: next === null ? null : `${plainly}${next}`,
  };
}
