import { join } from 'node:path';
import { isObject } from '../../rules/json.ts';
import { fullName, type RepositoryName } from './names.ts';
import { readState, savedTo } from './stateFile.ts';

export interface StoredCheckRun {
  readonly id: number;
  readonly name: string;
  readonly headSha: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly startedAt: string;
  readonly completedAt: string | null;
}

export type CheckRunChange = Partial<Pick<StoredCheckRun, 'name' | 'status' | 'conclusion'>>;

/** The check runs of every repository; each write resolves once it is on disk. */
export interface CheckRuns {
  /** Newest first; `latest` returns only the newest of each name. */
  readonly of: (repository: RepositoryName, sha: string, which: 'latest' | 'all') => readonly StoredCheckRun[];
  /** Updates the newest run of that name, or creates a new one when that is completed. */
  readonly put: (
    repository: RepositoryName,
    sha: string,
    name: string,
    change: CheckRunChange,
  ) => Promise<StoredCheckRun>;
  readonly find: (repository: RepositoryName, id: number) => StoredCheckRun | undefined;
  readonly change: (
    repository: RepositoryName,
    id: number,
    change: CheckRunChange,
  ) => Promise<StoredCheckRun | undefined>;
}

interface Saved {
  readonly lastId: number;
  readonly repositories: Readonly<Record<string, readonly StoredCheckRun[]>>;
}

const isText = (value: unknown) => typeof value === 'string';

const isRun = (value: unknown): value is StoredCheckRun =>
  isObject(value) &&
  typeof value['id'] === 'number' &&
  ['name', 'headSha', 'status', 'startedAt'].every((field) => isText(value[field])) &&
  ['conclusion', 'completedAt'].every((field) => value[field] === null || isText(value[field]));

const isSaved = (value: unknown): value is Saved =>
  isObject(value) &&
  typeof value['lastId'] === 'number' &&
  isObject(value['repositories']) &&
  Object.values(value['repositories']).every((runs) => Array.isArray(runs) && runs.every(isRun));

/** The number of runs of one name that are kept for a commit. */
const keptOfName = 20;

export function checkRunsIn(folder: string): CheckRuns {
  const path = join(folder, 'check-runs.json');
  const saved = readState<Saved>(path, { lastId: 0, repositories: {} }, isSaved);
  let { lastId } = saved;
  const repositories = new Map(
    Object.entries(saved.repositories).map(([name, runs]) => [name, new Map(runs.map((run) => [run.id, run]))]),
  );
  const save = savedTo(path, () => ({
    lastId,
    repositories: Object.fromEntries([...repositories].map(([name, runs]) => [name, [...runs.values()]])),
  }));

  const runsOf = (repository: RepositoryName) => {
    const runs = repositories.get(fullName(repository)) ?? new Map<number, StoredCheckRun>();
    repositories.set(fullName(repository), runs);
    return runs;
  };
  const newestFirst = (repository: RepositoryName, sha: string) =>
    [...runsOf(repository).values()].filter(({ headSha }) => headSha === sha).sort((a, b) => b.id - a.id);
  const keep = async (repository: RepositoryName, run: StoredCheckRun) => {
    const runs = runsOf(repository);
    runs.set(run.id, run);
    const ofName = newestFirst(repository, run.headSha).filter(({ name }) => name === run.name);
    for (const { id } of ofName.slice(keptOfName)) runs.delete(id);
    await save();
    return run;
  };

  return {
    of: (repository, sha, which) => {
      const runs = newestFirst(repository, sha);
      return which === 'all' ? runs : runs.filter(isNewestOfItsName);
    },
    put: (repository, sha, name, change) => {
      const newest = newestFirst(repository, sha).find((run) => run.name === name);
      const open = newest && newest.status !== 'completed' ? newest : begun((lastId += 1), name, sha);
      return keep(repository, changed(open, change));
    },
    find: (repository, id) => runsOf(repository).get(id),
    change: async (repository, id, change) => {
      const run = runsOf(repository).get(id);
      return run && keep(repository, changed(run, change));
    },
  };
}

/** Expects the newest first. */
const isNewestOfItsName = (run: StoredCheckRun, index: number, runs: readonly StoredCheckRun[]) =>
  runs.findIndex(({ name }) => name === run.name) === index;

const now = () => new Date().toISOString();

const begun = (id: number, name: string, headSha: string): StoredCheckRun => ({
  id,
  name,
  headSha,
  status: 'queued',
  conclusion: null,
  startedAt: now(),
  completedAt: null,
});

/** A conclusion completes a run; a restarted run has none. */
function changed(run: StoredCheckRun, { name, status, conclusion }: CheckRunChange): StoredCheckRun {
  const next = status ?? (typeof conclusion === 'string' ? 'completed' : run.status);
  const isCompleted = next === 'completed';
  return {
    ...run,
    name: name ?? run.name,
    status: next,
    conclusion: isCompleted ? (conclusion ?? run.conclusion) : null,
    completedAt: isCompleted ? (run.completedAt ?? now()) : null,
  };
}
