import type { VerdictRule } from '../verdict.ts';
import { noReason } from '../deploy/verdict.ts';
import { durationText } from '../time.ts';
import type { DeployWaitFacts } from './facts.ts';
import { deadlineOf, isDone, phaseOf, refusalOf, statusOf, timeoutOf } from './status.ts';
import { closed, external, hidden, nothing, sentence, toViewers } from '../words.ts';

const unfinished = ['Pending', 'WaitingForCI', 'Running'];

/** Whether the latest build has not finished. */
export const buildsStill = (facts: DeployWaitFacts): boolean => unfinished.includes(phaseOf(facts) ?? '');

export const deploying = ({ app }: Pick<DeployWaitFacts, 'app'>) =>
  sentence('{app}: deploying', { app: toViewers(app) });

/** What the command prints during and at the end of a wait. */
export const deployProgress: readonly VerdictRule<DeployWaitFacts>[] = [
  {
    reason: 'Deploying',
    status: 'Unknown',
    when: ({ startedAt }) => startedAt === null,
    message: deploying,
  },
  {
    reason: 'Refused',
    status: 'False',
    when: (facts) => refusalOf(facts) !== null,
    message: ({ answer }) => (answer.is === 'refused' ? external(answer.why) : nothing),
  },
  {
    reason: 'Ready',
    status: 'True',
    when: (facts) => isDone(facts) && statusOf(facts)?.url !== '',
    message: (facts) => sentence('ready at {url}', { url: hidden(statusOf(facts)?.url ?? '') }),
  },
  {
    reason: 'Ready',
    status: 'True',
    when: isDone,
    message: () => closed('ready'),
  },
  {
    reason: 'Failed',
    status: 'False',
    when: (facts) => statusOf(facts)?.state === 'failed',
    message: (facts) =>
      sentence('{app} failed: {message}', {
        app: toViewers(facts.app),
        message: hidden(statusOf(facts)?.message || noReason),
      }),
  },
  {
    reason: 'BuildFailed',
    status: 'False',
    when: (facts) => phaseOf(facts) === 'Failed',
    message: (facts) =>
      sentence('{app} failed: {failureReason}', {
        app: toViewers(facts.app),
        failureReason: hidden(statusOf(facts)?.build?.failureReason || noReason),
      }),
  },
  {
    reason: 'TimedOut',
    status: 'False',
    when: (facts) => facts.now >= deadlineOf(facts),
    message: (facts) =>
      sentence('{app} was not ready within {duration}', {
        app: toViewers(facts.app),
        duration: toViewers(durationText(timeoutOf(facts))),
      }),
  },
  {
    reason: 'BuildCancelled',
    status: 'Unknown',
    when: (facts) => phaseOf(facts) === 'Cancelled',
    message: () => closed('build cancelled: it will not get ready by itself, waiting for another deploy'),
  },
  {
    reason: 'BuildRunning',
    status: 'Unknown',
    when: buildsStill,
    message: () => closed('build running'),
  },
  {
    reason: 'Pending',
    status: 'Unknown',
    when: (facts) => statusOf(facts)?.state === 'pending',
    message: (facts) => {
      const replicas = statusOf(facts)?.replicas;
      return sentence('pending ({ready} of {desired} ready)', {
        ready: toViewers(replicas?.ready ?? ''),
        desired: toViewers(replicas?.desired ?? ''),
      });
    },
  },
  {
    reason: 'Silent',
    status: 'Unknown',
    when: (facts) => statusOf(facts) === null,
    message: () => closed('no answer yet'),
  },
  {
    reason: 'Unsettled',
    status: 'Unknown',
    when: () => true,
    message: (facts) => sentence('{state}, not done yet', { state: toViewers(statusOf(facts)?.state ?? '') }),
  },
];
