/** A version of an object, or the marker of its deletion. */
export interface Version {
  readonly id: string;
  /** Names the bytes; null for a marker. */
  readonly body: string | null;
  readonly size: number;
  readonly etag: string;
  readonly modified: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64, by algorithm; composite when it ends in the number of parts. */
  readonly checksums?: Readonly<Record<string, string>>;
}

export interface Part {
  readonly body: string;
  readonly size: number;
  readonly etag: string;
  /** Base64, by algorithm. */
  readonly checksums?: Readonly<Record<string, string>>;
  /** Absent in objects stored by an older release. */
  readonly modified?: number;
}

export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly startedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The checksum algorithm of the parts and the object. */
  readonly checksum?: { readonly algorithm: string; readonly isComposite: boolean };
  readonly parts: Map<number, Part>;
}

export interface CloudBucket {
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly createdAt: number;
  versioned: boolean;
  /** By key, the newest version last. */
  readonly versions: Map<string, readonly Version[]>;
  readonly uploads: Map<string, Upload>;
}

export interface User {
  readonly account: string;
  readonly name: string;
  readonly policies: Map<string, string>;
}

/** An access key; without a user, of the account itself. */
export interface Key {
  readonly id: string;
  readonly secret: string;
  readonly account: string;
  readonly user: string | null;
  readonly createdAt: number;
}

/** The state of a cloud. */
export interface CloudState {
  readonly buckets: Map<string, CloudBucket>;
  /** By account and name. */
  readonly users: Map<string, User>;
  readonly keys: Map<string, Key>;
}

export const emptyState = (): CloudState => ({ buckets: new Map(), users: new Map(), keys: new Map() });

/** One stored change of a cloud. */
export type Change =
  | {
      readonly is: 'bucketMade';
      readonly made: Pick<CloudBucket, 'name' | 'account' | 'region' | 'createdAt'>;
    }
  | { readonly is: 'bucketRemoved'; readonly bucket: string }
  | { readonly is: 'versioned'; readonly bucket: string; readonly on: boolean }
  | { readonly is: 'put'; readonly bucket: string; readonly key: string; readonly version: Version }
  | { readonly is: 'versionRemoved'; readonly bucket: string; readonly key: string; readonly id: string }
  | { readonly is: 'uploadStarted'; readonly bucket: string; readonly upload: Omit<Upload, 'parts'> }
  | {
      readonly is: 'partPut';
      readonly bucket: string;
      readonly upload: string;
      readonly number: number;
      readonly part: Part;
    }
  | { readonly is: 'uploadEnded'; readonly bucket: string; readonly upload: string }
  | { readonly is: 'userPut'; readonly account: string; readonly user: string }
  | { readonly is: 'userRemoved'; readonly account: string; readonly user: string }
  | {
      readonly is: 'policyPut';
      readonly account: string;
      readonly user: string;
      readonly name: string;
      readonly document: string | null;
    }
  | { readonly is: 'keyIssued'; readonly key: Key }
  | { readonly is: 'keyRemoved'; readonly id: string };

/** The id of the only version in an unversioned store. */
export const onlyVersion = 'null';
export const userId = (account: string, name: string): string => `${account}/${name}`;

type Applied = { readonly [Is in Change['is']]: (state: CloudState, change: Extract<Change, { is: Is }>) => void };

const applied: Applied = {
  bucketMade: ({ buckets }, { made }) =>
    void buckets.set(made.name, { ...made, versioned: false, versions: new Map(), uploads: new Map() }),
  bucketRemoved: ({ buckets }, { bucket }) => void buckets.delete(bucket),
  versioned: ({ buckets }, { bucket, on }) => {
    const found = buckets.get(bucket);
    if (found) found.versioned = on;
  },
  put: ({ buckets }, { bucket, key, version }) => {
    const versions = buckets.get(bucket)?.versions;
    const kept = (versions?.get(key) ?? []).filter(({ id }) => id !== version.id);
    versions?.set(key, [...kept, version]);
  },
  versionRemoved: ({ buckets }, { bucket, key, id }) => {
    const versions = buckets.get(bucket)?.versions;
    const kept = (versions?.get(key) ?? []).filter((version) => version.id !== id);
    if (kept.length === 0) versions?.delete(key);
    else versions?.set(key, kept);
  },
  uploadStarted: ({ buckets }, { bucket, upload }) =>
    void buckets.get(bucket)?.uploads.set(upload.id, { ...upload, parts: new Map() }),
  partPut: ({ buckets }, { bucket, upload, number, part }) =>
    void buckets.get(bucket)?.uploads.get(upload)?.parts.set(number, part),
  uploadEnded: ({ buckets }, { bucket, upload }) => void buckets.get(bucket)?.uploads.delete(upload),
  userPut: ({ users }, { account, user }) =>
    void users.set(userId(account, user), { account, name: user, policies: new Map() }),
  userRemoved: ({ users }, { account, user }) => void users.delete(userId(account, user)),
  policyPut: ({ users }, { account, user, name, document }) => {
    const policies = users.get(userId(account, user))?.policies;
    if (document === null) policies?.delete(name);
    else policies?.set(name, document);
  },
  keyIssued: ({ keys }, { key }) => void keys.set(key.id, key),
  keyRemoved: ({ keys }, { id }) => void keys.delete(id),
};

export function apply(state: CloudState, change: Change): void {
  (applied[change.is] as (state: CloudState, change: Change) => void)(state, change);
}

/** The changes that build a state from nothing. */
export function* changesOf({ buckets, users, keys }: CloudState): Generator<Change> {
  for (const { name, account, region, createdAt, versioned, versions, uploads } of buckets.values()) {
    yield { is: 'bucketMade', made: { name, account, region, createdAt } };
    if (versioned) yield { is: 'versioned', bucket: name, on: true };
    for (const [key, kept] of versions) for (const version of kept) yield { is: 'put', bucket: name, key, version };
    for (const { parts, ...upload } of uploads.values()) {
      yield { is: 'uploadStarted', bucket: name, upload };
      for (const [number, part] of parts) yield { is: 'partPut', bucket: name, upload: upload.id, number, part };
    }
  }
  for (const { account, name, policies } of users.values()) {
    yield { is: 'userPut', account, user: name };
    for (const [policy, document] of policies) yield { is: 'policyPut', account, user: name, name: policy, document };
  }
  for (const key of keys.values()) yield { is: 'keyIssued', key };
}
