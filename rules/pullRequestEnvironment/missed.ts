import type { PullRequestEntry } from '../../crds/coreProject.ts';
import type { GitAnswer, PullRequestAtHost } from '../gitAnswer.ts';
import type { HostEvent } from './facts.ts';
import { pullRequestState } from './state.ts';

/** The interval at which each open pull request is checked. */
export const pullRequestCheckMs = 10 * 60_000;

/** The pull requests to check: those whose environment exists and is not being removed. */
export const openPullRequests = (entries: readonly PullRequestEntry[]): readonly PullRequestEntry[] =>
  entries.filter((entry) => pullRequestState(entry) === 'Open');

const eventOf = ({ head = '' }: PullRequestEntry, found: PullRequestAtHost): 'closed' | 'pushed' | null => {
  if (found.state === 'closed') return 'closed';
  return found.head !== '' && found.head !== head ? 'pushed' : null;
};

/**
 * The event of an open pull request that never arrived; null for none. A pull request that the Git host does not show
 * is not closed: the installation may have lost access to its repository for a while.
 */
export function missedEvent(
  entry: PullRequestEntry,
  answer: GitAnswer<PullRequestAtHost>,
  installation: number | null,
): HostEvent | null {
  const event = answer.is === 'found' ? eventOf(entry, answer.value) : null;
  if (answer.is !== 'found' || event === null) return null;
  const { number, repository, branch, targetBranch = '', url = '' } = entry;
  return {
    is: 'hostEvent',
    event,
    installation,
    number,
    repository,
    branch,
    head: answer.value.head,
    targetBranch,
    headRepository: repository,
    draft: false,
    url,
  };
}
