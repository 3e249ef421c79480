import { type DeployWaitFacts, type ServiceStatus, type WaitLimits, waitLimits } from './facts.ts';

/** The status that was read; null when the read failed. */
export const statusOf = ({ answer }: DeployWaitFacts): ServiceStatus | null =>
  answer.is === 'found' ? answer.status : null;

/** The status code of a refusal; a transient error is not a refusal. */
export const refusalOf = ({ answer }: DeployWaitFacts): number | null =>
  answer.is === 'refused' && answer.code < 500 && answer.code !== 408 && answer.code !== 429 ? answer.code : null;

/** The phase of the latest build, if there is one. */
export const phaseOf = (facts: DeployWaitFacts) => statusOf(facts)?.build?.phase;

/** Ready, without pending changes, and the latest build, if any, succeeded. */
export const isDone = (facts: DeployWaitFacts): boolean => {
  const status = statusOf(facts);
  return (
    status !== null &&
    status.ready &&
    !status.pendingChanges &&
    (status.build === null || status.build.phase === 'Succeeded')
  );
};

/** How long this wait may last. */
export const timeoutOf = ({ timeoutMs }: DeployWaitFacts, limits: WaitLimits = waitLimits) =>
  timeoutMs ?? limits.timeoutMs;

/** The latest end of this wait. */
export const deadlineOf = (facts: DeployWaitFacts, limits: WaitLimits = waitLimits) =>
  (facts.startedAt ?? facts.now) + timeoutOf(facts, limits);
