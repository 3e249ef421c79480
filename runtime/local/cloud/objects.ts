import { createHash } from 'node:crypto';
import { bucketFor, noVersions } from './buckets.ts';
import {
  type After,
  currentObjects,
  everyVersion,
  levelOf,
  type Line,
  linesAfter,
  type ListedObject,
  type ListedVersion,
  type Page,
  pageOf,
  uploadsUnder,
} from './listed.ts';
import type { Within } from './within.ts';
import { authorize, objectArn } from './policy.ts';
import { refused } from './refusal.ts';
import { type CloudBucket, type Key, onlyVersion, type Part, type Upload, type Version } from './state.ts';

/** Bytes that are stored already, and what stands in the headers beside them. */
export interface Stored extends Omit<Part, 'modified'> {
  readonly headers: Readonly<Record<string, string>>;
}

/** An object of a bucket, by name. */
export interface Place {
  readonly bucket: string;
  readonly key: string;
}

/** What a list is asked for: pages begin after a name, for versions and uploads also after an id. */
export interface Asked extends After {
  readonly prefix: string;
  readonly delimiter?: string;
  readonly size?: number;
}

const defaultPageSize = 1_000;

export function objectsIn(within: Within) {
  const { state, change, options } = within;
  const linesOf = <A extends { readonly key: string; readonly id: string }>(items: Iterable<A>, asked: Asked) =>
    pageOf(
      linesAfter(levelOf(items, asked.prefix, asked.delimiter ?? ''), asked),
      Math.min(asked.size ?? defaultPageSize, options.pageSize ?? defaultPageSize),
    );
  const bucketOf = (caller: Key, { bucket, key }: Place, action: string): CloudBucket => {
    authorize(state, caller, action, objectArn(bucket, key));
    const found = state.buckets.get(bucket);
    if (!found) throw refused.noBucket(bucket);
    if (found.account !== caller.account) throw refused.denied(action);
    return found;
  };
  const uploadOf = (caller: Key, place: Place, id: string, action = 's3:PutObject'): Upload => {
    const upload = bucketOf(caller, place, action).uploads.get(id);
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
    list: (caller: Key, name: string, asked: Asked): Page<Line<ListedObject>> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucket');
      return linesOf(currentObjects(bucket, asked.prefix), asked);
    },

    listVersions: (caller: Key, name: string, asked: Asked): Page<Line<ListedVersion>> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucketVersions');
      if (options.withoutVersions === true) throw noVersions();
      return linesOf(everyVersion(bucket, asked.prefix), asked);
    },

    listUploads: (caller: Key, name: string, asked: Asked): Page<Line<Upload>> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucketMultipartUploads');
      return linesOf(uploadsUnder(bucket, asked.prefix), asked);
    },

    /** The version of an object, the newest unless one is named. */
    read: (caller: Key, place: Place, id: string | null): Version => {
      const bucket = bucketOf(caller, place, id === null ? 's3:GetObject' : 's3:GetObjectVersion');
      const versions = bucket.versions.get(place.key) ?? [];
      const found = id === null ? versions.at(-1) : versions.find((one) => one.id === id);
      if (!found || found.body === null) throw refused.noKey();
      return found;
    },

    put: (caller: Key, place: Place, { body, size, etag, headers, checksums }: Stored): Version => {
      const version = { body, size, etag, headers, ...(checksums && { checksums }) };
      return putVersion(bucketOf(caller, place, 's3:PutObject'), place.key, version);
    },

    /** Removes one version for good, or without a version what is current: in a versioned bucket by a marker. */
    remove: (caller: Key, place: Place, id: string | null): void => {
      const bucket = bucketOf(caller, place, id === null ? 's3:DeleteObject' : 's3:DeleteObjectVersion');
      const versions = bucket.versions.get(place.key) ?? [];
      // A bucket whose versions are suspended shows no older one in place of what is removed.
      const hasOlder = versions.some((one) => one.id !== onlyVersion);
      if (id === null && (bucket.versioned || hasOlder)) {
        putVersion(bucket, place.key, { body: null, size: 0, etag: '', headers: {} });
        return;
      }
      const gone = id ?? onlyVersion;
      if (versions.some((one) => one.id === gone))
        change({ is: 'versionRemoved', bucket: place.bucket, key: place.key, id: gone });
    },

    startUpload: (caller: Key, place: Place, headers: Stored['headers'], checksum?: Upload['checksum']): string => {
      bucketOf(caller, place, 's3:PutObject');
      const id = options.random(32);
      const { bucket, key } = place;
      change({
        is: 'uploadStarted',
        bucket,
        upload: { id, key, startedAt: options.now(), headers, ...(checksum && { checksum }) },
      });
      return id;
    },

    /** An upload that is not over, with its parts. */
    upload: (caller: Key, place: Place, id: string): Upload =>
      uploadOf(caller, place, id, 's3:ListMultipartUploadParts'),

    /** An upload that the caller may add to. */
    openUpload: (caller: Key, place: Place, id: string): Upload => uploadOf(caller, place, id),

    putPart: (
      caller: Key,
      place: Place,
      id: string,
      { number, part }: { readonly number: number; readonly part: Omit<Part, 'modified'> },
    ): number => {
      uploadOf(caller, place, id);
      const modified = options.now();
      change({ is: 'partPut', bucket: place.bucket, upload: id, number, part: { ...part, modified } });
      return modified;
    },

    completeUpload: (caller: Key, place: Place, id: string, whole: Omit<Part, 'modified'>): Version => {
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

/** The etag of bytes, as S3 has it. */
export const etagOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
