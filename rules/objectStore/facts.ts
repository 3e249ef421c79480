import type { DraftDeployState } from '../../machines/names.ts';
import type { StorageState } from '../backupStorage/state.ts';
import type { Fact } from '../fact.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';

/** What an object store depends on, and what there is of it. */
export interface ObjectStoreObserved {
  readonly mode: 'Server' | 'Bucket';
  /** Why its spec cannot be brought about at all; empty where it can. */
  readonly unsupported: string;
  /** The bucket that was made where its spec leads to another one; empty where it does not. */
  readonly movedFrom: string;
  readonly environment: string;
  readonly project: {
    readonly name: string;
    readonly is: 'none' | 'absent' | 'notReady' | 'withoutEnvironment' | 'fine';
  };
  /** Why its cloud connection cannot be used; null where it can, or none is named. */
  readonly cloud: string | null;
  readonly server: {
    readonly name: string;
    readonly is: 'none' | 'absent' | 'notServer' | 'notReady' | 'fine';
  };
  /** Tags that the project requires and the nodes of the server lack. */
  readonly lackingTags: readonly string[];
  /** The bucket as the cloud has it; null for a server, and until it was asked about. */
  readonly bucket: StorageState | null;
  /** Why the last attempt to bring it about failed. */
  readonly failure: string | null;
  /** Whether everything in the cluster is as it should be. */
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
  /** Whether something of it was not seen to be gone. */
  readonly remains: boolean;
}
