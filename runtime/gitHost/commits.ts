import type { RepositoryName } from './names.ts';
import type { Repositories } from './repositories.ts';

interface Person {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly modified: readonly string[];
}

const fields = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'];

/** Commits in the order of `git log` with what each changed against its first parent. */
export async function commitsOf(
  repositories: Repositories,
  name: RepositoryName,
  range: readonly string[],
  input?: string,
): Promise<readonly Commit[]> {
  const options = [
    '-z',
    '--no-renames',
    '--diff-merges=first-parent',
    '--name-status',
    `--format=${fields.join('%x00')}`,
  ];
  return parse(await repositories.git(name, ['log', ...options, ...range, '--'], input));
}

/**
 * With `-z`, NUL ends each field of a commit and each of its changes, and none of them can contain it: a letter
 * precedes a path, a sha the next commit.
 */
function parse(log: string): readonly Commit[] {
  const tokens = log.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + fields.length <= tokens.length;) {
    const commit = commitOf(tokens.slice(at, at + fields.length));
    at += fields.length;
    for (let status = statusAt(tokens, at); status !== null; status = statusAt(tokens, at)) {
      changesOf(commit, status).push(tokens[at + 1] ?? '');
      at += 2;
    }
    commits.push(commit);
  }
  return commits;
}

function commitOf(values: readonly string[]) {
  const value = (index: number) => values[index] ?? '';
  const person = (from: number): Person => ({ name: value(from), email: value(from + 1), date: value(from + 2) });
  return {
    sha: value(0),
    tree: value(1),
    parents: value(2)
      .split(' ')
      .filter((parent) => parent !== ''),
    author: person(3),
    committer: person(6),
    message: value(9).replace(/\n+$/, ''),
    added: new Array<string>(),
    removed: new Array<string>(),
    modified: new Array<string>(),
  };
}

function changesOf({ added, removed, modified }: ReturnType<typeof commitOf>, status: string): string[] {
  if (status === 'A') return added;
  return status === 'D' ? removed : modified;
}

const statusAt = (tokens: readonly string[], at: number) => /^\n?([A-Z])$/.exec(tokens[at] ?? '')?.[1] ?? null;
