import type { DraftDeployState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';
import type { ManagedSeen } from '../managedDatabase/message.ts';
import type { ObjectRef } from '../cause/cause.ts';
import type { FailedAction } from '../cause/failedAction.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';
import type { AvailableCapacity } from '../capacity.ts';
import type { Counts } from '../verdict.ts';
import type { DatabaseRan } from './lasting.ts';

/** The requested settings of a database on which rules decide. */
export interface DatabaseWanted extends DatabaseRan {
  /** `spec.provider`, or empty. */
  readonly provider: string;
  /** Whether the provider creates it: `ManagedDb` with `mode: Create`. */
  readonly managed: boolean;
  readonly highAvailability: boolean;
  readonly instances: number;
  readonly backup: boolean;
  readonly restoreFrom: boolean;
  /** What the spec of an external database still lacks: `host`, `username`, `password`. */
  readonly missing: readonly string[];
  /** The Secret that should hold the password of an external database and does not; empty when nothing is missing. */
  readonly passwordAwaited: string;
  /** The key that this Secret lacks; undefined when the Secret itself is missing. */
  readonly passwordKey?: string | undefined;
  /** Why the name is not allowed on the server, as a sentence; empty when it is. */
  readonly misnamed: string;
  /** The part of it that this version does not support, as a sentence; empty when all of it is supported. */
  readonly unsupported: string;
}

/** The restore of a database; for Postgres, the Job of its operator. */
export interface DatabaseRestore {
  readonly job: 'absent' | 'running' | 'succeeded' | 'failed';
  /** Whether `status.restoredAt` is set. */
  readonly recorded: boolean;
  /** Whether the database was Ready before: `status.host` is set, and remains set in a draft. */
  readonly served: boolean;
}

/** The dependencies of a database, and its running workload. */
export interface DatabaseObserved {
  /** The project, `none` for a shared server. */
  readonly project: {
    readonly name: string;
    readonly is: 'none' | 'absent' | 'notReady' | 'withoutEnvironment' | 'fine';
  };
  readonly environment: string;
  readonly cluster: { readonly name: string; readonly ready: boolean };
  /** The cloud connection that `spec.connectionRef` names. */
  readonly cloud: {
    readonly name: string;
    readonly is: 'none' | 'absent' | 'otherProject' | 'unscoped' | 'fine';
    readonly project: string;
  };
  /** The best report of the healthy nodes, and when they were counted. */
  readonly haReport: {
    readonly ready: boolean;
    readonly healthyNodes: number;
    readonly name?: string;
    readonly checkedAt?: string;
  } | null;
  /** Whether the volumes of its storage class can grow. */
  readonly canGrow: boolean;
  /** The missing operator or chart controller, as text; empty for none. */
  readonly uninstalled: string;
  /** The wait for a regional class, or for a class of a project that requires tags, has no limit. */
  readonly storage:
    | { readonly is: 'ready' }
    | {
        readonly is: 'awaited';
        readonly limited: boolean;
        readonly waitedMs: number;
        readonly class?: string;
        /** When the wait began (ms). */
        readonly since?: number;
      };
  /** Whether the applied objects match the spec that runs. */
  readonly workload: 'absent' | 'stale' | 'current';
  readonly chart: 'none' | 'installing';
  readonly pods: 'none' | 'starting' | 'failed' | 'running';
  /** What is not provided on these nodes, though the server's operator would, as text; empty for none. */
  readonly notActed: string;
  readonly managed: ManagedSeen | null;
  /** The provisioned settings; null before that. */
  readonly ran: DatabaseRan | null;
  /** Why the backups to restore cannot be used, before anything is created; null when they can. */
  readonly restoreRefused: { readonly counts: Counts; readonly why: string; readonly archive?: string } | null;
  /** The capacity for its instances before anything is applied; computed lazily. */
  readonly room: AvailableCapacity;
  readonly region: string;
  readonly tags: readonly string[];
  /** Whether the connection Secret holds what it should. */
  readonly connected: boolean;
  /**
   * Fields that another manager keeps changing back, as sentences; they are reapplied periodically and count as
   * current.
   */
  readonly contested: readonly string[];
  /** The objects that are still to be written or removed. */
  readonly due?: readonly ObjectRef[];
  /** The failed action of this pass; `permanent` for access denied and an invalid credential or configuration. */
  readonly failure: (FailedAction & { readonly counts: Counts }) | null;
}

/** A database and what was observed around it. */
export interface DatabaseSeen extends DatabaseObserved {
  /** The resulting state of its deploy gate. */
  readonly gate: DraftDeployState;
  readonly wanted: DatabaseWanted;
  readonly restore: DatabaseRestore;
}

/** The final backup of a database being deleted; `finished` also when there is nothing to back up. */
export type FinalBackupSeen = 'absent' | 'running' | 'failed' | 'finished';

/** The facts of one pass over a database. Secrets are never included. */
export interface DatabaseFacts {
  readonly now: number;
  /** `metadata.deletionTimestamp`. */
  readonly deletedAt: number | null;
  /** The state of the machine `draftDeploy` after its step in this pass, which precedes this machine's step. */
  readonly gate: DraftDeployState;
  /** The result of the machine `provisionRetry` after its step in this pass, which precedes this machine's step. */
  readonly retry: RetrySeen;
  /** From the spec that runs; when none runs, from the spec as written. */
  readonly wanted: DatabaseWanted;
  readonly restore: DatabaseRestore;
  readonly around: Fact<DatabaseObserved>;
  readonly finalBackup: Fact<FinalBackupSeen>;
  /** The applied objects that remain, by a direct read. */
  readonly remains: Fact<readonly string[]>;
}
