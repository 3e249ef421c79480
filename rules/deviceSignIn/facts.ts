/** Who decides about a request: a dashboard session or an API token, with its current role. */
export interface Decider {
  readonly with: 'session' | 'token';
  readonly role: 'admin' | 'observer' | 'viewer';
}

/**
 * The command for a request; `giveWay` comes from a request that replaces it. `access` is null when the approver keeps
 * the page's default.
 */
export type DeviceAsked =
  | { readonly is: 'start' }
  | { readonly is: 'poll' }
  | { readonly is: 'giveWay' }
  | { readonly is: 'approve'; readonly by: Decider; readonly access: string | null; readonly lifetimeDays: number }
  | { readonly is: 'refuse'; readonly by: Decider };

/** The facts when a device sign-in receives a command or is checked. The codes are never included. */
export interface DeviceSignInFacts {
  readonly now: number;
  readonly asked: DeviceAsked | null;
  /** Requests that await a decision. */
  readonly pending: number;
  /** Whether one of them belongs to a client that has more than its share. */
  readonly mayGiveWay: boolean;
  /** Requests the client's address made within the last minute. */
  readonly startsOfAddress: number;
  /** When the request was issued; `now` for a request being made. */
  readonly issuedAt: number;
  readonly lastPollAt: number | null;
  /** The minimum interval between two polls of the client. */
  readonly intervalMs: number;
}
