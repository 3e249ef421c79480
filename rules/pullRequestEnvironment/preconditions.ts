import { type PullRequestFacts, type PullRequestLimits, pullRequestLimits } from './facts.ts';

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Whether the event can open an environment at all. */
export const opens = ({ event }: PullRequestFacts): boolean => event !== 'closed' && event !== 'none';

/** Whether a service of the base environment builds the branch that the pull request targets. */
export const isTargetBuilt = ({ baseServices, repository, targetBranch }: PullRequestFacts): boolean =>
  baseServices.some((service) => isSame(service.repository, repository) && service.branch === targetBranch);

/** Whether the pull request comes from a repository other than its target. */
export const isFork = ({ headRepository, repository }: PullRequestFacts): boolean =>
  headRepository === null || !isSame(headRepository, repository);

/** Whether the pull request is still a draft; the event that marks it ready for review ends that. */
export const isDraft = ({ draft, event }: PullRequestFacts): boolean => draft && event !== 'readyForReview';

/** How many pull request environments may be open at once. */
export const maxOpenOf = ({ maxOpen }: PullRequestFacts, limits: PullRequestLimits = pullRequestLimits): number =>
  maxOpen ?? limits.maxOpen;

/** Whether the maximum of open environments is reached. */
export const isFull = (facts: PullRequestFacts, limits: PullRequestLimits = pullRequestLimits): boolean =>
  facts.open.length >= maxOpenOf(facts, limits);
