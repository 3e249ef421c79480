import { createHash } from 'node:crypto';
import { bucketFor, noVersions } from './buckets.ts';
import {
  byBytes,
  currentObjects,
  everyVersion,
  levelOf,
  type ListedObject,
  type ListedVersion,
  type Page,
  pageOf,
  uploadsUnder,
} from './listed.ts';
import type { Within } from './model.ts';
import { authorize, objectArn } from './policy.ts';
import { refused, Refusal } from './refusal.ts';
import { type CloudBucket, type Key, onlyVersion, type Part, type Upload, type Version } from './state.ts';

/** Bytes that are stored already, and what stands in the headers beside them. */
export interface Stored extends Part {
  readonly headers: Readonly<Record<string, string>>;
}

/** An object of a bucket, by name. */
export interface Place {
  readonly bucket: string;
  readonly key: string;
}

/** What a list is asked for: pages begin after a name, for versions and uploads also after an id. */
export interface Asked {
  readonly prefix: string;
  readonly delimiter?: string;
  readonly after: string | null;
  readonly afterId?: string | null;
  readonly size?: number;
}

const defaultPageSize = 1_000;

export function objectsIn(within: Within) {
  const { state, change, options } = within;
  const sizeOf = ({ size }: Asked) => Math.min(size ?? defaultPageSize, options.pageSize ?? defaultPageSize);
  const bucketOf = (caller: Key, { bucket, key }: Place, action: string): CloudBucket => {
    authorize(state, caller, action, objectArn(bucket, key));
    const found = state.buckets.get(bucket);
    if (!found) throw refused.noBucket(bucket);
    if (found.account !== caller.account) throw refused.denied(action);
    return found;
  };
  const uploadOf = (caller: Key, place: Place, id: string): Upload => {
    const upload = bucketOf(caller, place, 's3:PutObject').uploads.get(id);
    if (upload?.key !== place.key) throw refused.noUpload();
    return upload;
  };
  const putVersion = ({ name, versioned }: CloudBucket, key: string, version: Omit<Version, 'id' | 'modified'>) => {
    const id = versioned ? options.random(32) : onlyVersion;
    const put: Version = { ...version, id, modified: options.now() };
    change({ is: 'put', bucket: name, key, version: put });
    return put;
  };

  return {
    list: (caller: Key, name: string, asked: Asked): Page<{ name: string; object: ListedObject | null }> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucket');
      const level = levelOf(currentObjects(bucket, asked.prefix), asked.prefix, asked.delimiter ?? '');
      return pageOf(afterName(level, asked), sizeOf(asked));
    },

    listVersions: (caller: Key, name: string, asked: Asked): Page<ListedVersion> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucketVersions');
      if (options.withoutVersions === true) throw noVersions();
      return pageOf(afterBoth(everyVersion(bucket, asked.prefix), asked), sizeOf(asked));
    },

    listUploads: (caller: Key, name: string, asked: Asked): Page<Upload> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucketMultipartUploads');
      return pageOf(afterBoth(uploadsUnder(bucket, asked.prefix), asked), sizeOf(asked));
    },

    /** The version of an object, the newest unless one is named. */
    read: (caller: Key, place: Place, id: string | null): Version => {
      const bucket = bucketOf(caller, place, id === null ? 's3:GetObject' : 's3:GetObjectVersion');
      const versions = bucket.versions.get(place.key) ?? [];
      const found = id === null ? versions.at(-1) : versions.find((one) => one.id === id);
      if (!found || found.body === null) throw refused.noKey();
      return found;
    },

    put: (caller: Key, place: Place, { body, size, etag, headers }: Stored): Version =>
      putVersion(bucketOf(caller, place, 's3:PutObject'), place.key, { body, size, etag, headers }),

    /** Removes one version for good, or without a version what is current: in a versioned bucket by a marker. */
    remove: (caller: Key, place: Place, id: string | null): void => {
      const bucket = bucketOf(caller, place, id === null ? 's3:DeleteObject' : 's3:DeleteObjectVersion');
      const versions = bucket.versions.get(place.key) ?? [];
      if (id === null && bucket.versioned) {
        putVersion(bucket, place.key, { body: null, size: 0, etag: '', headers: {} });
        return;
      }
      const gone = id ?? onlyVersion;
      if (versions.some((one) => one.id === gone))
        change({ is: 'versionRemoved', bucket: place.bucket, key: place.key, id: gone });
    },

    startUpload: (caller: Key, place: Place, headers: Stored['headers']): string => {
      bucketOf(caller, place, 's3:PutObject');
      const id = options.random(32);
      const { bucket, key } = place;
      change({ is: 'uploadStarted', bucket, upload: { id, key, startedAt: options.now(), headers } });
      return id;
    },

    putPart: (
      caller: Key,
      place: Place,
      id: string,
      numbered: { readonly number: number; readonly part: Part },
    ): void => {
      uploadOf(caller, place, id);
      change({ is: 'partPut', bucket: place.bucket, upload: id, ...numbered });
    },

    /** The parts of an upload in the order that the caller names them. */
    partsOf: (caller: Key, place: Place, id: string, numbers: readonly number[]): readonly Part[] => {
      const { parts } = uploadOf(caller, place, id);
      return numbers.map((number) => {
        const part = parts.get(number);
        if (!part) throw new Refusal(400, 'InvalidPart', 'A part of the upload could not be found');
        return part;
      });
    },

    completeUpload: (caller: Key, place: Place, id: string, whole: Part): Version => {
      const { headers } = uploadOf(caller, place, id);
      const version = putVersion(bucketOf(caller, place, 's3:PutObject'), place.key, { ...whole, headers });
      change({ is: 'uploadEnded', bucket: place.bucket, upload: id });
      return version;
    },

    abortUpload: (caller: Key, place: Place, id: string): void => {
      const bucket = bucketOf(caller, place, 's3:AbortMultipartUpload');
      if (bucket.uploads.get(id)?.key !== place.key) throw refused.noUpload();
      change({ is: 'uploadEnded', bucket: place.bucket, upload: id });
    },
  };
}

function* afterName<A extends { readonly name: string }>(items: Iterable<A>, { after }: Asked): Generator<A> {
  for (const item of items) if (after === null || byBytes(item.name, after) > 0) yield item;
}

/** What follows a key, and of that key itself what follows an id. */
function* afterBoth<A extends { readonly key: string; readonly id: string }>(
  items: Iterable<A>,
  { after, afterId }: Asked,
): Generator<A> {
  let isPast = after === null;
  for (const item of items) {
    isPast ||= byBytes(item.key, after ?? '') > 0;
    if (isPast) yield item;
    isPast ||= item.key === after && item.id === afterId;
  }
}

/** The etag of bytes, as S3 has it. */
export const etagOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
