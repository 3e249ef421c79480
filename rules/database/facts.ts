import type { DraftDeployState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';
import type { ManagedSeen } from '../managedDatabase/message.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';
import type { AvailableCapacity } from '../capacity.ts';
import type { Counts } from '../verdict.ts';
import type { DatabaseRan } from './lasting.ts';

/** What the spec of a database asks for, in the parts that decisions use. */
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
  /** Why the server cannot have such a name, as a sentence; empty when it can. */
  readonly misnamed: string;
  /** The part of it that this version does not support, as a sentence; empty when all of it is supported. */
  readonly unsupported: string;
}

/** The restore of the backup that a database starts from: of Postgres, the Job by which its operator recovers it. */
export interface DatabaseRestore {
  readonly job: 'absent' | 'running' | 'succeeded' | 'failed';
  /** Whether `status.restoredAt` is set. */
  readonly recorded: boolean;
  /** Whether the database was Ready before: `status.host` is set, and remains set in a draft. */
  readonly served: boolean;
}

/** What a database depends on, and what runs of it. */
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
  readonly haReport: { readonly ready: boolean; readonly healthyNodes: number } | null;
  /** Whether the volumes of its storage class can grow. */
  readonly canGrow: boolean;
  /** What would run it and is not installed in the cluster, as text; empty where nothing is lacking. */
  readonly uninstalled: string;
  /** The wait for a regional class, or for a class of a project that requires tags, has no limit. */
  readonly storage:
    { readonly is: 'ready' } | { readonly is: 'awaited'; readonly limited: boolean; readonly waitedMs: number };
  /** Whether the applied objects match the spec that runs. */
  readonly workload: 'absent' | 'stale' | 'current';
  readonly chart: 'none' | 'installing';
  readonly pods: 'none' | 'starting' | 'failed' | 'running';
  /** What the operator of the server would do and nobody does on these nodes, in words; empty where nothing is left out. */
  readonly notActed: string;
  readonly managed: ManagedSeen | null;
  /** What it was provisioned as; null before that. */
  readonly ran: DatabaseRan | null;
  /** Why the backups that it is to start from cannot be used, before anything of it is made; null where they can. */
  readonly restoreRefused: { readonly counts: Counts; readonly why: string } | null;
  /** What the cluster offers its instances, until anything of it is applied; found out when it is read. */
  readonly room: AvailableCapacity;
  readonly region: string;
  readonly tags: readonly string[];
  /** Whether the connection Secret holds what it should. */
  readonly connected: boolean;
  /**
   * Fields that another manager keeps changing back, as sentences; they are reapplied from time to time and count as
   * current.
   */
  readonly contested: readonly string[];
  /** The act that failed in this pass; `permanent` for access denied and an invalid credential or configuration. */
  readonly failure: { readonly counts: Counts; readonly why: string } | null;
}

/** A database and what was observed around it. */
export interface DatabaseSeen extends DatabaseObserved {
  /** The resulting state of its deploy gate. */
  readonly gate: DraftDeployState;
  readonly wanted: DatabaseWanted;
  readonly restore: DatabaseRestore;
}

/** The last backup of a database that is being deleted; `finished` also when there is nothing to back up. */
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
