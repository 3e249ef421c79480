import { fullName, type RepositoryName } from './names.ts';
import { type RefChange, zeroSha } from './payload.ts';
import type { Repositories } from './repositories.ts';

type Refs = ReadonlyMap<string, string>;

/** Finds what pushes changed by comparing the refs of a repository with those last seen there. */
export interface Pushes {
  readonly begin: (repository: RepositoryName) => Promise<void>;
  /** Tells `onChange` of every branch and tag that moved since, in the order of their names. */
  readonly end: (repository: RepositoryName) => Promise<void>;
}

export function watchPushes(
  repositories: Repositories,
  onChange: (repository: RepositoryName, change: RefChange, known: readonly string[]) => void,
): Pushes {
  const seen = new Map<string, Refs>();
  const turns = new Map<string, Promise<void>>();

  /** One after another for each repository, so that each change is found once. */
  const inTurn = (repository: RepositoryName, work: () => Promise<void>) => {
    const key = fullName(repository);
    const turn = (turns.get(key) ?? Promise.resolve()).catch(() => {}).then(work);
    turns.set(key, turn);
    return turn;
  };

  return {
    begin: (repository) =>
      inTurn(repository, async () => {
        const key = fullName(repository);
        if (!seen.has(key)) seen.set(key, await repositories.refs(repository));
      }),
    end: (repository) =>
      inTurn(repository, async () => {
        const key = fullName(repository);
        const before = seen.get(key) ?? new Map();
        const after = await repositories.refs(repository);
        seen.set(key, after);
        const changes = compared(before, after);
        await repositories.followBranch(repository, branchesOf(changes));
        const known = [...new Set(before.values())];
        for (const change of changes) onChange(repository, change, known);
      }),
  };
}

const isTold = (ref: string) => /^refs\/(heads|tags)\//.test(ref);

function compared(before: Refs, after: Refs): readonly RefChange[] {
  const refs = [...new Set([...before.keys(), ...after.keys()])].filter(isTold).sort();
  return refs
    .map((ref) => ({ ref, before: before.get(ref) ?? zeroSha, after: after.get(ref) ?? zeroSha }))
    .filter((change) => change.before !== change.after);
}

const branchesOf = (changes: readonly RefChange[]) =>
  changes
    .filter(({ ref, after }) => ref.startsWith('refs/heads/') && after !== zeroSha)
    .map(({ ref }) => ref.slice('refs/heads/'.length));
