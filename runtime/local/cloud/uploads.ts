import { refused } from './refusal.ts';
import { bucketAt, type Place, putVersion, type Stored } from './placed.ts';
import type { Key, Part, Upload, Version } from './state.ts';
import type { Within } from './within.ts';

/** Uploads of objects in parts. */
export function uploadsIn(within: Within) {
  const { change, options } = within;
  const uploadOf = (caller: Key, place: Place, id: string, action = 's3:PutObject'): Upload => {
    const upload = bucketAt(within, caller, place, action).uploads.get(id);
    if (upload?.key !== place.key) throw refused.noUpload();
    return upload;
  };

  return {
    startUpload: (caller: Key, place: Place, headers: Stored['headers'], checksum?: Upload['checksum']): string => {
      bucketAt(within, caller, place, 's3:PutObject');
      const id = options.random(32);
      const { bucket, key } = place;
      change({
        is: 'uploadStarted',
        bucket,
        upload: { id, key, startedAt: options.now(), headers, ...(checksum && { checksum }) },
      });
      return id;
    },

    /** An open upload, with its parts. */
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
      const version = putVersion(within, bucketAt(within, caller, place, 's3:PutObject'), place.key, {
        ...whole,
        headers,
      });
      change({ is: 'uploadEnded', bucket: place.bucket, upload: id });
      return version;
    },

    abortUpload: (caller: Key, place: Place, id: string): void => {
      const bucket = bucketAt(within, caller, place, 's3:AbortMultipartUpload');
      if (bucket.uploads.get(id)?.key !== place.key) throw refused.noUpload();
      change({ is: 'uploadEnded', bucket: place.bucket, upload: id });
    },
  };
}
