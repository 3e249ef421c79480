import { Context, Data, type Effect } from 'effect';

/** An S3-compatible bucket and the keys to it; `endpoint` is a full URL. */
export interface Bucket {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The store refused, did not respond, or holds another version than the one to write over. */
export class StoreFailed extends Data.TaggedError('StoreFailed')<{ readonly message: string }> {}

/** A stored object: its user metadata, and the etag of this very version. */
export interface Standing {
  readonly metadata: Readonly<Record<string, string>>;
  readonly etag: string;
}

/** What is written, and over which version: its etag, or null where no object may exist. */
interface ObjectWrite {
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly over: string | null;
}

export interface ObjectStoreShape {
  /**
   * Writes one whole object. Fails where another version than `over` is stored by now, so that a delayed writer undoes
   * nothing.
   */
  readonly put: (bucket: Bucket, key: string, object: ObjectWrite) => Effect.Effect<void, StoreFailed>;
  /** The object under a key, or null when there is none. */
  readonly head: (bucket: Bucket, key: string) => Effect.Effect<Standing | null, StoreFailed>;
  /** The text of an object, or null when there is none under the key. */
  readonly get: (bucket: Bucket, key: string) => Effect.Effect<string | null, StoreFailed>;
}

export class ObjectStore extends Context.Service<ObjectStore, ObjectStoreShape>()('core/ObjectStore') {}
