import type { VerdictRule } from '../verdict.ts';
import { durationText } from '../time.ts';
import type { DeployWaitFacts } from './facts.ts';
import { deadlineOf, isDone, phaseOf, refusalOf, statusOf, timeoutOf } from './status.ts';

const unfinished = ['Pending', 'WaitingForCI', 'Running'];
const noReason = 'no reason was given';

/** Whether the latest build is still to come to an end. */
export const buildsStill = (facts: DeployWaitFacts): boolean => unfinished.includes(phaseOf(facts) ?? '');

/** What the command prints while it waits for a deploy, and ends with. */
export const deployProgress: readonly VerdictRule<DeployWaitFacts>[] = [
  {
    reason: 'Deploying',
    status: 'Unknown',
    when: ({ startedAt }) => startedAt === null,
    message: ({ app }) => `${app}: deploying`,
  },
  {
    reason: 'Refused',
    status: 'False',
    when: (facts) => refusalOf(facts) !== null,
    message: ({ answer }) => (answer.is === 'refused' ? answer.why : ''),
  },
  {
    reason: 'Ready',
    status: 'True',
    when: (facts) => isDone(facts) && statusOf(facts)?.url !== '',
    message: (facts) => `ready at ${statusOf(facts)?.url}`,
  },
  {
    reason: 'Ready',
    status: 'True',
    when: isDone,
    message: () => 'ready',
  },
  {
    reason: 'Failed',
    status: 'False',
    when: (facts) => statusOf(facts)?.state === 'failed',
    message: (facts) => `${facts.app} failed: ${statusOf(facts)?.message || noReason}`,
  },
  {
    reason: 'BuildFailed',
    status: 'False',
    when: (facts) => phaseOf(facts) === 'Failed',
    message: (facts) => `${facts.app} failed: ${statusOf(facts)?.build?.failureReason || noReason}`,
  },
  {
    reason: 'TimedOut',
    status: 'False',
    when: (facts) => facts.now >= deadlineOf(facts),
    message: (facts) => `${facts.app} was not ready within ${durationText(timeoutOf(facts))}`,
  },
  {
    reason: 'BuildCancelled',
    status: 'Unknown',
    when: (facts) => phaseOf(facts) === 'Cancelled',
    message: () => 'build cancelled: it will not get ready by itself, waiting for another deploy',
  },
  {
    reason: 'BuildRunning',
    status: 'Unknown',
    when: buildsStill,
    message: () => 'build running',
  },
  {
    reason: 'Pending',
    status: 'Unknown',
    when: (facts) => statusOf(facts)?.state === 'pending',
    message: (facts) => {
      const replicas = statusOf(facts)?.replicas;
      return `pending (${replicas?.ready} of ${replicas?.desired} ready)`;
    },
  },
  {
    reason: 'Silent',
    status: 'Unknown',
    when: (facts) => statusOf(facts) === null,
    message: () => 'no answer yet',
  },
  {
    reason: 'Unsettled',
    status: 'Unknown',
    when: () => true,
    message: (facts) => `${statusOf(facts)?.state}, not done yet`,
  },
];
