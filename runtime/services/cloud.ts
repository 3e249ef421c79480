import { Context, Data, type Effect } from 'effect';
import type { CloudAccount } from '../../rules/cloud/account.ts';

export type { CloudAccount };

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The cloud refused, or did not answer: then there is no HTTP status. */
export class CloudFailed extends Data.TaggedError('CloudFailed')<{
  readonly code: string;
  readonly status: number | null;
  /** Code and text as a person reads them, without keys. */
  readonly message: string;
}> {}

/** Whether the cloud refused for good; silence, throttling and its own trouble pass. */
export const isRefusal = ({ status }: CloudFailed): boolean =>
  status !== null && status >= 300 && status < 500 && status !== 408 && status !== 429;

/** One page of a list; `next` asks for the following one, null after the last. */
export interface CloudPage<A> {
  readonly items: readonly A[];
  readonly next: string | null;
}

/** Which part of a bucket is listed, and from where on. */
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

/** S3 and IAM of any account. Reads are not cached; what removes does nothing where nothing is. */
export interface CloudShape {
  /** Whether an authenticated request is answered; a refusal for want of rights is an answer. */
  readonly check: (account: CloudAccount) => FromCloud<void>;
  /** Makes a bucket in the account's region, closed to the public; one of the account's own stays as it is. */
  readonly makeBucket: (account: CloudAccount, bucket: string) => FromCloud<void>;
  /** The region of a bucket; null where the cloud names none. */
  readonly bucketRegion: (account: CloudAccount, bucket: string) => FromCloud<string | null>;
  /** Removes an empty bucket. */
  readonly removeBucket: (account: CloudAccount, bucket: string) => FromCloud<void>;

  readonly objects: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<CloudObject>>;
  /** What stands directly under a prefix that ends with a slash, as prefixes that end with a slash. */
  readonly folders: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<string>>;
  /** Every version and marker; the objects of a store without versions. */
  readonly versions: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<CloudVersion>>;
  readonly uploads: (account: CloudAccount, bucket: string, listing: Listing) => FromCloud<CloudPage<CloudUpload>>;
  /** Removes at most a thousand versions for good; returns those that the cloud refused to remove. */
  readonly removeVersions: (
    account: CloudAccount,
    bucket: string,
    versions: readonly CloudVersion[],
  ) => FromCloud<readonly NotRemoved[]>;
  readonly abortUpload: (account: CloudAccount, bucket: string, upload: CloudUpload) => FromCloud<void>;

  /** The text of an object, or null when there is none under the key. */
  readonly read: (account: CloudAccount, bucket: string, key: string) => FromCloud<string | null>;
  /** The same of an object that is no text. */
  readonly bytes: (account: CloudAccount, bucket: string, key: string) => FromCloud<Uint8Array | null>;
  readonly write: (account: CloudAccount, bucket: string, key: string, text: string) => FromCloud<void>;

  /** Makes a user, or gives an existing one this policy. */
  readonly putUser: (account: CloudAccount, user: CloudUser) => FromCloud<void>;
  /** The ids of a user's access keys; null when there is no such user. */
  readonly accessKeys: (account: CloudAccount, user: string) => FromCloud<readonly string[] | null>;
  readonly issueKey: (account: CloudAccount, user: string) => FromCloud<AccessKey>;
  readonly removeKey: (account: CloudAccount, user: string, accessKeyId: string) => FromCloud<void>;
  /** Removes a user with its keys and policy. */
  readonly removeUser: (account: CloudAccount, user: string) => FromCloud<void>;
}

export class Cloud extends Context.Service<Cloud, CloudShape>()('core/Cloud') {}
