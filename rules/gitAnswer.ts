/** One check run of a commit; `conclusion` is null until `status` is `completed`. */
export interface CheckRun {
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
}

/** A pull request as the Git host shows it now; `head` is the commit of its branch. */
export interface PullRequestAtHost {
  readonly state: 'open' | 'closed';
  readonly head: string;
}

/**
 * The Git host's response. `refused` carries `status` as `<code> <reason phrase>`; `silent` is no response or 5xx;
 * `limited` is a rate limit, with the time (ms since the epoch) at which it ends.
 */
export type GitAnswer<T> =
  | { readonly is: 'found'; readonly value: T }
  | { readonly is: 'refused'; readonly code: number; readonly status: string }
  | { readonly is: 'silent'; readonly why: string }
  | { readonly is: 'limited'; readonly until: number };
