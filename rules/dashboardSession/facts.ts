import type { Fact } from '../fact.ts';

type Role = 'admin' | 'viewer';

/** The user of a session as the Secret knows them now. */
export type UserSeen =
  { readonly is: 'absent' } | { readonly is: 'present'; readonly role: Role; readonly epoch: number };

/** What is known when somebody signs in or makes a request, or when a session is looked at. */
export interface DashboardSessionFacts {
  readonly now: number;
  readonly asked: 'signIn' | 'request' | 'signOut' | null;
  readonly nameLocked: boolean;
  /** Costs the work of a hash; false for a name that is not configured. */
  readonly passwordRight: Fact<boolean>;
  /** What the cookie carries; `now` and the user's own where somebody signs in. */
  readonly signedInAt: number;
  readonly role: Role;
  readonly epoch: number;
  readonly user: UserSeen;
}
