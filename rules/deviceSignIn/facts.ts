/** Who decides about a request: a dashboard session or an API token, and the role it has now. */
export interface Decider {
  readonly with: 'session' | 'token';
  readonly role: 'admin' | 'observer' | 'viewer';
}

/** What is asked of a request, `giveWay` by one that takes its place; `access` is null where the approver leaves the default of the page. */
export type DeviceAsked =
  | { readonly is: 'start' }
  | { readonly is: 'poll' }
  | { readonly is: 'giveWay' }
  | { readonly is: 'approve'; readonly by: Decider; readonly access: string | null; readonly lifetimeDays: number }
  | { readonly is: 'refuse'; readonly by: Decider };

/** What is known when a device sign-in is asked about or looked at. The codes are never in it. */
export interface DeviceSignInFacts {
  readonly now: number;
  readonly asked: DeviceAsked | null;
  /** Requests that wait for a decision. */
  readonly pending: number;
  /** Whether one of them is of a client that has more than its share. */
  readonly mayGiveWay: boolean;
  /** Requests the client's address made within the last minute. */
  readonly startsOfAddress: number;
  /** When the request was issued; `now` for one that is asked for. */
  readonly issuedAt: number;
  readonly lastPollAt: number | null;
  /** How long the client has to wait between two polls. */
  readonly intervalMs: number;
}
