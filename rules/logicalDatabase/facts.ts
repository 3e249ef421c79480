import type { Fact } from '../fact.ts';

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
      /** `shared` when it has no project, `elsewhere` when it is of another project or environment. */
      readonly owner: 'here' | 'elsewhere' | 'shared';
      readonly engine: string;
      /** Whether its status names a connection Secret. */
      readonly hasConnection: boolean;
      readonly region: string;
      /** `tags` and `required` of its node placement; null for a server installed before placements were recorded. */
      readonly placedOn: readonly string[] | null;
    };

/** `taken` when a database of that name belongs to another login (decision 80). */
export type JobOutcome = 'running' | 'succeeded' | 'failed' | 'taken';

/** The Job `<name>-create`, and the attempt that it carries. */
export type CreateJobSeen =
  { readonly is: 'absent' } | { readonly is: 'present'; readonly attempt: string; readonly outcome: JobOutcome };

/** What is read with the objects, for the rules and the messages alike. */
export interface LogicalDatabaseNamed {
  readonly project: string;
  readonly environment: string;
  readonly projectSeen: ProjectSeen;
  readonly serverName: string;
  readonly server: ServerSeen;
  readonly databaseName: string;
  /** `status.database` is set: the database has been created. */
  readonly created: boolean;
}

/** The facts of one pass over a logical database. Provisional: no controller gathers them yet. */
export interface LogicalDatabaseFacts extends LogicalDatabaseNamed {
  readonly now: number;
  readonly asked: 'retry' | null;
  readonly generation: number;
  /**
   * `status.reconcileRetry`: consecutive counted failures, the time since which no wait interrupted them, and
   * their generation.
   */
  readonly retry: { readonly failures: number; readonly startedAt: number | null; readonly generation: number };
  /** `status.provision.activeProvisionAttempt`: the run of the create Job. */
  readonly attempt: string | null;
  readonly finalizer: boolean;
  readonly deletingSince: number | null;
  /** Whether the server's connection Secret can be read. */
  readonly connection: Fact<boolean>;
  readonly adminLogin: Fact<boolean>;
  readonly job: Fact<CreateJobSeen>;
  readonly dropJob: Fact<'absent' | 'running' | 'succeeded' | 'failed'>;
}

/** The facts that cost a call, once known, and whether they still matter. */
export interface LogicalDatabaseRead {
  readonly created: boolean;
  readonly connection: boolean;
  readonly adminLogin: boolean;
  readonly job: 'absent' | JobOutcome;
}

/** The known facts with the transition of this pass: the input of the Ready condition. */
export interface LogicalDatabaseSeen extends LogicalDatabaseNamed, LogicalDatabaseRead {
  readonly moved: 'gaveUp' | 'retried' | 'otherwise';
}
