import type { DraftDeployState } from '../../machines/names.ts';
import type { StorageState } from '../backupStorage/state.ts';

/** What an object store depends on, and what there is of it. */
export interface ObjectStoreSeen {
  readonly gate: DraftDeployState;
  readonly mode: 'Server' | 'Bucket';
  /** Why its spec cannot be brought about at all; empty where it can. */
  readonly unsupported: string;
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
