import type { RepositoryName } from './names.ts';
import type { Repositories } from './repositories.ts';

export interface Person {
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
): Promise<readonly Commit[]> {
  const options = [
    '-z',
    '--no-renames',
    '--diff-merges=first-parent',
    '--name-status',
    `--format=${fields.join('%x00')}`,
  ];
  return parse(await repositories.git(name, ['log', ...options, '--end-of-options', ...range, '--']));
}

/**
 * With `-z`, the fields of a commit and what it changed are all ended by NUL, which none of them can hold: a letter
 * stands before a path, a sha before the next commit.
 */
function parse(log: string): readonly Commit[] {
  const tokens = log.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + fields.length <= tokens.length;) {
    const [sha = '', tree = '', parents = '', ...rest] = tokens.slice(at, at + fields.length);
    const [an = '', ae = '', ad = '', cn = '', ce = '', cd = '', message = ''] = rest;
    at += fields.length;
    const paths: Record<string, string[]> = { A: [], D: [], M: [] };
    for (let status = statusAt(tokens, at); status !== null; status = statusAt(tokens, at)) {
      (paths[status] ?? paths['M'])?.push(tokens[at + 1] ?? '');
      at += 2;
    }
    commits.push({
      sha,
      tree,
      parents: parents.split(' ').filter((parent) => parent !== ''),
      author: { name: an, email: ae, date: ad },
      committer: { name: cn, email: ce, date: cd },
      message: message.replace(/\n+$/, ''),
      added: paths['A'] ?? [],
      removed: paths['D'] ?? [],
      modified: paths['M'] ?? [],
    });
  }
  return commits;
}

const statusAt = (tokens: readonly string[], at: number) => /^\n?([A-Z])$/.exec(tokens[at] ?? '')?.[1] ?? null;
