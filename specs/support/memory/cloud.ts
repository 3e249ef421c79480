import { Effect } from 'effect';
import { type CloudAccount, CloudFailed, type CloudPage, type CloudShape } from '../../../runtime/services/cloud.ts';
import { cloudModel, type CloudModel } from '../../../runtime/local/cloud/model.ts';
import { etagOf } from '../../../runtime/local/cloud/objects.ts';
import { Refusal, refused } from '../../../runtime/local/cloud/refusal.ts';
import type { Key } from '../../../runtime/local/cloud/state.ts';
import type { CloudOptions } from '../../../runtime/local/cloud/within.ts';

/** The keys of the account that an environment's cloud has from the start. */
export const rootKey = { account: '111111111111', accessKeyId: 'AKIAROOT', secret: 'the-root-secret' };

/** An account of a cloud in memory; the service checks only its keys. */
export const accountOf = (key: Partial<CloudAccount> = {}): CloudAccount => ({
  endpoint: 'http://cloud.test',
  iam: { endpoint: 'http://cloud.test/iam', region: 'us-east-1' },
  region: 'eu-central-1',
  accessKeyId: rootKey.accessKeyId,
  secretAccessKey: rootKey.secret,
  ...key,
});

/** A cloud in this process: its model, the contents of its objects and the service over them. */
export interface MemoryCloud {
  readonly cloud: CloudShape;
  readonly model: CloudModel;
  /** Every request, as `<operation> <what>`. */
  readonly calls: readonly string[];
  /** Answers every following request so, until it is null again. */
  failing: CloudFailed | null;
  /** Stores an object as somebody else might, without a request. */
  readonly put: (bucket: string, key: string, content: string | Uint8Array) => void;
  /** The keys of a bucket as they stand. */
  readonly stored: (bucket: string) => readonly string[];
}

export function memoryCloud(now: () => number, options: Partial<CloudOptions> = {}): MemoryCloud {
  let drawn = 0;
  const random = (length: number) => `${++drawn}`.padStart(length, '0');
  const model = cloudModel({ now, random, accounts: [rootKey], ...options });
  const bodies = new Map<string, Buffer>();
  const calls: string[] = [];
  const root = model.keyOf(rootKey.accessKeyId);

  const store = (caller: Key, bucket: string, key: string, content: string | Uint8Array) => {
    const body = random(8);
    const bytes = Buffer.from(content as string);
    bodies.set(body, bytes);
    return model.put(caller, { bucket, key }, { body, size: bytes.length, etag: etagOf(bytes), headers: {} });
  };

  const memory: MemoryCloud = {
    cloud: cloudService(model, bodies, store, (call) => {
      calls.push(call);
      return memory.failing;
    }),
    model,
    calls,
    failing: null,
    put: (bucket, key, content) => void store(root, bucket, key, content),
    stored: (bucket) =>
      model.list(root, bucket, { prefix: '', after: null }).items.flatMap(({ object }) => (object ? [object.key] : [])),
  };
  return memory;
}

type Store = (caller: Key, bucket: string, key: string, text: string) => unknown;

function cloudService(
  model: CloudModel,
  bodies: ReadonlyMap<string, Buffer>,
  store: Store,
  asks: (call: string) => CloudFailed | null,
): CloudShape {
  const asking = <A>(call: string, account: CloudAccount, run: (caller: Key) => A): Effect.Effect<A, CloudFailed> =>
    Effect.suspend(() => {
      const failure = asks(call);
      if (failure) return Effect.fail(failure);
      try {
        return Effect.succeed(run(callerOf(model, account)));
      } catch (error) {
        return Effect.fail(failureOf(error));
      }
    });
  const users = <A>(call: string, account: CloudAccount, run: (caller: Key) => A) =>
    account.iam === null
      ? Effect.fail(
          new CloudFailed({ code: 'NoUsers', status: 400, message: 'the cloud connection has no address for users' }),
        )
      : asking(call, account, run);

  const bodyOf = (caller: Key, bucket: string, key: string): Buffer | null =>
    unless(['NoSuchKey'], () => bodies.get(model.read(caller, { bucket, key }, null).body ?? '') ?? null);

  return {
    check: (account) =>
      asking('check', account, (caller) => void unless(['AccessDenied'], () => model.listBuckets(caller))),
    makeBucket: (account, bucket) =>
      asking(
        `makeBucket ${bucket}`,
        account,
        (caller) => void unless(['BucketAlreadyOwnedByYou'], () => model.makeBucket(caller, bucket, account.region)),
      ),
    bucketRegion: (account, bucket) =>
      asking(`bucketRegion ${bucket}`, account, (caller) =>
        unless(['AccessDenied'], () => model.bucketRegion(caller, bucket)),
      ),
    removeBucket: (account, bucket) =>
      asking(
        `removeBucket ${bucket}`,
        account,
        (caller) => void unless(['NoSuchBucket'], () => model.removeBucket(caller, bucket)),
      ),

    objects: (account, bucket, { prefix, from }) =>
      asking(`objects ${bucket}/${prefix}`, account, (caller) => {
        const { items, isTruncated } = model.list(caller, bucket, { prefix, after: from });
        const listed = items.flatMap(({ object }) => (object ? [object] : []));
        return page(
          listed.map(({ key, size, modified }) => ({ key, size, modified })),
          isTruncated ? (items.at(-1)?.name ?? null) : null,
        );
      }),
    folders: (account, bucket, { prefix, from }) =>
      asking(`folders ${bucket}/${prefix}`, account, (caller) => {
        const { items, isTruncated } = model.list(caller, bucket, { prefix, delimiter: '/', after: from });
        const folders = items.filter(({ object }) => object === null).map(({ name }) => name);
        return page(folders, isTruncated ? (items.at(-1)?.name ?? null) : null);
      }),
    versions: (account, bucket, { prefix, from }) =>
      asking(`versions ${bucket}/${prefix}`, account, (caller) => {
        if (!model.hasVersions) {
          const { items, isTruncated } = model.list(caller, bucket, { prefix, after: from });
          const versions = items.map(({ name }) => ({ key: name, version: null }));
          return page(versions, isTruncated ? (items.at(-1)?.name ?? null) : null);
        }
        const [after = null, afterId = null] = from === null ? [] : (JSON.parse(from) as string[]);
        const { items, isTruncated } = model.listVersions(caller, bucket, { prefix, after, afterId });
        const versions = items.flatMap(({ object }) => object ?? []);
        const last = versions.at(-1);
        return page(
          versions.map(({ key, id }) => ({ key, version: id })),
          isTruncated && last ? JSON.stringify([last.key, last.id]) : null,
        );
      }),
    uploads: (account, bucket, { prefix, from }) =>
      asking(`uploads ${bucket}/${prefix}`, account, (caller) => {
        const [after = null, afterId = null] = from === null ? [] : (JSON.parse(from) as string[]);
        const { items, isTruncated } = model.listUploads(caller, bucket, { prefix, after, afterId });
        const uploads = items.flatMap(({ object }) => object ?? []);
        const last = uploads.at(-1);
        return page(
          uploads.map(({ key, id }) => ({ key, upload: id })),
          isTruncated && last ? JSON.stringify([last.key, last.id]) : null,
        );
      }),
    removeVersions: (account, bucket, versions) =>
      asking(`removeVersions ${bucket} ${versions.length}`, account, (caller) => {
        if (!model.state.buckets.has(bucket)) throw refused.noBucket(bucket);
        return versions.flatMap(({ key, version }) => {
          try {
            model.remove(caller, { bucket, key }, version);
            return [];
          } catch (error) {
            const { code, message } = error as Refusal;
            return [{ key, code, text: message }];
          }
        });
      }),
    abortUpload: (account, bucket, { key, upload }) =>
      asking(
        `abortUpload ${bucket}/${key}`,
        account,
        (caller) => void unless(['NoSuchUpload'], () => model.abortUpload(caller, { bucket, key }, upload)),
      ),

    read: (account, bucket, key) =>
      asking(`read ${bucket}/${key}`, account, (caller) => bodyOf(caller, bucket, key)?.toString() ?? null),
    bytes: (account, bucket, key) => asking(`read ${bucket}/${key}`, account, (caller) => bodyOf(caller, bucket, key)),
    write: (account, bucket, key, text) =>
      asking(`write ${bucket}/${key}`, account, (caller) => void store(caller, bucket, key, text)),

    putUser: (account, { name, policy }) =>
      users(`putUser ${name}`, account, (caller) => {
        unless(['EntityAlreadyExists'], () => model.makeUser(caller, name));
        model.putPolicy(caller, name, { name: 'core', document: policy });
      }),
    accessKeys: (account, user) =>
      users(`accessKeys ${user}`, account, (caller) =>
        unless(['NoSuchEntity'], () => model.accessKeys(caller, user).map(({ id }) => id)),
      ),
    issueKey: (account, user) =>
      users(`issueKey ${user}`, account, (caller) => {
        const { id, secret } = model.issueKey(caller, user);
        return { accessKeyId: id, secretAccessKey: secret };
      }),
    removeKey: (account, user, id) =>
      users(
        `removeKey ${user}`,
        account,
        (caller) => void unless(['NoSuchEntity'], () => model.removeKey(caller, user, id)),
      ),
    removeUser: (account, user) =>
      users(`removeUser ${user}`, account, (caller) => {
        const keys = unless(['NoSuchEntity'], () => model.accessKeys(caller, user));
        if (keys === null) return;
        for (const { id } of keys) model.removeKey(caller, user, id);
        unless(['NoSuchEntity'], () => model.removePolicy(caller, user, 'core'));
        model.removeUser(caller, user);
      }),
  };
}

const page = <A>(items: readonly A[], next: string | null): CloudPage<A> => ({ items, next });

/** What runs, or null where it is refused with one of these codes. */
function unless<A>(codes: readonly string[], run: () => A): A | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) return null;
    throw error;
  }
}

function callerOf(model: CloudModel, { accessKeyId, secretAccessKey }: CloudAccount): Key {
  const key = model.keyOf(accessKeyId);
  if (key.secret !== secretAccessKey) throw refused.wrongSignature();
  return key;
}

function failureOf(error: unknown): CloudFailed {
  if (!(error instanceof Refusal)) throw error;
  const { code, status, message } = error;
  return new CloudFailed({ code, status, message: `${code}: ${message} (HTTP ${status})` });
}
