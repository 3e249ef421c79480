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

/** An object that stands in a bucket: its user metadata, and what names this very version of it. */
export interface Standing {
  readonly metadata: Readonly<Record<string, string>>;
  readonly etag: string;
}

/** What is written, and over which version: its etag, or null where nothing may stand. */
export interface Putting {
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly over: string | null;
}

export interface ObjectStoreShape {
  /** Writes one object whole. Fails where another than `over` stands by now: who was held up undoes nothing. */
  readonly put: (bucket: Bucket, key: string, object: Putting) => Effect.Effect<void, StoreFailed>;
  /** What stands under a key, or null when there is nothing. */
  readonly head: (bucket: Bucket, key: string) => Effect.Effect<Standing | null, StoreFailed>;
  /** The text of an object, or null when there is none of that key. */
  readonly get: (bucket: Bucket, key: string) => Effect.Effect<string | null, StoreFailed>;
}

export class ObjectStore extends Context.Service<ObjectStore, ObjectStoreShape>()('core/ObjectStore') {}
