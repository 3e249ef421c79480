import { authorize, objectArn } from './policy.ts';
import { refused } from './refusal.ts';
import { type CloudBucket, type Key, onlyVersion, type Part, type Version } from './state.ts';
import type { Within } from './within.ts';

/** Stored bytes, with their headers. */
export interface Stored extends Omit<Part, 'modified'> {
  readonly headers: Readonly<Record<string, string>>;
}

/** An object of a bucket, by name. */
export interface Place {
  readonly bucket: string;
  readonly key: string;
}

/** The bucket of an object, if the caller may perform this action. */
export function bucketAt({ state }: Within, caller: Key, { bucket, key }: Place, action: string): CloudBucket {
  authorize(state, caller, action, objectArn(bucket, key));
  const found = state.buckets.get(bucket);
  if (!found) throw refused.noBucket(bucket);
  if (found.account !== caller.account) throw refused.denied(action);
  return found;
}

/** Adds a version of an object, replacing the existing one unless the bucket is versioned. */
export function putVersion(
  { options, change }: Within,
  { name, versioned }: CloudBucket,
  key: string,
  version: Omit<Version, 'id' | 'modified'>,
): Version {
  const id = versioned ? options.random(32) : onlyVersion;
  const put: Version = { ...version, id, modified: options.now() };
  change({ is: 'put', bucket: name, key, version: put });
  return put;
}
