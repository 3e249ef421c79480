import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../rules/json.ts';
import { fullName, type RepositoryName, repositoryName } from './names.ts';
import { readState, writeWhole } from './stateFile.ts';

export type Refs = ReadonlyMap<string, string>;

/** The reported refs of one repository: later changes are not reported yet. */
export interface ReportedRefs {
  /** The scope of `seq`: a recreated folder restarts the count. */
  readonly journal: string;
  /** The number of reports. */
  readonly seq: number;
  readonly refs: Refs;
  /** A push is in progress, or its end was not observed. */
  readonly open: boolean;
}

/** The reported refs per repository, on disk: what a dying process did not report, the next one finds. */
export interface ReportedRefsStore {
  readonly of: (repository: RepositoryName) => ReportedRefs | null;
  readonly write: (repository: RepositoryName, reported: ReportedRefs) => Promise<void>;
  /** The repositories with an unfinished push. */
  readonly open: () => Promise<readonly RepositoryName[]>;
}

interface Stored extends Omit<ReportedRefs, 'refs'> {
  readonly refs: Readonly<Record<string, string>>;
}

const isStored = (value: unknown): value is Stored =>
  isObject(value) &&
  typeof value['journal'] === 'string' &&
  typeof value['seq'] === 'number' &&
  isObject(value['refs']);

export function reportedRefsIn(folder: string): ReportedRefsStore {
  const known = new Map<string, ReportedRefs>();
  const fileOf = (repository: RepositoryName) => join(folder, `${fullName(repository)}.json`);
  const of: ReportedRefsStore['of'] = (repository) => {
    const key = fullName(repository);
    const stored = known.has(key) ? null : readState<Stored | null>(fileOf(repository), null, isStored);
    if (stored !== null) known.set(key, { ...stored, refs: new Map(Object.entries(stored.refs)) });
    return known.get(key) ?? null;
  };
  return {
    of,
    write: async (repository, reported) => {
      await writeWhole(fileOf(repository), JSON.stringify({ ...reported, refs: Object.fromEntries(reported.refs) }));
      known.set(fullName(repository), reported);
    },
    open: async () => {
      const files = await readdir(folder, { recursive: true }).catch(() => []);
      return files.flatMap((file) => {
        const [owner = '', name = ''] = file.replace(/\.json$/, '').split('/');
        const repository = file.endsWith('.json') ? repositoryName(owner, name) : null;
        return repository !== null && of(repository)?.open === true ? [repository] : [];
      });
    },
  };
}
