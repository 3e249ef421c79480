import { type Commit, commitsOf } from './commits.ts';
import type { RepositoryName } from './names.ts';
import { type NewCommit, listed, maxCommits, newCommits, walk, without } from './newCommits.ts';
import { type RefChange, zeroSha } from './refChange.ts';
import type { Repositories } from './repositories.ts';

/** What a changed ref gained. */
export interface Gained {
  /** The commit that the ref names; null for none. */
  readonly head: Commit | null;
  /** Newest last. */
  readonly commits: readonly Commit[];
  /** Whether no ref had a commit before. */
  readonly isNew: (sha: string) => boolean;
  /** Whether the ref lost commits. */
  readonly forced: boolean;
}

interface Range {
  /** Newest first. */
  readonly shas: readonly string[];
  readonly forced: boolean;
}

const isBranch = ({ ref }: RefChange) => ref.startsWith('refs/heads/');

/**
 * What each ref of a push gained, in order. Git is called once for all of them, except for a branch that gained commits
 * of another ref: a push may change thousands of refs.
 */
export async function gainedBy(
  repositories: Repositories,
  repository: RepositoryName,
  { changes, known }: { readonly changes: readonly RefChange[]; readonly known: readonly string[] },
): Promise<readonly Gained[]> {
  const heads = await commitsNamed(repositories, repository, changes);
  const branchHeads = changes.flatMap((change, at) => (isBranch(change) ? [heads[at] ?? []].flat() : []));
  const fresh = await newCommits(repositories, repository, branchHeads, known);
  const ranges: Range[] = [];
  for (const [at, change] of changes.entries())
    ranges.push(await rangeOf(repositories, repository, { change, head: heads[at] ?? null, fresh, known }));
  const shown = [...new Set([...heads.flatMap((head) => head ?? []), ...ranges.flatMap(({ shas }) => shas)])];
  const commits = await commitsBySha(repositories, repository, shown);
  const commitOf = (sha: string) => commits.get(sha) ?? [];
  return changes.map((change, at) => ({
    head: commits.get(heads[at] ?? '') ?? null,
    commits: (ranges[at]?.shas ?? []).toReversed().flatMap(commitOf),
    isNew: (sha) => isBranch(change) && fresh.has(sha),
    forced: ranges[at]?.forced ?? false,
  }));
}

/** The commit of each ref; null for a deleted ref, and for one that names no commit. */
async function commitsNamed(
  repositories: Repositories,
  repository: RepositoryName,
  changes: readonly RefChange[],
): Promise<readonly (string | null)[]> {
  const input = changes.map(({ after }) => `${after}^{commit}\n`).join('');
  const format = '--batch-check=%(objectname) %(objecttype)';
  const lines = (await repositories.git(repository, ['cat-file', format], input)).split('\n');
  return changes.map((_, at) => {
    const [sha = '', type] = (lines[at] ?? '').split(' ');
    return type === 'commit' ? sha : null;
  });
}

interface PushRequest {
  readonly change: RefChange;
  readonly head: string | null;
  readonly fresh: ReadonlyMap<string, NewCommit>;
  readonly known: readonly string[];
}

const nothing: Range = { shas: [], forced: false };

async function rangeOf(repositories: Repositories, repository: RepositoryName, asked: PushRequest): Promise<Range> {
  const { change, head, fresh, known } = asked;
  if (head === null || !isBranch(change)) return nothing;
  const isCreated = change.before === zeroSha;
  const gained = walk(fresh, head);
  // A new branch, or a fast-forward: the usual cases.
  if (gained && (isCreated || gained.bases.every((sha) => sha === change.before)))
    return { shas: gained.shas, forced: false };
  if (isCreated) {
    const newest = [`-${maxCommits}`, '--stdin'];
    return { shas: await listed(repositories, repository, newest, without([head], known)), forced: false };
  }
  const sides = ['--left-right', `${change.before}...${head}`];
  const lines = await listed(repositories, repository, sides).catch(() => ['<']);
  const own = lines.filter((line) => line.startsWith('>')).map((line) => line.slice(1));
  return { shas: own.slice(0, maxCommits), forced: lines.some((line) => line.startsWith('<')) };
}

async function commitsBySha(
  repositories: Repositories,
  repository: RepositoryName,
  shas: readonly string[],
): Promise<ReadonlyMap<string, Commit>> {
  if (shas.length === 0) return new Map();
  const input = `${shas.join('\n')}\n`;
  const commits = await commitsOf(repositories, repository, ['--no-walk=unsorted', '--stdin'], input);
  return new Map(commits.map((commit) => [commit.sha, commit]));
}
