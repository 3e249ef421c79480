/** An entry of `status.pullRequests`. */
export interface OpenPullRequest {
  readonly number: number;
  /** `owner/name`. */
  readonly repository: string;
  readonly environment: string;
}

/** An event of the Git host about a pull request. */
export interface HostEvent {
  readonly is: 'hostEvent';
  readonly event: 'opened' | 'reopened' | 'readyForReview' | 'pushed' | 'closed';
  /** The installation of the application that it came through; null for none. */
  readonly installation: number | null;
  readonly number: number;
  readonly repository: string;
  readonly branch: string;
  readonly head: string;
  readonly targetBranch: string;
  /** The source repository of the pull request; null when it was deleted. */
  readonly headRepository: string | null;
  readonly draft: boolean;
  readonly url: string;
}

/** The facts about a pull request and its project. */
export interface PullRequestFacts {
  readonly now: number;
  readonly asked: Pick<HostEvent, 'is'> | null;
  readonly event: HostEvent['event'] | 'none';
  /** The event came through the platform's Git host application. */
  readonly throughApplication: boolean;
  readonly number: number;
  readonly repository: string;
  readonly targetBranch: string;
  /** The source repository of the pull request; null when it was deleted. */
  readonly headRepository: string | null;
  readonly draft: boolean;
  readonly project: string;
  readonly enabled: boolean;
  readonly link: 'linked' | 'unsubscribed' | 'none';
  /** The repository services of the base environment, each with the branch it builds. */
  readonly baseServices: readonly { readonly repository: string; readonly branch: string }[];
  /** `spec.prEnvironments.maxOpen`; null when not set. */
  readonly maxOpen: number | null;
  readonly open: readonly OpenPullRequest[];
  /** Names of `spec.environments`. */
  readonly environments: readonly string[];
  /** Whether the environment exists with all copies. */
  readonly copied: boolean;
  /** Whether nothing is left of the environment. */
  readonly removed: boolean;
}

/** The numbers of document 001 ("prEnvironments", "Limits"). */
export const pullRequestLimits = { maxOpen: 5, nameLength: 63 } as const;

export type PullRequestLimits = Readonly<Record<keyof typeof pullRequestLimits, number>>;
