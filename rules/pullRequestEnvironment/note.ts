import type { VerdictRule } from '../verdict.ts';
import type { PullRequestFacts } from './facts.ts';
import { environmentName } from './name.ts';
import { isDraft, isFork, isFull, isTargetBuilt, maxOpenOf, opens } from './preconditions.ts';
import { closed, hidden, sentence, toViewers } from '../words.ts';

const status = 'Unknown';

/** The name as text; empty when there is none. */
const nameOf = (facts: PullRequestFacts) => {
  const name = environmentName(facts);
  return name.is === 'none' ? '' : name.name;
};

const openedMessage = (facts: PullRequestFacts) =>
  sentence('environment {name} is opened', { name: toViewers(nameOf(facts)) });

/** The response's note about a pull request that has no environment. */
export const pullRequestNote: readonly VerdictRule<PullRequestFacts>[] = [
  {
    reason: 'OriginRefused',
    status,
    when: ({ throughApplication }) => !throughApplication,
    message: () => closed("pull request events count only through the platform's Git host application"),
  },
  {
    reason: 'NothingToOpen',
    status,
    when: (facts) => !opens(facts),
    message: () => closed('no environment of this pull request is open'),
  },
  {
    reason: 'FeatureOff',
    status,
    when: ({ enabled }) => !enabled,
    message: () => closed('pull request environments are off in this project'),
  },
  {
    reason: 'ProjectUnlinked',
    status,
    when: ({ link }) => link === 'none',
    message: () => closed('the project is not linked to the Git host'),
  },
  {
    reason: 'Unsubscribed',
    status,
    when: ({ link }) => link === 'unsubscribed',
    message: () => closed('the Git host application is not subscribed to pull request events'),
  },
  {
    reason: 'TargetNotBuilt',
    status,
    when: (facts) => !isTargetBuilt(facts),
    message: ({ targetBranch, repository }) =>
      sentence('no service of the base environment builds {targetBranch} of {repository}', {
        targetBranch: hidden(targetBranch),
        repository: hidden(repository),
      }),
  },
  {
    reason: 'ForkIgnored',
    status,
    when: isFork,
    message: () => closed('pull requests of forks get no environment'),
  },
  {
    reason: 'DraftSkipped',
    status,
    when: isDraft,
    message: () => closed('a draft gets no environment before it is ready for review'),
  },
  {
    reason: 'LimitReached',
    status,
    when: (facts) => isFull(facts),
    message: (facts) =>
      sentence('the limit of {maxOpen} pull request environments is reached', { maxOpen: toViewers(maxOpenOf(facts)) }),
  },
  {
    reason: 'NameUnavailable',
    status,
    when: (facts) => environmentName(facts).is === 'none',
    message: ({ number, repository }) =>
      sentence('no environment name is free for pull request {number} of {repository}', {
        number: toViewers(number),
        repository: hidden(repository),
      }),
  },
  {
    reason: 'NumberShared',
    status,
    when: (facts) => environmentName(facts).is === 'long',
    message: openedMessage,
  },
  {
    reason: 'Opened',
    status,
    when: () => true,
    message: openedMessage,
  },
];
