export type ServiceState = 'ready' | 'pending' | 'failed' | 'draft' | 'deleting';
export type BuildPhase = 'Pending' | 'WaitingForCI' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled';

/** The fields of a status item that the wait reads. */
export interface ServiceStatus {
  readonly state: ServiceState;
  readonly message: string;
  readonly url: string;
  /** The operator has observed this deploy and reports it as ready. */
  readonly ready: boolean;
  readonly pendingChanges: boolean;
  readonly replicas: { readonly desired: number; readonly ready: number };
  /** The latest build; null for a service without one. */
  readonly build: { readonly phase: BuildPhase; readonly failureReason: string } | null;
}

/** The response to a status read; `why` is the text of the API's error. */
export type StatusAnswer =
  | { readonly is: 'found'; readonly status: ServiceStatus }
  | { readonly is: 'refused'; readonly code: number; readonly why: string }
  | { readonly is: 'silent' };

/** The facts of one step of a wait; before the wait begins, they hold the response to the deploy. */
export interface DeployWaitFacts {
  readonly now: number;
  readonly app: string;
  /** `--wait` was given. */
  readonly wait: boolean;
  /** True when the service was named, false when the whole environment is deployed. */
  readonly named: boolean;
  /** The state the service had in the list of the environment. */
  readonly listed: ServiceState;
  readonly deploy: 'accepted' | 'refused';
  /** When this wait began; null before. */
  readonly startedAt: number | null;
  /** `--timeout`; null when not given. */
  readonly timeoutMs: number | null;
  readonly answer: StatusAnswer;
}

/** The numbers of document 002 ("Command details", deploy; "Limits"). */
export const waitLimits = { pollMs: 3_000, timeoutMs: 600_000 } as const;

export type WaitLimits = Readonly<Record<keyof typeof waitLimits, number>>;
