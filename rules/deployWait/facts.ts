export type ServiceState = 'ready' | 'pending' | 'failed' | 'draft' | 'deleting';
export type BuildPhase = 'Pending' | 'WaitingForCI' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled';

/** What the wait reads of a status item. */
export interface ServiceStatus {
  readonly state: ServiceState;
  readonly message: string;
  readonly url: string;
  /** The operator has seen this deploy and found it ready. */
  readonly ready: boolean;
  readonly pendingChanges: boolean;
  readonly replicas: { readonly desired: number; readonly ready: number };
  /** The latest build; null for a service without one. */
  readonly build: { readonly phase: BuildPhase; readonly failureReason: string } | null;
}

/** What a read of the status gave; `why` is the text of the API's error. */
export type StatusAnswer =
  | { readonly is: 'found'; readonly status: ServiceStatus }
  | { readonly is: 'refused'; readonly code: number; readonly why: string }
  | { readonly is: 'silent' };

/** What one look of a wait knows; before the wait it is what the deploy answered. */
export interface DeployWaitFacts {
  readonly now: number;
  readonly app: string;
  /** `--wait` was given. */
  readonly wait: boolean;
  /** The service was named, rather than found in an environment that is deployed as a whole. */
  readonly named: boolean;
  /** The state the service had in the list of the environment. */
  readonly listed: ServiceState;
  readonly deploy: 'accepted' | 'refused';
  /** When this wait began; null before. */
  readonly startedAt: number | null;
  /** `--timeout`; null where it was not given. */
  readonly timeoutMs: number | null;
  readonly answer: StatusAnswer;
}

/** The numbers of document 002 ("Command details", deploy; "Limits"). */
export const waitLimits = { pollMs: 3_000, timeoutMs: 600_000 } as const;

export type WaitLimits = Readonly<Record<keyof typeof waitLimits, number>>;
