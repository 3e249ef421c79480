import type { PullRequestEntry } from '../../crds/coreProject.ts';
import type { GitAnswer, PullRequestAtHost } from '../gitAnswer.ts';
import type { HostEvent } from './facts.ts';
import { pullRequestState } from './state.ts';

/** How often the Git host is asked about each open pull request. */
export const pullRequestCheckMs = 10 * 60_000;

/** The pull requests that the Git host is asked about: those whose environment is there and is to stay. */
export const openPullRequests = (entries: readonly PullRequestEntry[]): readonly PullRequestEntry[] =>
  entries.filter((entry) => pullRequestState(entry) === 'Open');

const eventOf = ({ head = '' }: PullRequestEntry, found: PullRequestAtHost): 'closed' | 'pushed' | null => {
  if (found.state === 'closed') return 'closed';
  return found.head !== '' && found.head !== head ? 'pushed' : null;
};

/**
 * The event of an open pull request that never arrived; null where none is missing. A pull request that the Git host
 * does not show closes nothing: the installation may have lost sight of its repository for a while.
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
