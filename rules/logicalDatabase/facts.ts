import type { Fact } from '../fact.ts';
import type { FailedAction } from '../cause/failedAction.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';
import type { Counts } from '../verdict.ts';

/** The parts of a logical database's project that matter here. */
export type ProjectSeen =
  | { readonly is: 'absent' | 'notReady' | 'withoutEnvironment' }
  | { readonly is: 'fine'; readonly region: string; readonly requiredTags: readonly string[] };

/** The CoreDatabase that `spec.serverRef` names. */
export type ServerSeen =
  | { readonly is: 'absent' }
  | {
      readonly is: 'found';
      readonly ready: boolean;
      /** `shared` when it has no project, `elsewhere` when it belongs to another project or environment. */
      readonly owner: 'here' | 'elsewhere' | 'shared';
      readonly engine: string;
      /** An external server has no administrator that Core knows. */
      readonly external: boolean;
      /** Whether its status names a connection Secret. */
      readonly hasConnection: boolean;
      readonly region: string;
      /** `tags` and `required` of its node placement; null for a server installed before placements were recorded. */
      readonly placedOn: readonly string[] | null;
    };

/**
 * The Job `<name>-create`: `other` when it is of another attempt, `taken` when a database of that name belongs to
 * another login (decision 80).
 */
export type CreateJobSeen = 'absent' | 'other' | 'running' | 'succeeded' | 'failed' | 'taken';

/** The Job `<name>-drop`: `other` when it is of an earlier object of the name. */
export type DropJobSeen = 'absent' | 'other' | 'running' | 'succeeded' | 'failed';

/** The dependencies of a logical database, and its existing objects. */
export interface LogicalDatabaseObserved {
  readonly project: string;
  readonly environment: string;
  readonly projectSeen: ProjectSeen;
  readonly serverName: string;
  readonly server: ServerSeen;
  readonly databaseName: string;
  /** The created database when the spec now names another one; empty otherwise. */
  readonly movedFrom: string;
  /** Whether another logical database has the same database; the older one keeps it. */
  readonly heldByOther: boolean;
  /** Whether the database was created on the current server, with a known login. */
  readonly created: boolean;
  /** Whether the server's connection Secret can be read. */
  readonly connection: boolean;
  /** Whether the login of the server's administrator exists. */
  readonly adminLogin: boolean;
  readonly job: CreateJobSeen;
  /** Whether its own Secrets hold what they should. */
  readonly connected: boolean;
  /** Fields that another manager keeps changing back, as sentences. */
  readonly contested: readonly string[];
  /** The failed action of this pass. */
  readonly failure: (FailedAction & { readonly counts: Counts }) | null;
}

/** The facts of one pass over a logical database. */
export interface LogicalDatabaseFacts {
  readonly now: number;
  readonly asked: 'create' | null;
  /** `metadata.deletionTimestamp`. */
  readonly deletedAt: number | null;
  /** The result of the machine `provisionRetry` after its step in this pass, which precedes this machine's step. */
  readonly retry: RetrySeen;
  /** `status.provision.activeProvisionAttempt`: the run of the create Job. */
  readonly attempt: string | null;
  readonly finalizer: boolean;
  readonly around: Fact<LogicalDatabaseObserved>;
  /** Whether the Job `<name>-create` or one of its pods exists, by a direct read. */
  readonly createJobLeft: Fact<boolean>;
  /** By a direct read. */
  readonly dropJob: Fact<DropJobSeen>;
}
