import { join } from 'node:path';
import { isObject } from '../../rules/json.ts';
import { fullName, type RepositoryName } from './names.ts';
import { readState, savedTo } from './stateFile.ts';

/** A branch of a repository, and its last seen commit. */
export interface PullRequestEnd {
  /** `owner/name`. */
  readonly repository: string;
  readonly branch: string;
  readonly sha: string;
}

export interface StoredPullRequest {
  readonly number: number;
  readonly title: string;
  readonly head: PullRequestEnd;
  readonly base: PullRequestEnd;
  readonly state: 'open' | 'closed';
  readonly draft: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly mergedAt: string | null;
}

type NewPullRequest = Pick<StoredPullRequest, 'title' | 'head' | 'base' | 'draft'>;
type PullRequestChange = Partial<Pick<StoredPullRequest, 'title' | 'head' | 'state' | 'draft' | 'mergedAt'>>;

/** The pull requests of every repository; each write resolves once it is on disk. */
export interface PullRequests {
  /** Newest first. */
  readonly of: (base: RepositoryName) => readonly StoredPullRequest[];
  readonly find: (base: RepositoryName, number: number) => StoredPullRequest | undefined;
  readonly open: (base: RepositoryName, asked: NewPullRequest) => Promise<StoredPullRequest>;
  readonly change: (base: RepositoryName, number: number, change: PullRequestChange) => Promise<StoredPullRequest>;
  /** The open pull requests with this branch as an end. */
  readonly touching: (end: 'head' | 'base', repository: RepositoryName, branch: string) => readonly StoredPullRequest[];
}

type Saved = Readonly<Record<string, readonly StoredPullRequest[]>>;

const isText = (value: unknown) => typeof value === 'string';
const isEnd = (value: unknown): value is PullRequestEnd =>
  isObject(value) && ['repository', 'branch', 'sha'].every((field) => isText(value[field]));

const isPullRequest = (value: unknown): value is StoredPullRequest =>
  isObject(value) &&
  typeof value['number'] === 'number' &&
  typeof value['draft'] === 'boolean' &&
  ['title', 'createdAt', 'updatedAt'].every((field) => isText(value[field])) &&
  ['closedAt', 'mergedAt'].every((field) => value[field] === null || isText(value[field])) &&
  (value['state'] === 'open' || value['state'] === 'closed') &&
  isEnd(value['head']) &&
  isEnd(value['base']);

const isSaved = (value: unknown): value is Saved =>
  isObject(value) && Object.values(value).every((list) => Array.isArray(list) && list.every(isPullRequest));

const now = () => new Date().toISOString();

export function pullRequestsIn(folder: string): PullRequests {
  const path = join(folder, 'pull-requests.json');
  const kept = new Map(
    Object.entries(readState<Saved>(path, {}, isSaved)).map(([name, list]) => [
      name,
      new Map(list.map((one) => [one.number, one])),
    ]),
  );
  const save = savedTo(path, () => Object.fromEntries([...kept].map(([name, list]) => [name, [...list.values()]])));

  const inBase = (base: RepositoryName) => {
    const list = kept.get(fullName(base)) ?? new Map<number, StoredPullRequest>();
    kept.set(fullName(base), list);
    return list;
  };
  const keep = async (base: RepositoryName, one: StoredPullRequest) => {
    inBase(base).set(one.number, one);
    await save();
    return one;
  };

  return {
    of: (base) => [...inBase(base).values()].sort((a, b) => b.number - a.number),
    find: (base, number) => inBase(base).get(number),
    open: (base, asked) => {
      const at = now();
      const number = Math.max(0, ...inBase(base).keys()) + 1;
      return keep(base, {
        ...asked,
        number,
        state: 'open',
        createdAt: at,
        updatedAt: at,
        closedAt: null,
        mergedAt: null,
      });
    },
    change: (base, number, change) => {
      const found = inBase(base).get(number);
      if (found === undefined) throw new Error(`there is no pull request ${number} of ${fullName(base)}`);
      const next = { ...found, ...change, updatedAt: now() };
      return keep(base, { ...next, closedAt: next.state === 'open' ? null : (found.closedAt ?? next.updatedAt) });
    },
    touching: (end, repository, branch) =>
      [...kept.values()]
        .flatMap((list) => [...list.values()])
        .filter((one) => one.state === 'open')
        .filter((one) => one[end].repository === fullName(repository) && one[end].branch === branch),
  };
}
