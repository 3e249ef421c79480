import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { CheckRun, PullRequestAtHost } from '../../../rules/gitAnswer.ts';
import type { Installation, InstallationToken, MadeApplication, Repository } from '../gitHost.ts';

/** Parses a response of the Git host; null when it does not have the documented shape. */
export type Read<T> = (data: unknown, headers: Readonly<Record<string, unknown>>) => T | null;

const commit = Type.Object({ sha: Type.String() });
const page = Type.Object({
  total_count: Type.Optional(Type.Integer()),
  check_runs: Type.Array(
    Type.Object({
      id: Type.Optional(Type.Number()),
      name: Type.String(),
      status: Type.String(),
      conclusion: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});
const installed = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  account: Type.Union([Type.Object({ login: Type.Optional(Type.String()) }), Type.Null()]),
});
const allInstalled = Type.Array(installed);
const readable = Type.Object({
  repositories: Type.Array(
    Type.Object({
      full_name: Type.String({ minLength: 1 }),
      default_branch: Type.Optional(Type.String()),
      private: Type.Optional(Type.Boolean()),
    }),
  ),
});
const filled = Type.String({ minLength: 1 });
const made = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  client_id: filled,
  client_secret: filled,
  slug: filled,
  pem: filled,
  webhook_secret: Type.Union([filled, Type.Null()]),
});
const shown = Type.Object({
  state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
  head: Type.Object({ sha: Type.String() }),
});
const issued = Type.Object({ token: Type.String({ minLength: 1 }), expires_at: Type.String() });

const as = <T extends TSchema>(schema: T, data: unknown): Static<T> | null => (Value.Check(schema, data) ? data : null);

const fullSha = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** The Git host sends a bare sha when only that is requested; a commit as JSON is accepted as well. */
export const readSha: Read<{ readonly sha: string }> = (data) => {
  const sha = typeof data === 'string' ? data.trim() : (as(commit, data)?.sha ?? '');
  return fullSha.test(sha) ? { sha } : null;
};

/** One page of the check runs of a commit. */
export interface CheckRunPage {
  /** The number over all pages, if the Git host states it. */
  readonly total: number | undefined;
  readonly more: boolean;
  readonly runs: readonly (CheckRun & { readonly id: number | undefined })[];
}

export const readCheckRuns: Read<CheckRunPage> = (data, { link }) => {
  const read = as(page, data);
  if (read === null) return null;
  return {
    total: read.total_count,
    more: typeof link === 'string' && link.includes('rel="next"'),
    runs: read.check_runs.map(({ id, name, status, conclusion = null }) => ({ id, name, status, conclusion })),
  };
};

export const readToken: Read<InstallationToken> = (data) => {
  const read = as(issued, data);
  if (read === null || Number.isNaN(Date.parse(read.expires_at))) return null;
  return { token: read.token, expiresAt: new Date(read.expires_at).toISOString() };
};

export const readPullRequest: Read<PullRequestAtHost> = (data) => {
  const read = as(shown, data);
  return read === null ? null : { state: read.state, head: fullSha.test(read.head.sha) ? read.head.sha : '' };
};

const installationOf = ({ id, account }: Static<typeof installed>): Installation => ({
  id,
  account: account?.login ?? '',
});

export const readInstallation: Read<Installation> = (data) => {
  const read = as(installed, data);
  return read === null ? null : installationOf(read);
};

export const readInstallations: Read<readonly Installation[]> = (data) =>
  as(allInstalled, data)?.map(installationOf) ?? null;

export const readRepositories: Read<readonly Repository[]> = (data) =>
  as(readable, data)?.repositories.map(({ full_name: name, default_branch: defaultBranch = '', ...told }) => ({
    name,
    defaultBranch,
    private: told.private ?? false,
  })) ?? null;

export const readMade: Read<MadeApplication> = (data) => {
  const read = as(made, data);
  if (read === null) return null;
  return {
    appId: String(read.id),
    clientId: read.client_id,
    clientSecret: read.client_secret,
    slug: read.slug,
    privateKey: read.pem,
    webhookSecret: read.webhook_secret ?? '',
  };
};
