import { Context, Data, type Effect } from 'effect';

/** An S3-compatible bucket and the keys to it; `endpoint` is a full URL. */
export interface Bucket {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export class StoreFailed extends Data.TaggedError('StoreFailed')<{ readonly why: string }> {}

export interface ObjectStoreShape {
  /** Writes one object whole, with user metadata. */
  readonly put: (
    bucket: Bucket,
    key: string,
    text: string,
    metadata: Readonly<Record<string, string>>,
  ) => Effect.Effect<void, StoreFailed>;
  /** The user metadata of an object, or null when there is none of that key. */
  readonly head: (bucket: Bucket, key: string) => Effect.Effect<Readonly<Record<string, string>> | null, StoreFailed>;
  /** The text of an object, or null when there is none of that key. */
  readonly get: (bucket: Bucket, key: string) => Effect.Effect<string | null, StoreFailed>;
}

export class ObjectStore extends Context.Service<ObjectStore, ObjectStoreShape>()('core/ObjectStore') {}
