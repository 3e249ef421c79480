import type { Fact } from '../fact.ts';

type Role = 'admin' | 'viewer';

/** The user of a session according to the current Secret. */
export type UserSeen =
  { readonly is: 'absent' } | { readonly is: 'present'; readonly role: Role; readonly epoch: number };

/** The facts when a user signs in or makes a request, or when a session is checked. */
export interface DashboardSessionFacts {
  readonly now: number;
  readonly asked: 'signIn' | 'request' | 'signOut' | null;
  readonly nameLocked: boolean;
  /** Costs a hash computation; false for a name that is not configured. */
  readonly passwordRight: Fact<boolean>;
  /** The content of the cookie; at sign-in `now` and the user's own values. */
  readonly signedInAt: number;
  readonly role: Role;
  readonly epoch: number;
  readonly user: UserSeen;
}
