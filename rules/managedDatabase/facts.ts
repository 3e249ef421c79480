import type { Fact } from '../fact.ts';
import type { Counts } from '../verdict.ts';

export type ManagedKind = 'mysql' | 'postgresql';

/** Why the provider could not be read; `until` is the end of its rate limit, ms since the epoch. */
export interface Unanswered {
  readonly is: 'failed';
  readonly why: string;
  readonly counts: Counts;
  readonly until?: number | undefined;
}

/** What exists at the provider under the database's name. */
export type ProviderSeen =
  { readonly is: 'absent' } | { readonly is: 'found'; readonly kind: string; readonly ready: boolean } | Unanswered;

/** Whether the provider has the claimed login. */
export type LoginSeen = { readonly is: 'none' } | { readonly is: 'live' } | Unanswered;

/** The facts of one pass over a managed database. Secrets are never included. */
export interface ManagedDatabaseFacts {
  readonly now: number;
  /** `unwanted` for a draft, or when the spec no longer asks the provider to create the database. */
  readonly wanted: 'wanted' | 'unwanted' | 'deleting';
  /** Why the provider is not called: provisioning gave up, or an earlier blocker holds. */
  readonly heldBack: 'no' | 'givenUp' | 'hindered';
  readonly engine: string;
  /** `spec.databaseName`, or the resource's name. */
  readonly name: string;
  readonly generation: number;
  /** The refused generation; Retry clears it. */
  readonly refusedGeneration: number | null;
  readonly startedAt: number | null;
  /** When storing a login last failed. */
  readonly storeFailedAt: number | null;
  /** Whether the status names a login. */
  readonly claimed: boolean;
  /** Whether this process still holds the password that the provider returned. */
  readonly passwordHeld: boolean;
  readonly provider: Fact<ProviderSeen>;
  readonly login: Fact<LoginSeen>;
  readonly connection: Fact<'absent' | 'present'>;
  /** The action that failed in this pass. */
  readonly failed: { readonly at: 'create' | 'issue' | 'store' | 'revoke'; readonly why: string } | null;
}
