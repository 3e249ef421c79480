import { createHash } from 'node:crypto';
import type { Commit } from './commits.ts';
import { fullName, type RepositoryName } from './names.ts';
import { type Gained, gainedBy } from './pushedCommits.ts';
import { type RefChange, zeroSha } from './refChange.ts';
import type { Repositories } from './repositories.ts';

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

/** The bodies of the `push` events of changed refs. `known` are the objects that refs named before the push. */
export async function pushPayloads(
  repositories: Repositories,
  repository: RepositoryName,
  {
    changes,
    known,
    cloneUrl,
  }: { readonly changes: readonly RefChange[]; readonly known: readonly string[]; readonly cloneUrl: string },
) {
  const gained = await gainedBy(repositories, repository, { changes, known });
  const shown = repositoryJson(repository, await repositories.defaultBranch(repository), cloneUrl);
  return changes.map((change, at) => payloadOf(repository, shown, { change, cloneUrl, gained: gained[at] ?? nothing }));
}

const nothing: Gained = { head: null, commits: [], isNew: () => false, forced: false };

interface Pushed {
  readonly change: RefChange;
  readonly cloneUrl: string;
  readonly gained: Gained;
}

function payloadOf(
  repository: RepositoryName,
  shown: ReturnType<typeof repositoryJson>,
  { change: { ref, before, after }, cloneUrl, gained: { head, commits, isNew, forced } }: Pushed,
) {
  const commitShown = (commit: Commit) => commitJson(commit, isNew(commit.sha));
  return {
    ref,
    before,
    after,
    created: before === zeroSha,
    deleted: after === zeroSha,
    forced,
    base_ref: null,
    compare: `${cloneUrl}/${fullName(repository)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: commits.map(commitShown),
    head_commit: head === null ? null : commitShown(head),
    repository: shown,
    pusher: { name: repository.owner, email: null },
    sender: ownerJson(repository.owner),
    installation: { id: installationId },
  };
}

/** Whether a commit is contained in another; false when the repository lacks one of them. */
export const isAncestor = (repositories: Repositories, repository: RepositoryName, older: string, newer: string) =>
  repositories.git(repository, ['merge-base', '--is-ancestor', older, newer]).then(
    () => true,
    () => false,
  );
