import type { RepositoryName } from './names.ts';
import type { Repositories } from './repositories.ts';

/** A commit that no ref had before, and its place in the order of `git rev-list`. */
export interface NewCommit {
  readonly place: number;
  readonly parents: readonly string[];
}

/** The maximum number of commits in a push event. */
export const maxCommits = 2_048;
/** Beyond this many new commits, git itself is asked per branch. */
const maxWalked = 10_000;

/** The commits that some heads contain and no ref had before, newest first. */
export async function newCommits(
  repositories: Repositories,
  repository: RepositoryName,
  heads: readonly string[],
  known: readonly string[],
): Promise<ReadonlyMap<string, NewCommit>> {
  if (heads.length === 0) return new Map();
  const lines = await listed(repositories, repository, ['--topo-order', '--parents', '--stdin'], without(heads, known));
  return new Map(
    lines.map((line, place) => {
      const [sha = '', ...parents] = line.split(' ');
      return [sha, { place, parents }] as const;
    }),
  );
}

/** The input of `git rev-list`: some heads, without known commits. */
export const without = (heads: readonly string[], known: readonly string[]): string =>
  `${[...heads, ...known.map((sha) => `^${sha}`)].join('\n')}\n`;

/** The lines of `git rev-list`. */
export const listed = async (
  repositories: Repositories,
  repository: RepositoryName,
  options: readonly string[],
  input?: string,
): Promise<readonly string[]> =>
  (await repositories.git(repository, ['rev-list', ...options], input)).split('\n').filter((line) => line !== '');

/** The newest new commits in a commit, and the older ones that they are based on; null for too many. */
export function walk(fresh: ReadonlyMap<string, NewCommit>, head: string) {
  const reached = new Map<string, number>();
  const bases = new Set<string>();
  const open = [head];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = fresh.get(sha);
    if (commit === undefined) bases.add(sha);
    else if (!reached.has(sha)) {
      reached.set(sha, commit.place);
      open.push(...commit.parents);
    }
    if (reached.size > maxWalked) return null;
  }
  const newestFirst = [...reached].toSorted(([, a], [, b]) => a - b).map(([sha]) => sha);
  return { shas: newestFirst.slice(0, maxCommits), bases: [...bases] };
}
