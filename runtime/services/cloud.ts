import { Context, Data, type Effect } from 'effect';
import type { CloudAccount } from '../../rules/cloud/account.ts';

export type { CloudAccount };

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The cloud refused (HTTP status) or did not respond (null). */
export class CloudFailed extends Data.TaggedError('CloudFailed')<{
  readonly code: string;
  readonly status: number | null;
  /** Code and message for people, without keys. */
  readonly message: string;
}> {}

/** Whether the cloud refused permanently; timeouts, throttling and server errors are transient. */
export const isRefusal = ({ status }: CloudFailed): boolean =>
  status !== null && status >= 300 && status < 500 && status !== 408 && status !== 429;

/** One page of a list; `next` requests the following one, null on the last. */
export interface CloudPage<A> {
  readonly items: readonly A[];
  readonly next: string | null;
}

/** The prefix to list in a bucket, and where to start. */
export interface Listing {
  readonly prefix: string;
  readonly from: string | null;
}

export interface CloudObject {
  readonly key: string;
  readonly size: number;
  /** When it was written, ms since the epoch. */
  readonly modified: number;
}

/** A version of an object or the marker of its deletion; null in a store without versions. */
export interface CloudVersion {
  readonly key: string;
  readonly version: string | null;
}

/** A multipart upload that was neither completed nor aborted. */
export interface CloudUpload {
  readonly key: string;
  readonly upload: string;
}

/** A version that the cloud did not delete, and why. */
interface NotRemoved {
  readonly key: string;
  readonly code: string;
  readonly text: string;
}

/** An IAM user with its only policy. */
interface CloudUser {
  readonly name: string;
  readonly policy: string;
}

type FromCloud<A> = Effect.Effect<A, CloudFailed>;

/** S3 and IAM of any account. Reads are not cached; removing what does not exist succeeds. */
export interface CloudShape {
  /** Succeeds when an authenticated request gets a response, even a refusal for missing rights. */
  readonly check: (account: CloudAccount) => FromCloud<void>;
  /** Creates a bucket in the account's region, closed to the public; an existing own one is unchanged. */
  readonly makeBucket: (account: CloudAccount, bucket: string) => FromCloud<void>;
  /** The region of a bucket; null when the cloud names none. */
  readonly bucketRegion: (account: CloudAccount, bucket: string) => FromCloud<string | null>;
  /** Removes an empty bucket. */
  readonly removeBucket: (account: CloudAccount, bucket: string) => FromCloud<void>;

  readonly objects: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<CloudObject>>;
  /** The folders directly under a prefix; both end with a slash. */
  readonly folders: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<string>>;
  /** All versions and delete markers; in a store without versions, the objects. */
  readonly versions: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<CloudVersion>>;
  readonly uploads: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<CloudUpload>>;
  /** Removes at most a thousand versions permanently; returns those that the cloud refused to remove. */
  readonly removeVersions: (
    account: CloudAccount,
    bucket: string,
    versions: readonly CloudVersion[],
  ) => FromCloud<readonly NotRemoved[]>;
  readonly abortUpload: (account: CloudAccount, bucket: string, upload: CloudUpload) => FromCloud<void>;

  /** The text of an object; null when the key does not exist. */
  readonly read: (account: CloudAccount, bucket: string, key: string) => FromCloud<string | null>;
  /** The same for a binary object. */
  readonly bytes: (account: CloudAccount, bucket: string, key: string) => FromCloud<Uint8Array | null>;
  readonly write: (account: CloudAccount, bucket: string, key: string, text: string) => FromCloud<void>;

  /** Creates a user, or sets the policy of an existing one. */
  readonly putUser: (account: CloudAccount, user: CloudUser) => FromCloud<void>;
  /** The ids of a user's access keys; null when the user does not exist. */
  readonly accessKeys: (account: CloudAccount, user: string) => FromCloud<readonly string[] | null>;
  readonly issueKey: (account: CloudAccount, user: string) => FromCloud<AccessKey>;
  readonly removeKey: (account: CloudAccount, user: string, accessKeyId: string) => FromCloud<void>;
  /** Removes a user with its keys and policy. */
  readonly removeUser: (account: CloudAccount, user: string) => FromCloud<void>;
}

export class Cloud extends Context.Service<Cloud, CloudShape>()('core/Cloud') {}
