import { Context, Data, type Effect } from 'effect';

/** An S3-compatible bucket and the keys to it; `endpoint` is a full URL. */
export interface Bucket {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The store refused, did not respond, or has another version than the one to overwrite. */
export class StoreFailed extends Data.TaggedError('StoreFailed')<{ readonly message: string }> {}

/** A stored object: its user metadata, and the etag of this version. */
export interface Standing {
  readonly metadata: Readonly<Record<string, string>>;
  readonly etag: string;
}

/** What is written, and over which version: its etag, or null when none may exist. */
interface ObjectWrite {
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly over: string | null;
}

export interface ObjectStoreShape {
  /**
   * Writes one whole object. Fails when another version than `over` is stored, so that a delayed write undoes nothing.
   */
  readonly put: (bucket: Bucket, key: string, object: ObjectWrite) => Effect.Effect<void, StoreFailed>;
  /** The object under a key; null when it does not exist. */
  readonly head: (bucket: Bucket, key: string) => Effect.Effect<Standing | null, StoreFailed>;
  /** The text of an object; null when the key does not exist. */
  readonly get: (bucket: Bucket, key: string) => Effect.Effect<string | null, StoreFailed>;
}

export class ObjectStore extends Context.Service<ObjectStore, ObjectStoreShape>()('core/ObjectStore') {}
