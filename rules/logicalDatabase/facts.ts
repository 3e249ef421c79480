import type { Fact } from '../fact.ts';

/** The project of a logical database, as far as it counts here. */
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
      /** `tags` and `required` of its node placement; null when it was installed before there was one. */
      readonly placedOn: readonly string[] | null;
    };

/** `taken` when a database of that name belongs to another login (decision 80). */
export type JobOutcome = 'running' | 'succeeded' | 'failed' | 'taken';

/** The Job `<name>-create`, and the attempt that it carries. */
export type CreateJobSeen =
  { readonly is: 'absent' } | { readonly is: 'present'; readonly attempt: string; readonly outcome: JobOutcome };

/** What comes with the objects: the same for the rules and for what a person reads. */
export interface LogicalDatabaseNamed {
  readonly project: string;
  readonly environment: string;
  readonly projectSeen: ProjectSeen;
  readonly serverName: string;
  readonly server: ServerSeen;
  readonly databaseName: string;
  /** `status.database` is set: the database was created once. */
  readonly created: boolean;
}

/** What one pass knows of a logical database; provisional, for no controller gathers it yet. */
export interface LogicalDatabaseFacts extends LogicalDatabaseNamed {
  readonly now: number;
  readonly asked: 'retry' | null;
  readonly generation: number;
  /** `status.reconcileRetry`: counted failures in a row, since when without a wait between, for which generation. */
  readonly retry: { readonly failures: number; readonly startedAt: number | null; readonly generation: number };
  /** `status.provision.activeProvisionAttempt`: names the run of the create Job. */
  readonly attempt: string | null;
  readonly finalizer: boolean;
  readonly deletingSince: number | null;
  /** Whether the server's connection Secret can be read. */
  readonly connection: Fact<boolean>;
  readonly adminLogin: Fact<boolean>;
  readonly job: Fact<CreateJobSeen>;
  readonly dropJob: Fact<'absent' | 'running' | 'succeeded' | 'failed'>;
}

/** What costs a call, once it is known, and whether it still matters. */
export interface LogicalDatabaseRead {
  readonly created: boolean;
  readonly connection: boolean;
  readonly adminLogin: boolean;
  readonly job: 'absent' | JobOutcome;
}

/** Everything known, with the move of this pass: what the Ready condition is made of. */
export interface LogicalDatabaseSeen extends LogicalDatabaseNamed, LogicalDatabaseRead {
  readonly moved: 'gaveUp' | 'retried' | 'otherwise';
}
