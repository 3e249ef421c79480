export type Role = 'admin' | 'observer' | 'viewer';

/** One environment of one project. */
export interface Scope {
  readonly project: string;
  readonly environment: string;
}

/** A user signed in to the dashboard, with their current role. Times are ms since the epoch. */
export interface SessionCaller {
  readonly with: 'session';
  readonly username: string;
  readonly role: 'admin' | 'viewer';
  readonly expiresAt: number;
}

/** A script, a command line or an agent. A project token acts on its one environment and on nothing else. */
export interface TokenCaller {
  readonly with: 'token';
  /** The public identifier. */
  readonly id: string;
  /** `token:<token name>` */
  readonly username: string;
  readonly role: Role;
  /** Null for a token of the workspace. */
  readonly scope: Scope | null;
  /** Null for a token that never expires. */
  readonly expiresAt: number | null;
}

export type Caller = SessionCaller | TokenCaller;

/** A key that identifies a caller across requests. */
export const callerKey = (caller: Caller): string =>
  caller.with === 'session' ? `session ${caller.username}` : `token ${caller.id}`;

/** The classes of callers that permissions distinguish. */
export const callerClasses = [
  'anonymous',
  'viewer session',
  'admin session',
  'viewer token',
  'observer token',
  'admin token',
  'project token',
] as const;
export type CallerClass = (typeof callerClasses)[number];

export function classOf(caller: Caller | null): CallerClass {
  if (caller === null) return 'anonymous';
  if (caller.with === 'session') return `${caller.role} session`;
  return caller.scope === null ? `${caller.role} token` : 'project token';
}
