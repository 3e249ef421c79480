import { randomUUID } from 'node:crypto';
import type { Deliveries } from './deliveries.ts';
import { fullName, repositoryName, type RepositoryName } from './names.ts';
import { idOf, installationId, isAncestor, ownerJson, repositoryJson, uuidOf } from './payload.ts';
import type { PullRequestEnd, PullRequests, StoredPullRequest } from './pullRequests.ts';
import type { Moved } from './pushes.ts';
import { zeroSha } from './refChange.ts';
import type { Repositories } from './repositories.ts';
import type { Bases } from './routes/repositories.ts';

export type PullRequestAction =
  'opened' | 'reopened' | 'closed' | 'synchronize' | 'ready_for_review' | 'converted_to_draft' | 'edited';

/** The operations on pull requests. */
export interface PullRequestDesk {
  readonly shown: (base: RepositoryName, one: StoredPullRequest) => Promise<Readonly<Record<string, unknown>>>;
  readonly emit: (base: RepositoryName, one: StoredPullRequest, event: PullRequestEvent) => Promise<void>;
  /** Updates pull requests after a push to their branches: new commits, closed, or merged. */
  readonly pushed: (moved: Moved) => Promise<void>;
}

/** An event about a pull request for receivers. */
interface PullRequestEvent {
  readonly action: PullRequestAction;
  /** The same for a repeated report of one push. */
  readonly id?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

interface PullRequestChange {
  readonly repositories: Repositories;
  readonly pullRequests: PullRequests;
  readonly deliveries: Deliveries;
  readonly bases: () => Bases;
}

const branchPrefix = 'refs/heads/';

const named = (text: string): RepositoryName => {
  const [owner = '', name = ''] = text.split('/');
  const found = repositoryName(owner, name);
  if (found === null) throw new Error(`a pull request names ${text}, which is no repository`);
  return found;
};

/** Renders pull requests, sends their events to the receiver, and follows the pushes to their branches. */
export function pullRequestDesk({ repositories, pullRequests, deliveries, bases }: PullRequestChange): PullRequestDesk {
  const repositoryShown = async (text: string) =>
    repositoryJson(named(text), await repositories.defaultBranch(named(text)), bases().cloneUrl);
  const endShown = async ({ repository, branch, sha }: PullRequestEnd) => ({
    label: `${named(repository).owner}:${branch}`,
    ref: branch,
    sha,
    user: ownerJson(named(repository).owner),
    repo: await repositoryShown(repository),
  });

  const shown: PullRequestDesk['shown'] = async (base, one) => {
    const path = `${fullName(base)}/pull/${one.number}`;
    return {
      id: idOf(path),
      number: one.number,
      url: `${bases().apiUrl}/repos/${fullName(base)}/pulls/${one.number}`,
      html_url: `${bases().cloneUrl}/${path}`,
      state: one.state,
      locked: false,
      title: one.title,
      body: null,
      user: ownerJson(named(one.head.repository).owner),
      draft: one.draft,
      merged: one.mergedAt !== null,
      merged_at: one.mergedAt,
      created_at: one.createdAt,
      updated_at: one.updatedAt,
      closed_at: one.closedAt,
      head: await endShown(one.head),
      base: await endShown(one.base),
    };
  };

  const emit: PullRequestDesk['emit'] = async (base, one, { action, id = randomUUID(), more = {} }) => {
    const body = {
      action,
      number: one.number,
      pull_request: await shown(base, one),
      ...more,
      repository: await repositoryShown(fullName(base)),
      sender: ownerJson(base.owner),
      installation: { id: installationId },
    };
    await deliveries.keep([{ id, event: 'pull_request', repository: fullName(base), body: JSON.stringify(body) }]);
  };

  const followHead = async (one: StoredPullRequest, { change: { before, after }, name }: Moved) => {
    const base = named(one.base.repository);
    if (after === zeroSha) {
      const next = await pullRequests.change(base, one.number, { state: 'closed' });
      return emit(base, next, { action: 'closed', id: uuidOf(`${name} closes ${one.number}`) });
    }
    const next = await pullRequests.change(base, one.number, { head: { ...one.head, sha: after } });
    return emit(base, next, { action: 'synchronize', id: uuidOf(`${name} to ${one.number}`), more: { before, after } });
  };

  /** Marks a pull request as merged when a push to the target contains its head, like the supported Git host. */
  const followBase = async (one: StoredPullRequest, { repository, change: { after }, name }: Moved) => {
    if (after === zeroSha || !(await isAncestor(repositories, repository, one.head.sha, after))) return;
    const merged = { state: 'closed', mergedAt: new Date().toISOString() } as const;
    const next = await pullRequests.change(repository, one.number, merged);
    await emit(repository, next, { action: 'closed', id: uuidOf(`${name} merges ${one.number}`) });
  };

  return {
    shown,
    emit,
    pushed: async (moved) => {
      const { repository, change } = moved;
      if (!change.ref.startsWith(branchPrefix)) return;
      const branch = change.ref.slice(branchPrefix.length);
      for (const one of pullRequests.touching('head', repository, branch)) await followHead(one, moved);
      for (const one of pullRequests.touching('base', repository, branch)) await followBase(one, moved);
    },
  };
}
