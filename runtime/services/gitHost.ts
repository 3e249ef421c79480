import { Context, type Effect } from 'effect';
import type { CheckRun, GitAnswer, PullRequestAtHost } from '../../rules/gitAnswer.ts';

export interface InstallationToken {
  readonly token: string;
  readonly expiresAt: string;
}

/** Credentials of the platform's Git host application, as stored in the Secret of `spec.gitAppRef`. */
export interface AppCredentials {
  readonly appId: string;
  readonly privateKey: string;
}

/** An installation of the application: an account whose repositories it may read. */
export interface Installation {
  readonly id: number;
  readonly account: string;
}

/** The six values of a created application. */
export interface MadeApplication extends AppCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly slug: string;
  readonly webhookSecret: string;
}

/** A repository that an installation may read. */
export interface Repository {
  readonly name: string;
  readonly defaultBranch: string;
  readonly private: boolean;
}

/** The one supported Git host. Reads are conditional (ETag) and shared: equal concurrent reads cause one request. */
export interface GitHostShape {
  /** `GET /repos/<repository>/commits/<ref>`: the full sha of a branch, tag or (short) sha. */
  readonly commit: (token: string, repository: string, ref: string) => Effect.Effect<GitAnswer<string>>;
  /** `GET /repos/<repository>/commits/<sha>/check-runs`, every page. */
  readonly checkRuns: (token: string, repository: string, sha: string) => Effect.Effect<GitAnswer<readonly CheckRun[]>>;
  /** `GET /repos/<repository>/pulls/<number>`. */
  readonly pullRequest: (
    token: string,
    repository: string,
    number: number,
  ) => Effect.Effect<GitAnswer<PullRequestAtHost>>;
  /** A new token of one installation of the application. */
  readonly installationToken: (
    app: AppCredentials,
    installationId: number,
  ) => Effect.Effect<GitAnswer<InstallationToken>>;
  /** `GET /app/installations/<id>`. */
  readonly installation: (app: AppCredentials, id: number) => Effect.Effect<GitAnswer<Installation>>;
  /** `GET /app/installations`: the first hundred installations of the application. */
  readonly installations: (app: AppCredentials) => Effect.Effect<GitAnswer<readonly Installation[]>>;
  /** `POST /app-manifests/<code>/conversions`: the application created from a manifest, once. */
  readonly madeApplication: (code: string) => Effect.Effect<GitAnswer<MadeApplication>>;
  /** `GET /installation/repositories`: the first hundred repositories that a token may read. */
  readonly repositories: (token: string) => Effect.Effect<GitAnswer<readonly Repository[]>>;
}

export class GitHost extends Context.Service<GitHost, GitHostShape>()('core/GitHost') {}
