import type { PullRequestEntry } from '../../crds/coreProject.ts';
import type { PullRequestEnvironmentState } from '../../machines/names.ts';

/** The state of a pull request's entry. */
export const pullRequestState = ({ openedAt, closedAt }: PullRequestEntry): PullRequestEnvironmentState => {
  if (closedAt !== undefined) return 'Closing';
  return openedAt === undefined ? 'Opening' : 'Open';
};
