import { Refusal } from '../answer.ts';
import { type Commit, commitsOf } from '../commits.ts';
import { fullName, type RepositoryName } from '../names.ts';
import { pageOf } from '../page.ts';
import { idOf, repositoryJson } from '../payload.ts';
import type { Repositories } from '../repositories.ts';
import { type Call, repositoryIn, type Route } from '../route.ts';

/** The addresses of the Git host. */
export interface Bases {
  readonly apiUrl: string;
  readonly cloneUrl: string;
}

const branchPrefix = 'refs/heads/';

/** The REST API of repositories and their commits. */
export function repositoryRoutes(repositories: Repositories, bases: () => Bases): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/installation/repositories',
      access: 'token',
      run: async ({ url }) => {
        const all = await repositories.all();
        const { items, headers } = pageOf(all, url);
        const shown = await Promise.all(
          items.map(async (one) => repositoryJson(one, await repositories.defaultBranch(one), bases().cloneUrl)),
        );
        return { status: 200, body: { total_count: all.length, repositories: shown }, headers };
      },
    },
    {
      method: 'GET',
      path: '/api/repos/:owner/:repo',
      access: 'token',
      run: async (call) => {
        const repository = await existing(repositories, call);
        const branch = await repositories.defaultBranch(repository);
        return { status: 200, body: repositoryJson(repository, branch, bases().cloneUrl) };
      },
    },
    {
      method: 'GET',
      path: '/api/repos/:owner/:repo/branches',
      access: 'token',
      run: async (call) => {
        const repository = await existing(repositories, call);
        const branches = [...(await repositories.refs(repository))].filter(([ref]) => ref.startsWith(branchPrefix));
        const { items, headers } = pageOf(branches, call.url);
        const body = items.map(([ref, sha]) => ({
          name: ref.slice(branchPrefix.length),
          commit: { sha, url: commitUrl(bases(), repository, sha) },
          protected: false,
        }));
        return { status: 200, body, headers };
      },
    },
    {
      method: 'GET',
      path: '/api/repos/:owner/:repo/commits/:ref',
      access: 'token',
      run: async (call) => {
        const repository = await existing(repositories, call);
        const sha = await commitAt(repositories, repository, call.part('ref'));
        if (/\bgithub(\.v3)?\.sha\b/.test(call.request.headers.accept ?? ''))
          return { status: 200, body: sha, headers: { 'content-type': 'application/vnd.github.sha; charset=utf-8' } };
        const [commit] = await commitsOf(repositories, repository, ['-1', sha]);
        if (!commit) throw new Refusal(404);
        return { status: 200, body: commitJson(bases(), repository, commit) };
      },
    },
  ];
}

/** The repository of a call; throws a refusal when it is missing. */
export async function existing(repositories: Repositories, call: Call): Promise<RepositoryName> {
  const repository = repositoryIn(call);
  if (!(await repositories.exists(repository))) throw new Refusal(404);
  return repository;
}

/** The commit of a branch, tag or sha; refused with the message of the supported Git host when missing. */
export async function commitAt(repositories: Repositories, repository: RepositoryName, ref: string): Promise<string> {
  const sha = await repositories.commit(repository, ref);
  if (sha !== null) return sha;
  const isEmpty = (await repositories.refs(repository)).size === 0;
  throw isEmpty ? new Refusal(409, 'Git Repository is empty.') : new Refusal(422, `No commit found for SHA: ${ref}`);
}

const commitUrl = ({ apiUrl }: Bases, repository: RepositoryName, sha: string) =>
  `${apiUrl}/repos/${fullName(repository)}/commits/${sha}`;

const commitJson = (bases: Bases, repository: RepositoryName, commit: Commit) => ({
  sha: commit.sha,
  node_id: String(idOf(commit.sha)),
  url: commitUrl(bases, repository, commit.sha),
  html_url: `${bases.cloneUrl}/${fullName(repository)}/commit/${commit.sha}`,
  commit: {
    author: commit.author,
    committer: commit.committer,
    message: commit.message,
    tree: { sha: commit.tree },
    comment_count: 0,
  },
  author: null,
  committer: null,
  parents: commit.parents.map((sha) => ({ sha, url: commitUrl(bases, repository, sha) })),
  files: (['added', 'removed', 'modified'] as const).flatMap((status) =>
    commit[status].map((filename) => ({ filename, status })),
  ),
});
