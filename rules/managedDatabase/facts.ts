import type { Fact } from '../fact.ts';

export type ManagedKind = 'mysql' | 'postgresql';

/** What the provider has under the database's name. */
export type ProviderSeen =
  | { readonly is: 'absent' }
  | { readonly is: 'found'; readonly kind: string; readonly ready: boolean }
  | { readonly is: 'failed'; readonly why: string };

/** Whether the provider has the claimed login. */
export type LoginSeen =
  { readonly is: 'none' } | { readonly is: 'live' } | { readonly is: 'failed'; readonly why: string };

/** What a pass knows of a managed database. Provisional: no controller gathers these facts yet. No secret is in it. */
export interface ManagedDatabaseFacts {
  readonly now: number;
  /** `unwanted` for a draft, or when the provider is no longer asked to create the database. */
  readonly wanted: 'wanted' | 'unwanted' | 'deleting';
  readonly engine: string;
  /** `spec.databaseName`, or the resource's name. */
  readonly name: string;
  readonly generation: number;
  /** The generation that was refused; Retry empties it. */
  readonly refusedGeneration: number | null;
  readonly startedAt: number | null;
  /** When a login could last not be stored. */
  readonly storeFailedAt: number | null;
  /** Whether a login was named in the status, so that it can be found again. */
  readonly claimed: boolean;
  /** Whether this process still holds the password that the provider showed. */
  readonly passwordHeld: boolean;
  readonly provider: Fact<ProviderSeen>;
  readonly login: Fact<LoginSeen>;
  readonly connection: Fact<'absent' | 'present'>;
  /** The action that failed in this pass. */
  readonly failed: { readonly at: 'create' | 'issue' | 'store' | 'revoke'; readonly why: string } | null;
}
