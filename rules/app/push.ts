import type { CoreApp } from '../../crds/coreApp.ts';
import { repositoryName } from '../build/repository.ts';
import { runningSpec } from '../draftDeploy/running.ts';
import { draftDeployStateOf } from '../draftDeploy/storedState.ts';
import { deployStored } from '../draftDeploy/stored.ts';
import { watchesAny } from './watched.ts';

/** The parts of a push that builds depend on. */
export interface Push {
  /** `owner/name` as the Git host spells it. */
  readonly repository: string;
  readonly branch: string;
  readonly defaultBranch: string;
  readonly commit: string;
  readonly pusher: string;
  /** Paths of the files it changed; null when the Git host did not list all of them. */
  readonly changed: readonly string[] | null;
}

/** The webhook payload of a push, in which every field may be missing. */
interface Payload {
  readonly ref?: unknown;
  readonly after?: unknown;
  readonly deleted?: unknown;
  readonly forced?: unknown;
  readonly size?: unknown;
  readonly repository?: { readonly full_name?: unknown; readonly default_branch?: unknown };
  readonly pusher?: { readonly name?: unknown };
  readonly commits?: unknown;
}

const branchRef = 'refs/heads/';
/** The Git host lists at most this many commits. */
const commitsListed = 2048;
const noCommit = /^0+$/;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((one): one is string => typeof one === 'string') ? value : null;

/** The push of a payload; null for one that builds nothing: a tag, a deleted branch, or no push at all. */
export function pushOf(payload: unknown): Push | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { ref, after, deleted, repository, pusher } = payload as Payload;
  const [name, commit, whole] = [text(ref), text(after), text(repository?.full_name)];
  if (!name.startsWith(branchRef) || deleted === true || commit === '' || noCommit.test(commit) || whole === '')
    return null;
  return {
    repository: whole,
    branch: name.slice(branchRef.length),
    defaultBranch: text(repository?.default_branch),
    commit,
    pusher: text(pusher?.name),
    changed: changedFiles(payload),
  };
}

/**
 * A list that is missing, empty or shorter than its stated size gives no information (decision 130), nor does that of a
 * forced push, which lacks removed changes (decision 150).
 */
function changedFiles({ commits, size, forced }: Payload): readonly string[] | null {
  if (forced === true || !Array.isArray(commits) || commits.length === 0 || commits.length >= commitsListed)
    return null;
  if (typeof size === 'number' && size > commits.length) return null;
  const files = new Set<string>();
  for (const commit of commits as readonly Readonly<Record<string, unknown>>[]) {
    for (const list of ['added', 'removed', 'modified']) {
      const listed = texts(commit?.[list]);
      if (listed === null) return null;
      for (const file of listed) files.add(file);
    }
  }
  return [...files];
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/**
 * What a push means for a service, as it was deployed. `builds` starts a new build: the service is deployed, uses this
 * repository and branch, pins no commit and watches a changed file. `passes` means that the branch matches but another
 * of these conditions fails.
 */
export function concernOf(app: CoreApp, push: Push, gitUrl: string): 'builds' | 'passes' | 'none' {
  const running = runningSpec(draftDeployStateOf({ kind: 'service', stored: deployStored(app) }) ?? 'Draft', app);
  const spec = running ?? app.spec;
  const { git } = spec.source;
  if (!git) return 'none';
  const repository = repositoryName(git.repository, gitUrl);
  if (repository === null || !same(repository, push.repository)) return 'none';
  if ((git.branch || push.defaultBranch) !== push.branch) return 'none';
  // When the changed files are unknown, every file may have changed.
  const isWatched = push.changed === null || watchesAny(git.watchPaths ?? [], push.changed);
  const builds = running !== null && !git.commit && isWatched;
  return builds ? 'builds' : 'passes';
}
