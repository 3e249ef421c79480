import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { S3Client } from '@aws-sdk/client-s3';
import { Effect, Layer } from 'effect';
import { beneathReaders, boundAnswers } from './aws/longest.ts';
import type { ClusterNames } from './cluster/names.ts';
import { lru } from './lru.ts';
import { type Bucket, ObjectStore, type ObjectStoreShape, StoreFailed } from './objectStore.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

const attempts = 2;
const clientsKept = 20;
/** A response that trickles in never hits the time-out for silence. */
const longestMs = 60_000;

/**
 * S3-compatible stores. A store that is silent for `silenceMs` counts as failed; `lookup` finds one inside the cluster.
 */
export const s3ObjectStoreWith = (silenceMs: number, lookup?: LookupFunction): Layer.Layer<ObjectStore> =>
  Layer.sync(ObjectStore, () => objectStore(silenceMs, lookup));

export const s3ObjectStore = ({ lookup }: ClusterNames): Layer.Layer<ObjectStore> => s3ObjectStoreWith(10_000, lookup);

function objectStore(silenceMs: number, lookup?: LookupFunction): ObjectStoreShape {
  const clients = lru<S3Client>(clientsKept);
  let loading: Promise<Sdk> | undefined;

  const clientOf = (bucket: Bucket, { S3Client }: Sdk): S3Client => {
    const key = createHash('sha256')
      .update(JSON.stringify([bucket.endpoint, bucket.region, bucket.accessKeyId, bucket.secretAccessKey]))
      .digest('base64url');
    const known = clients.get(key);
    if (known) return known;
    const client = new S3Client({
      endpoint: bucket.endpoint,
      region: bucket.region,
      credentials: { accessKeyId: bucket.accessKeyId, secretAccessKey: bucket.secretAccessKey },
      forcePathStyle: true,
      maxAttempts: attempts,
      // Many stores reject the default checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: silenceMs,
        requestTimeout: silenceMs,
        throwOnRequestTimeout: true,
        ...(lookup && { httpAgent: { lookup } }),
      },
    });
    client.middlewareStack.add(boundAnswers, beneathReaders);
    clients.set(key, client);
    return client;
  };

  const ask = <A>(bucket: Bucket, run: (sdk: Sdk, client: S3Client, abortSignal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({
      try: async (signal) => {
        loading ??= load();
        const sdk = await loading;
        return run(sdk, clientOf(bucket, sdk), signal);
      },
      catch: (error) => new StoreFailed({ message: whyFailed(error, bucket) }),
    }).pipe(
      Effect.timeoutOrElse({
        duration: longestMs,
        orElse: () => Effect.fail(new StoreFailed({ message: `not done within ${longestMs / 1_000} s` })),
      }),
    );

  return {
    put: (bucket, Key, { text, metadata, over }) =>
      ask(bucket, async ({ PutObjectCommand }, client, abortSignal) => {
        const ContentType = 'text/plain; charset=utf-8';
        const object = { Bucket: bucket.bucket, Key, Body: Buffer.from(text), Metadata: metadata, ContentType };
        const condition = over === null ? { IfNoneMatch: '*' } : { IfMatch: over };
        const send = (input: typeof object) => client.send(new PutObjectCommand(input), { abortSignal });
        await send({ ...object, ...condition }).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'NotImplemented') return send(object);
          throw error;
        });
      }),
    head: (bucket, Key) =>
      ask(bucket, async ({ HeadObjectCommand }, client, abortSignal) => {
        const command = new HeadObjectCommand({ Bucket: bucket.bucket, Key });
        const found = await orNull(client.send(command, { abortSignal }));
        return found && { metadata: found.Metadata ?? {}, etag: found.ETag ?? '' };
      }),
    get: (bucket, Key) =>
      ask(bucket, async ({ GetObjectCommand }, client, abortSignal) => {
        const found = await orNull(client.send(new GetObjectCommand({ Bucket: bucket.bucket, Key }), { abortSignal }));
        return found && ((await found.Body?.transformToString()) ?? '');
      }),
  };
}

/** Loaded on first use: most installations have no object store. */
function load(): Promise<Sdk> {
  // Its notice about Node versions would appear among the JSON lines of the log.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return import('@aws-sdk/client-s3');
}

/** A HEAD response has no body that could distinguish a missing bucket from a missing object. */
const absent = new Set(['NoSuchKey', 'NotFound']);

const orNull = async <A>(sent: Promise<A>): Promise<A | null> => {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof Error && absent.has(error.name)) return null;
    throw error;
  }
};

/** `<code>: <text>`, never with the secret key in it. */
function whyFailed(error: unknown, { secretAccessKey }: Bucket): string {
  if (!(error instanceof Error)) return 'the store failed';
  const { code } = error as NodeJS.ErrnoException;
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const name = error.name === 'Error' || error.name === '' ? code : error.name;
  const text = [name, error.message].filter((part) => part !== undefined && part !== '').join(': ');
  const why = status === undefined ? text : `${text} (HTTP ${status})`;
  return secretAccessKey === '' ? why : why.replaceAll(secretAccessKey, '***');
}
