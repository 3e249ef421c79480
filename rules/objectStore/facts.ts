import type { DraftDeployState } from '../../machines/names.ts';
import type { FailedAction } from '../cause/failedAction.ts';
import type { ConnectionRefused } from '../cloud/connectionRefused.ts';
import type { StorageState } from '../backupStorage/state.ts';
import type { Fact } from '../fact.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';

/** The dependencies of an object store, and its existing objects. */
export interface ObjectStoreObserved {
  readonly mode: 'Server' | 'Bucket';
  /** Why its spec is not supported; empty when it is. */
  readonly unsupported: string;
  /** The created bucket when the spec now names another one; empty otherwise. */
  readonly movedFrom: string;
  readonly environment: string;
  readonly project: {
    readonly name: string;
    readonly is: 'none' | 'absent' | 'notReady' | 'withoutEnvironment' | 'fine';
  };
  /** Why its cloud connection cannot be used; null when it can, or none is named. */
  readonly cloud: ConnectionRefused | null;
  readonly server: {
    readonly name: string;
    readonly is: 'none' | 'absent' | 'notServer' | 'notReady' | 'fine';
  };
  /** Tags that the project requires and the nodes of the server lack. */
  readonly lackingTags: readonly string[];
  /** The state of the bucket in the cloud; null for a server, and before the first check. */
  readonly bucket: StorageState | null;
  /** Why the last attempt to create it failed. */
  readonly failure: FailedAction | null;
  /** Whether all objects in the cluster are applied. */
  readonly isCurrent: boolean;
  /** Whether the pod of a server runs; true for a bucket. */
  readonly runs: boolean;
}

/** An object store and what was observed around it. */
export interface ObjectStoreSeen extends ObjectStoreObserved {
  /** The resulting state of its deploy gate. */
  readonly gate: DraftDeployState;
}

/** The facts of one pass over an object store. Keys are never included. */
export interface ObjectStoreFacts {
  readonly now: number;
  readonly deleted: boolean;
  /** The state of the machine `draftDeploy` after its step in this pass. */
  readonly gate: DraftDeployState;
  /** The result of the machine `provisionRetry` after its step in this pass. */
  readonly retry: RetrySeen;
  readonly around: Fact<ObjectStoreObserved>;
  /** The buckets on a server. */
  readonly usedBy: readonly string[];
  /** Whether anything of it may remain. */
  readonly remains: boolean;
}
