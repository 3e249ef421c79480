import { join } from 'node:path';
import { fullName, repositoryName, type RepositoryName } from './names.ts';
import type { StoredPullRequest } from './pullRequests.ts';
import type { Repositories } from './repositories.ts';

const identity = ['-c', 'user.name=Git host', '-c', 'user.email=git-host@localhost'];

/** Merges a pull request by a commit on its target; returns that commit, null on a merge conflict. */
export async function mergeInto(
  repositories: Repositories,
  base: RepositoryName,
  { number, head, base: target }: StoredPullRequest,
): Promise<string | null> {
  const branch = `refs/heads/${target.branch}`;
  const before = (await repositories.refs(base)).get(branch);
  if (before === undefined) return null;
  await takeOver(repositories, base, head);
  const tree = await repositories
    .git(base, ['merge-tree', '--write-tree', before, head.sha])
    .then((text) => text.split('\n')[0] ?? '')
    .catch(() => null);
  if (tree === null) return null;
  const message = `Merge pull request #${number} from ${head.repository}:${head.branch}`;
  const parents = ['-p', before, '-p', head.sha];
  const sha = (await repositories.git(base, [...identity, 'commit-tree', tree, ...parents, '-m', message])).trim();
  await repositories.git(base, ['update-ref', branch, sha, before]);
  return sha;
}

/** Fetches the head of a fork, whose objects are not in the target repository. */
async function takeOver(
  repositories: Repositories,
  base: RepositoryName,
  { repository: from, branch }: StoredPullRequest['head'],
): Promise<void> {
  const [owner = '', name = ''] = from.split('/');
  const fork = repositoryName(owner, name);
  if (fork === null || from === fullName(base)) return;
  const path = join(repositories.root, fork.owner, `${fork.name}.git`);
  await repositories.git(base, ['fetch', '--quiet', '--no-tags', path, `refs/heads/${branch}`]);
}
