import { Context, type Effect } from 'effect';

/** One check run of a commit; `conclusion` is null until `status` is `completed`. */
export interface CheckRun {
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
}

/**
 * What the Git host answered. `refused` carries `status` as `<code> <reason phrase>`; `silent` is no answer or 5xx;
 * `limited` a rate limit, with the time (ms since the epoch) from which it answers again.
 */
export type GitAnswer<T> =
  | { readonly is: 'found'; readonly value: T }
  | { readonly is: 'refused'; readonly code: number; readonly status: string }
  | { readonly is: 'silent'; readonly why: string }
  | { readonly is: 'limited'; readonly until: number };

export interface InstallationToken {
  readonly token: string;
  readonly expiresAt: string;
}

/** Credentials of the platform's Git host application, as they stand in the Secret of `spec.gitAppRef`. */
export interface AppCredentials {
  readonly appId: string;
  readonly privateKey: string;
}

/**
 * The one supported Git host. Reads are conditional (ETag) and shared: two callers that ask the same at the same time
 * cause one request.
 */
export interface GitHostShape {
  /** `GET /repos/<repository>/commits/<ref>`: the full sha of a branch, tag or (short) sha. */
  readonly commit: (token: string, repository: string, ref: string) => Effect.Effect<GitAnswer<string>>;
  /** `GET /repos/<repository>/commits/<sha>/check-runs`, every page. */
  readonly checkRuns: (token: string, repository: string, sha: string) => Effect.Effect<GitAnswer<readonly CheckRun[]>>;
  /** A fresh token of one installation of the application. */
  readonly installationToken: (
    app: AppCredentials,
    installationId: number,
  ) => Effect.Effect<GitAnswer<InstallationToken>>;
}

export class GitHost extends Context.Service<GitHost, GitHostShape>()('core/GitHost') {}
