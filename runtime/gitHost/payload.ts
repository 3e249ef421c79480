import { createHash } from 'node:crypto';
import { type Commit, commitsOf } from './commits.ts';
import { fullName, type RepositoryName } from './names.ts';
import type { Repositories } from './repositories.ts';

/** A ref that a push changed; `before` and `after` are the zero sha where the ref did not exist. */
export interface RefChange {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

/** The sha of a ref that does not exist. */
export const zeroSha = '0'.repeat(40);
/** The maximum number of commits in a push event. */
const mostCommits = 2_048;
/** The one installation of the application, which sees every repository. */
export const installationId = 1;

/** The same id for the same name, in the format that a receiver expects. */
export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A stable number for a name. */
export const idOf = (name: string) => createHash('sha256').update(name).digest().readUIntBE(0, 5);

/** An account in the format of the REST API and the events. */
export const ownerJson = (owner: string) => ({ login: owner, name: owner, id: idOf(owner), type: 'User' });

/** A repository in the format of the REST API and the events. */
export const repositoryJson = (repository: RepositoryName, defaultBranch: string, cloneUrl: string) => ({
  id: idOf(fullName(repository)),
  name: repository.name,
  full_name: fullName(repository),
  private: false,
  owner: ownerJson(repository.owner),
  html_url: `${cloneUrl}/${fullName(repository)}`,
  clone_url: `${cloneUrl}/${fullName(repository)}.git`,
  description: null,
  fork: false,
  archived: false,
  default_branch: defaultBranch,
});

const commitJson = (commit: Commit, distinct: boolean) => ({
  id: commit.sha,
  tree_id: commit.tree,
  distinct,
  message: commit.message,
  timestamp: commit.committer.date,
  author: { name: commit.author.name, email: commit.author.email },
  committer: { name: commit.committer.name, email: commit.committer.email },
  added: commit.added,
  removed: commit.removed,
  modified: commit.modified,
});

/** The body of a `push` event. `known` are the objects that refs named before the push. */
export async function pushPayload(
  repositories: Repositories,
  repository: RepositoryName,
  {
    change: { ref, before, after },
    known,
    cloneUrl,
  }: {
    readonly change: RefChange;
    readonly known: readonly string[];
    readonly cloneUrl: string;
  },
) {
  const created = before === zeroSha;
  const deleted = after === zeroSha;
  const isBranch = ref.startsWith('refs/heads/');
  const head = deleted ? null : await repositories.commit(repository, after);
  const tip = head === null ? [] : await commitsOf(repositories, repository, ['-1', head]);
  const limit = ['--reverse', `-${mostCommits}`];
  const excluded = known.map((sha) => `^${sha}`);
  const isNew = new Set(
    head === null || !isBranch
      ? []
      : (await repositories.git(repository, ['rev-list', '--stdin'], `${[head, ...excluded].join('\n')}\n`)).split(
          '\n',
        ),
  );
  const listed = async () => {
    if (head === null || !isBranch) return [];
    if (!created) return commitsOf(repositories, repository, [...limit, `${before}..${head}`]);
    return isNew.has(head) ? newCommits() : [];
  };
  const newCommits = async () => {
    const shas = [...isNew].filter((sha) => sha !== '').slice(0, mostCommits);
    return commitsOf(repositories, repository, ['--no-walk=unsorted', ...shas.toReversed()]);
  };
  const commits = (await listed()).map((commit) => commitJson(commit, isNew.has(commit.sha)));
  const sender = ownerJson(repository.owner);
  const [headCommit] = tip.map((commit) => commitJson(commit, isNew.has(commit.sha)));
  return {
    ref,
    before,
    after,
    created,
    deleted,
    forced: !created && !deleted && isBranch && !(await isAncestor(repositories, repository, before, after)),
    base_ref: null,
    compare: `${cloneUrl}/${fullName(repository)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: headCommit ?? null,
    repository: repositoryJson(repository, await repositories.defaultBranch(repository), cloneUrl),
    pusher: { name: repository.owner, email: null },
    sender,
    installation: { id: installationId },
  };
}

/** Whether a commit is contained in another; not where the repository has either of them not. */
export const isAncestor = (repositories: Repositories, repository: RepositoryName, older: string, newer: string) =>
  repositories.git(repository, ['merge-base', '--is-ancestor', older, newer]).then(
    () => true,
    () => false,
  );
