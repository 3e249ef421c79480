/** An object as it is stored: complete metadata, anything else as the client wrote it. */
export interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Where objects of a kind are kept: `<group>/<plural>`, `/<plural>` for the core group (`/pods`, `batch/jobs`). */
export type Bucket = string;

/** The place of one object; `namespace` is empty for a cluster-scoped one. */
export interface Place {
  readonly bucket: Bucket;
  readonly namespace: string;
  readonly name: string;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly bucket: Bucket;
  readonly object: Stored;
  readonly previous?: Stored;
}

/**
 * The objects of the embedded cluster: the last state in memory, every write flushed to disk before its promise
 * resolves. Reads are synchronous and never copy: nobody may change what they return. Writes of one object are applied
 * in the order asked. A refused write rejects with a StatusError.
 */
export interface Store {
  readonly get: (place: Place) => Stored | undefined;
  /** In the order of namespace and name. */
  readonly list: (bucket: Bucket, namespace?: string) => readonly Stored[];
  /** Fills uid, resourceVersion, creationTimestamp, generation; 409 AlreadyExists. */
  readonly create: (place: Place, object: object) => Promise<Stored>;
  /**
   * Reads, changes and writes in one step. `change` returns the new object, or the very same one for no write; it may
   * throw a StatusError. Bumps resourceVersion, and generation when the spec changed. 404 when absent.
   */
  readonly update: (place: Place, change: (old: Stored) => Stored) => Promise<Stored>;
  /** Removes, or sets deletionTimestamp while finalizers remain. 404 when absent, 409 when a precondition fails. */
  readonly remove: (
    place: Place,
    precondition?: { readonly uid?: string; readonly resourceVersion?: string },
  ) => Promise<Stored>;
  /** Called for every change, in the order of their resourceVersions, after the flush. Returns the unsubscriber. */
  readonly onChange: (listener: (change: Change) => void) => () => void;
}
