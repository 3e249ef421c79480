import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git } from './git.ts';
import { fullName, repositoryName, type RepositoryName } from './names.ts';
import { makeFolder } from '../embedded/index.ts';

/** The bare repositories below one folder. */
export interface Repositories {
  readonly root: string;
  /** Every repository, by name. */
  readonly all: () => Promise<readonly RepositoryName[]>;
  readonly exists: (name: RepositoryName) => Promise<boolean>;
  /** Creates an empty repository, unless it exists. */
  readonly create: (name: RepositoryName) => Promise<void>;
  /** The folder of a repository that stays empty, which a push to a missing repository sees. */
  readonly blank: () => Promise<string>;
  /** Runs git on one repository. */
  readonly git: (name: RepositoryName, args: readonly string[], input?: string) => Promise<string>;
  /** Every ref with the object it names. */
  readonly refs: (name: RepositoryName) => Promise<ReadonlyMap<string, string>>;
  readonly defaultBranch: (name: RepositoryName) => Promise<string>;
  /** Points HEAD at a branch when its current target does not exist. */
  readonly followBranch: (name: RepositoryName, branches: readonly string[]) => Promise<void>;
  /** The commit that a branch, a tag or a (short) sha names. */
  readonly commit: (name: RepositoryName, ref: string) => Promise<string | null>;
}

const branchPrefix = 'refs/heads/';
/** Everything that `git check-ref-format` refuses, and everything that git would read as an expression. */
// oxlint-disable-next-line no-control-regex
const noRef = /^-|\.\.|@\{|[\u0000-\u0020~^:?*[\\\u007f]/;

export function repositoriesIn(root: string, git: Git): Repositories {
  const pathOf = ({ owner, name }: RepositoryName) => join(root, owner, `${name}.git`);
  const exists = async (name: RepositoryName) => {
    await git.ready();
    return existsSync(join(pathOf(name), 'HEAD'));
  };
  const creating = new Map<string, Promise<void>>();

  const run: Repositories['git'] = async (name, args, input) => {
    const { code, stdout } = await git.run([`--git-dir=${pathOf(name)}`, ...args], input);
    if (code !== 0) throw new Error(`git ${args[0]} on ${fullName(name)} ended with ${code}`);
    return stdout.toString('utf8');
  };

  const make = async (path: string) => {
    const unfinished = join(dirname(root), 'creating', randomUUID());
    makeFolder(unfinished);
    const { code } = await git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', unfinished]);
    if (code !== 0) throw new Error(`git init ended with ${code}`);
    makeFolder(dirname(path));
    await rename(unfinished, path).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    });
  };
  const ensure = async (path: string) => {
    await git.ready();
    if (existsSync(join(path, 'HEAD'))) return;
    const made = creating.get(path) ?? make(path).finally(() => creating.delete(path));
    creating.set(path, made);
    await made;
  };

  const refs: Repositories['refs'] = async (name) => {
    const lines = (await run(name, ['for-each-ref', '--format=%(objectname) %(refname)'])).split('\n');
    return new Map(
      lines.flatMap((line) => {
        const space = line.indexOf(' ');
        return space < 0 ? [] : [[line.slice(space + 1), line.slice(0, space)] as const];
      }),
    );
  };

  const head = async (name: RepositoryName) => (await run(name, ['symbolic-ref', 'HEAD'])).trim();

  const foldersIn = async (path: string): Promise<readonly string[]> =>
    existsSync(path) ? (await readdir(path)).toSorted() : [];
  const all = async (): Promise<readonly RepositoryName[]> => {
    const owners = await foldersIn(root);
    const ofEach = await Promise.all(owners.map((owner) => foldersIn(join(root, owner))));
    return ofEach
      .flatMap((names, at) => names.map((name) => repositoryName(owners[at] ?? '', name)))
      .filter((name) => name !== null);
  };

  return {
    root,
    all,
    exists,
    create: (name) => ensure(pathOf(name)),
    blank: async () => {
      const path = join(dirname(root), 'blank.git');
      await ensure(path);
      return path;
    },
    git: run,
    refs,
    defaultBranch: async (name) => (await head(name)).slice(branchPrefix.length),
    followBranch: async (name, branches) => {
      const known = await refs(name);
      const next = ['main', 'master', ...branches].find((one) => branches.includes(one));
      if (next === undefined || known.has(await head(name))) return;
      await run(name, ['symbolic-ref', 'HEAD', `${branchPrefix}${next}`]);
    },
    commit: async (name, ref) => {
      if (ref === '' || noRef.test(ref)) return null;
      const spellings = [`${branchPrefix}${ref}`, `refs/tags/${ref}`, `refs/${ref}`];
      if (/^[0-9a-f]{4,40}$/i.test(ref)) spellings.push(ref);
      if (ref === 'HEAD' || ref.startsWith('refs/')) spellings.push(ref);
      const input = spellings.map((one) => `${one}^{commit}\n`).join('');
      const lines = (await run(name, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], input)).split('\n');
      return lines.find((line) => line.endsWith(' commit'))?.split(' ')[0] ?? null;
    },
  };
}
