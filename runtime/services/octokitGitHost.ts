import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { Effect, Layer } from 'effect';
import type { CheckRun, GitAnswer } from '../../rules/gitAnswer.ts';
import { conditionalAsk, fingerprint } from './git/ask.ts';
import { everyCheckRun, perPage } from './git/checkRuns.ts';
import { refused, silent } from './git/failure.ts';
import {
  readCheckRuns,
  readInstallation,
  readInstallations,
  readMade,
  readPullRequest,
  readRepositories,
  readSha,
  readToken,
} from './git/read.ts';
import { sharedAsk } from './git/shared.ts';
import { type AppCredentials, GitHost, type GitHostShape } from './gitHost.ts';

export interface GitHostOptions {
  /** Base of the REST API. */
  readonly apiUrl: string;
  /** The timeout of one request. */
  readonly timeoutMs: number;
  /** How long a result for a full sha is reused for later callers; 2 s by default. */
  readonly freshMs?: number;
}

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const fullSha = /^[0-9a-f]{40}$/;

/** The Git host over its REST API, through Octokit. */
export const octokitGitHost = (options: GitHostOptions): Layer.Layer<GitHost> =>
  Layer.sync(GitHost, () => gitHost(options));

function gitHost({ apiUrl, timeoutMs, freshMs = 2_000 }: GitHostOptions): GitHostShape {
  const { rest } = new Octokit({ baseUrl: apiUrl.replace(/\/+$/, ''), log: quiet, request: { log: quiet } });
  const ask = conditionalAsk(timeoutMs);
  const shareCommit = sharedAsk<{ readonly sha: string }>();
  const shareCheckRuns = sharedAsk<readonly CheckRun[]>();

  return {
    commit: (token, repository, ref) => {
      const place = placeOf(repository);
      if (place === null || ref === '') return Effect.succeed(refused(404));
      const what = `commit ${repository} ${ref}`;
      const asked = ask({
        what,
        token,
        send: (carried) => rest.repos.getCommit({ ...place, ref, mediaType: { format: 'sha' }, ...carried }),
        read: readSha,
      });
      // A branch may have moved since the last answer, a sha never does.
      const mayReuseMs = fullSha.test(ref) ? freshMs : 0;
      return shareCommit(`${fingerprint(token)} ${what}`, mayReuseMs, asked).pipe(
        Effect.map((answer) => (answer.is === 'found' ? { is: 'found', value: answer.value.sha } : answer)),
      );
    },
    checkRuns: (token, repository, sha) => {
      const place = placeOf(repository);
      if (place === null || sha === '') return Effect.succeed(refused(404));
      const what = `check runs ${repository} ${sha}`;
      const parameters = { ...place, ref: sha, filter: 'latest', per_page: perPage } as const;
      const asked = everyCheckRun((page) =>
        ask({
          what: `${what} ${page}`,
          token,
          send: (carried) => rest.checks.listForRef({ ...parameters, page, ...carried }),
          read: readCheckRuns,
        }),
      );
      return shareCheckRuns(`${fingerprint(token)} ${what}`, freshMs, asked);
    },
    pullRequest: (token, repository, number) => {
      const place = placeOf(repository);
      if (place === null) return Effect.succeed(refused(404));
      return ask({
        what: `pull request ${repository} ${number}`,
        token,
        send: (carried) => rest.pulls.get({ ...place, pull_number: number, ...carried }),
        read: readPullRequest,
      });
    },
    installationToken: (app, installationId) =>
      asApplication(app, (token) =>
        ask({
          token,
          send: (carried) => rest.apps.createInstallationAccessToken({ installation_id: installationId, ...carried }),
          read: readToken,
        }),
      ),
    installation: (app, id) =>
      asApplication(app, (token) =>
        ask({
          token,
          send: (carried) => rest.apps.getInstallation({ installation_id: id, ...carried }),
          read: readInstallation,
        }),
      ),
    installations: (app) =>
      asApplication(app, (token) =>
        ask({
          token,
          send: (carried) => rest.apps.listInstallations({ per_page: perPage, ...carried }),
          read: readInstallations,
        }),
      ),
    madeApplication: (code) =>
      ask({ token: null, send: (carried) => rest.apps.createFromManifest({ code, ...carried }), read: readMade }),
    repositories: (token) =>
      ask({
        token,
        send: (carried) => rest.apps.listReposAccessibleToInstallation({ per_page: perPage, ...carried }),
        read: readRepositories,
      }),
  };
}

/** `owner/name`; null for an invalid name, which could redirect a request. */
function placeOf(repository: string): { readonly owner: string; readonly repo: string } | null {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === undefined || repo === undefined) return null;
  return [owner, repo].some((part) => part === '.' || part === '..') ? null : { owner, repo };
}

/** Sends a request with the application's own token; without a usable key, sends none. */
const asApplication = <T>(
  app: AppCredentials,
  asked: (token: string) => Effect.Effect<GitAnswer<T>>,
): Effect.Effect<GitAnswer<T>> =>
  Effect.flatMap(applicationToken(app), (token) =>
    token === null ? Effect.succeed(silent('the private key of the application cannot be used')) : asked(token),
  );

/** The application's own signed token, valid for ten minutes; null when its key is invalid. */
const applicationToken = ({ appId, privateKey }: AppCredentials): Effect.Effect<string | null> =>
  Effect.tryPromise(async () => {
    const { token } = await createAppAuth({ appId, privateKey, log: quiet })({ type: 'app' });
    return token;
  }).pipe(Effect.catch(() => Effect.succeed(null)));
