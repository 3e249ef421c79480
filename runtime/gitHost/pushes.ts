import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fullName, type RepositoryName } from './names.ts';
import { type RefChange, zeroSha } from './refChange.ts';
import type { Repositories } from './repositories.ts';
import type { Refs, ReportedRefs, ReportedRefsStore } from './reportedRefs.ts';

/** Finds what pushes changed by comparing the refs of a repository with the last reported ones. */
export interface Pushes {
  /** Called before git may write, so that a change is found even after a crash. */
  readonly begin: (repository: RepositoryName) => Promise<void>;
  /** Resolves once an event for every changed branch and tag is stored. `cut`: git may still be running unobserved. */
  readonly end: (repository: RepositoryName, how: 'whole' | 'cut') => Promise<void>;
  /** Reports what an earlier process did not report. */
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A changed ref. */
export interface Moved {
  readonly repository: RepositoryName;
  readonly change: RefChange;
  /** The name of the event, the same in a repeated report. */
  readonly name: string;
}

/** The refs that changed at once, with the context that their receiver needs. */
export interface Push {
  readonly repository: RepositoryName;
  readonly moves: readonly Moved[];
  /** The objects that refs named before. */
  readonly known: readonly string[];
}

/** Git keeps running shortly after its server or client dies. */
const checksAfterMs = [1_000, 5_000, 30_000];

export function watchPushes(
  repositories: Repositories,
  reported: ReportedRefsStore,
  report: (push: Push) => Promise<void>,
): Pushes {
  const turns = new Map<string, Promise<void>>();
  const running = new Map<string, number>();
  const unseen = new Map<string, AbortController>();
  let stopping = false;

  /** Runs one check at a time per repository, so that each change is found once. */
  const inTurn = (repository: RepositoryName, work: () => Promise<void>) => {
    const key = fullName(repository);
    const turn = (turns.get(key) ?? Promise.resolve()).catch(() => {}).then(work);
    turns.set(key, turn);
    return turn;
  };

  const begun = async (repository: RepositoryName): Promise<ReportedRefs> => ({
    journal: randomUUID(),
    seq: 0,
    refs: await repositories.refs(repository),
    open: false,
  });

  const count = (key: string, by: 1 | -1) => void running.set(key, (running.get(key) ?? 0) + by);
  const staysOpen = (key: string) => stopping || unseen.has(key) || (running.get(key) ?? 0) > 0;

  const compare = async (repository: RepositoryName) => {
    const before = reported.of(repository);
    if (before === null) return;
    const refs = await repositories.refs(repository);
    const changes = compared(before.refs, refs);
    if (changes.length > 0) await repositories.followBranch(repository, branchesOf(changes));
    const known = [...new Set(before.refs.values())];
    const name = `${before.journal} ${before.seq}`;
    const moves = toReport(changes).map((change) => ({ repository, change, name: `${name} ${change.ref}` }));
    if (moves.length > 0) await report({ repository, moves, known });
    const seq = before.seq + (changes.length > 0 ? 1 : 0);
    const after: ReportedRefs = { ...before, seq, refs, open: staysOpen(fullName(repository)) };
    if (seq !== before.seq || after.open !== before.open) await reported.write(repository, after);
  };

  /** Compares again for a while, because a push whose end was not observed may still finish. */
  const recheck = async (repository: RepositoryName) => {
    const key = fullName(repository);
    unseen.get(key)?.abort();
    const checking = new AbortController();
    unseen.set(key, checking);
    for (const [index, ms] of checksAfterMs.entries()) {
      await wait(ms, undefined, { signal: checking.signal, ref: false });
      if (index === checksAfterMs.length - 1) unseen.delete(key);
      await inTurn(repository, () => compare(repository));
    }
  };
  const watch = (repository: RepositoryName) => {
    // It fails after a stop, another interrupted push, or for an unreadable repository: the push stays open.
    if (!stopping) recheck(repository).catch(() => {});
  };

  return {
    begin: (repository) =>
      inTurn(repository, async () => {
        const before = reported.of(repository) ?? (await begun(repository));
        if (!before.open) await reported.write(repository, { ...before, open: true });
        count(fullName(repository), 1);
      }),
    end: (repository, how) =>
      inTurn(repository, async () => {
        count(fullName(repository), -1);
        if (how === 'cut') watch(repository);
        await compare(repository).catch((error: unknown) => {
          watch(repository);
          throw error;
        });
      }),
    resume: async () => {
      const open = await reported.open();
      for (const repository of open) watch(repository);
      await Promise.all(open.map((repository) => inTurn(repository, () => compare(repository))));
    },
    stop: async () => {
      stopping = true;
      for (const checking of unseen.values()) checking.abort();
      await Promise.allSettled(turns.values());
    },
  };
}

const isReported = (ref: string) => /^refs\/(heads|tags)\//.test(ref);

function compared(before: Refs, after: Refs): readonly RefChange[] {
  const refs = [...new Set([...before.keys(), ...after.keys()])].filter(isReported).sort();
  return refs
    .map((ref) => ({ ref, before: before.get(ref) ?? zeroSha, after: after.get(ref) ?? zeroSha }))
    .filter((change) => change.before !== change.after);
}

/** The supported Git host sends no events of tags when a push changes more of them at once. */
const maxTags = 3;
const isTag = ({ ref }: RefChange) => ref.startsWith('refs/tags/');

const toReport = (changes: readonly RefChange[]): readonly RefChange[] =>
  changes.filter(isTag).length > maxTags ? changes.filter((change) => !isTag(change)) : changes;

const branchesOf = (changes: readonly RefChange[]) =>
  changes
    .filter(({ ref, after }) => ref.startsWith('refs/heads/') && after !== zeroSha)
    .map(({ ref }) => ref.slice('refs/heads/'.length));
