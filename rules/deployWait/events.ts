import type { DeployWaitEvent, DeployWaitState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { messageOf } from '../verdict.ts';
import { type DeployWaitFacts, type WaitLimits, waitLimits } from './facts.ts';
import { buildsStill, deploying, deployProgress } from './progress.ts';
import { deadlineOf, isDone, phaseOf, refusalOf, statusOf } from './status.ts';
import { sentence, toViewers } from '../words.ts';

type State = DeployWaitState | Absence;
type Event = DeployWaitEvent['type'];

const rule = ruleFor<DeployWaitFacts, State, Event>();

const progressMessage = (facts: DeployWaitFacts) => messageOf('Progress', deployProgress, facts);

/** The events of a wait with these limits, in the order of specs/tables/deployWait.md. */
export const deployWaitEventsWith = (limits: WaitLimits): readonly EventRule<DeployWaitFacts, State, Event>[] => {
  /** The next read of the status, or the end of the timeout if that is earlier. */
  const atPoll = {
    at: 'poll',
    moment: (facts: DeployWaitFacts) => Math.min(facts.now + limits.pollMs, deadlineOf(facts, limits)),
  };
  return [
    rule({
      id: 'deploy-refused',
      in: ['(none)'],
      when: ({ deploy }) => deploy === 'refused',
      then: 'deployRefused',
      says: ({ app }) => sentence('the deploy of {app} was not accepted', { app: toViewers(app) }),
    }),
    rule({
      id: 'wait-unasked',
      in: ['(none)'],
      when: ({ wait }) => !wait,
      then: 'waitUnasked',
      says: ({ app }) => sentence('{app} is deploying; not waited for', { app: toViewers(app) }),
    }),
    rule({
      id: 'left-out',
      in: ['(none)'],
      when: ({ named, listed }) => !named && (listed === 'draft' || listed === 'deleting'),
      then: 'leftOut',
      says: ({ app, listed }) =>
        sentence('{app} is {listed}; not waited for', { app: toViewers(app), listed: toViewers(listed) }),
    }),
    rule({
      id: 'deploy-accepted',
      in: ['(none)'],
      when: () => true,
      then: 'deployAccepted',
      says: deploying,
      look: { afterMs: 0 },
    }),

    rule({
      id: 'service-not-found',
      in: ['Waiting'],
      when: (facts) => refusalOf(facts) === 404,
      then: 'serviceNotFound',
      says: progressMessage,
    }),
    rule({
      id: 'access-refused',
      in: ['Waiting'],
      when: (facts) => [401, 403].includes(refusalOf(facts) ?? 0),
      then: 'accessRefused',
      says: progressMessage,
    }),
    rule({
      id: 'status-refused',
      in: ['Waiting'],
      when: (facts) => refusalOf(facts) !== null,
      then: 'statusRefused',
      says: progressMessage,
    }),
    rule({ id: 'ready-found', in: ['Waiting'], when: isDone, then: 'readyFound', says: progressMessage }),
    rule({
      id: 'state-failed',
      in: ['Waiting'],
      when: (facts) => statusOf(facts)?.state === 'failed',
      then: 'stateFailed',
      says: progressMessage,
    }),
    rule({
      id: 'build-failed',
      in: ['Waiting'],
      when: (facts) => phaseOf(facts) === 'Failed',
      then: 'buildFailed',
      says: progressMessage,
    }),
    // A completion in the last read precedes the timeout.
    rule({
      id: 'timeout-passed',
      in: ['Waiting'],
      when: (facts) => facts.now >= deadlineOf(facts, limits),
      then: 'timeoutPassed',
      says: progressMessage,
    }),
    rule({
      id: 'build-cancelled',
      in: ['Waiting'],
      when: (facts) => phaseOf(facts) === 'Cancelled',
      then: 'buildCancelled',
      says: progressMessage,
      look: atPoll,
    }),
    rule({
      id: 'build-unfinished',
      in: ['Waiting'],
      when: buildsStill,
      then: 'buildUnfinished',
      says: progressMessage,
      look: atPoll,
    }),
    rule({
      id: 'still-pending',
      in: ['Waiting'],
      when: (facts) => statusOf(facts)?.state === 'pending',
      then: 'stillPending',
      says: progressMessage,
      look: atPoll,
    }),
    rule({
      id: 'status-silent',
      in: ['Waiting'],
      when: (facts) => statusOf(facts) === null,
      then: 'statusSilent',
      says: progressMessage,
      look: atPoll,
    }),
    rule({
      id: 'unsettled',
      in: ['Waiting'],
      when: () => true,
      then: 'unsettled',
      says: progressMessage,
      look: atPoll,
    }),
  ];
};

/** The events of a wait: the first rule that holds decides. */
export const deployWaitEvents = deployWaitEventsWith(waitLimits);
