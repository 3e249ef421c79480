import type { DraftDeployState, ProvisionRetryEvent, ProvisionRetryState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';
import type { ManagedSeen } from '../managedDatabase/message.ts';
import type { Counts } from '../verdict.ts';

/** What the spec of a database asks for, as far as it is decided upon. */
export interface DatabaseWanted {
  readonly engine: string;
  readonly placement: 'InCluster' | 'External';
  /** `spec.provider`, or empty. */
  readonly provider: string;
  /** Whether the provider creates it: `ManagedDb` with `mode: Create`. */
  readonly managed: boolean;
  readonly highAvailability: boolean;
  readonly instances: number;
  readonly backup: boolean;
  readonly restoreFrom: boolean;
  /** What an external database still lacks: `host`, `username`, `password`. */
  readonly missing: readonly string[];
  /** What of it this version does not run, in a sentence; empty where it runs all of it. */
  readonly unsupported: string;
}

/** What became of the backup that a MySQL or SQLite database starts from. */
export interface DatabaseRestore {
  readonly job: 'absent' | 'running' | 'succeeded' | 'failed';
  /** Whether `status.restoredAt` is set. */
  readonly recorded: boolean;
  /** Whether the database was Ready before: `status.host` is set, and stays so in a draft. */
  readonly served: boolean;
}

/** What was seen around a database: what it needs, and what runs of it. */
export interface DatabaseSurroundings {
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
  /** The wait for a regional class, or for one of a project that requires tags, has no limit. */
  readonly storage:
    { readonly is: 'ready' } | { readonly is: 'awaited'; readonly limited: boolean; readonly waitedMs: number };
  /** Whether what is applied is what the spec that runs asks for. */
  readonly workload: 'absent' | 'stale' | 'current';
  readonly chart: 'none' | 'installing';
  readonly pods: 'none' | 'starting' | 'failed' | 'running';
  readonly managed: ManagedSeen | null;
  /** What no node has room for, in words; null when there is room. */
  readonly crowded: { readonly cpu: string; readonly memory: string; readonly free: string } | null;
  readonly nodes: 'fit' | 'none' | 'reserved';
  readonly region: string;
  readonly tags: readonly string[];
  /** Whether the connection Secret holds what it should. */
  readonly connected: boolean;
  /** What another manager keeps taking back, in sentences; it is put back now and again and counts as current. */
  readonly contested: readonly string[];
  /** The act that failed in this pass; `permanent` for access denied and an invalid credential or configuration. */
  readonly failure: { readonly counts: Counts; readonly why: string } | null;
}

/** A database and its surroundings. */
export interface DatabaseSeen extends DatabaseSurroundings {
  /** The state that its deploy gate came to. */
  readonly gate: DraftDeployState;
  readonly wanted: DatabaseWanted;
  readonly restore: DatabaseRestore;
}

/** Where the row of counted failures stands after this pass, and what brought it there in this pass. */
export interface RetrySeen {
  readonly state: ProvisionRetryState;
  readonly event: ProvisionRetryEvent['type'] | null;
}

/** What one pass of a database knows. No secret is in it. */
export interface DatabaseFacts {
  readonly now: number;
  /** `metadata.deletionTimestamp`. */
  readonly deletedAt: number | null;
  /** The state that the machine `draftDeploy` came to before this one stepped. */
  readonly gate: DraftDeployState;
  /** What the machine `provisionRetry` came to before this one stepped. */
  readonly retry: RetrySeen;
  /** By the spec that runs; where none does, by the spec as written. */
  readonly wanted: DatabaseWanted;
  readonly restore: DatabaseRestore;
  readonly around: Fact<DatabaseSurroundings>;
  /** `finished` also where there is nothing to back up. */
  readonly finalBackup: Fact<'unfinished' | 'finished'>;
  /** Whether anything is left of what was applied for it, by a direct read. */
  readonly remains: Fact<boolean>;
}
