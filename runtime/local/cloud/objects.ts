import { createHash } from 'node:crypto';
import { refused } from './refusal.ts';
import { bucketAt, type Place, putVersion, type Stored } from './placed.ts';
import { type Key, onlyVersion, type Version } from './state.ts';
import type { Within } from './within.ts';

/** The objects of a bucket, by name and version. */
export function objectsIn(within: Within) {
  const { change } = within;
  return {
    /** The version of an object, the newest unless one is named. */
    read: (caller: Key, place: Place, id: string | null): Version => {
      const bucket = bucketAt(within, caller, place, id === null ? 's3:GetObject' : 's3:GetObjectVersion');
      const versions = bucket.versions.get(place.key) ?? [];
      const found = id === null ? versions.at(-1) : versions.find((one) => one.id === id);
      if (!found || found.body === null) throw refused.noKey();
      return found;
    },

    put: (caller: Key, place: Place, { body, size, etag, headers, checksums }: Stored): Version => {
      const version = { body, size, etag, headers, ...(checksums && { checksums }) };
      return putVersion(within, bucketAt(within, caller, place, 's3:PutObject'), place.key, version);
    },

    /** Removes one version permanently, or without an id the current one: in a versioned bucket by a marker. */
    remove: (caller: Key, place: Place, id: string | null): void => {
      const bucket = bucketAt(within, caller, place, id === null ? 's3:DeleteObject' : 's3:DeleteObjectVersion');
      const versions = bucket.versions.get(place.key) ?? [];
      // A bucket with suspended versioning shows no older version after a removal.
      const hasOlder = versions.some((one) => one.id !== onlyVersion);
      if (id === null && (bucket.versioned || hasOlder)) {
        putVersion(within, bucket, place.key, { body: null, size: 0, etag: '', headers: {} });
        return;
      }
      const gone = id ?? onlyVersion;
      if (versions.some((one) => one.id === gone))
        change({ is: 'versionRemoved', bucket: place.bucket, key: place.key, id: gone });
    },
  };
}

/** The S3 etag of bytes. */
export const etagOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
