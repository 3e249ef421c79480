import type { WebhookDeliveryEvent, WebhookDeliveryState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { messageOf } from '../verdict.ts';
import { type Attempt, attemptOf } from './attempt.ts';
import { type DeliveryLimits, deliveryLimits, turnMs, type WebhookDeliveryFacts } from './facts.ts';
import { deliveryOutcome, offMessage } from './outcome.ts';
import { waitsAt, tooManyWaiting } from './waiting.ts';
import { closed, sentence, toViewers } from '../words.ts';

type State = WebhookDeliveryState | Absence;
type Event = WebhookDeliveryEvent['type'];

const rule = ruleFor<WebhookDeliveryFacts, State, Event>();

const attempts = ['FirstAttempt', 'SecondAttempt', 'ThirdAttempt'] as const;
const isOff = ({ webhook }: WebhookDeliveryFacts) => webhook !== 'on';
const outcomeMessage = (facts: WebhookDeliveryFacts) => messageOf('Delivery', deliveryOutcome, facts);

/** When the wait after the previous attempt ends. */
const dueAt = ({ endedAt }: WebhookDeliveryFacts, waitMs: number) => (endedAt ?? 0) + waitMs;
const isWaiting = ({ now, endedAt }: WebhookDeliveryFacts, waitMs: number) => waitsAt(now, endedAt, waitMs);

/** The events of a delivery with these limits, in the order of specs/tables/webhookDelivery.md. */
export const webhookDeliveryEventsWith = (
  limits: DeliveryLimits,
): readonly EventRule<WebhookDeliveryFacts, State, Event>[] => {
  const came = (to: Attempt) => (facts: WebhookDeliveryFacts) => attemptOf(facts, limits) === to;
  const atTimeout = {
    at: 'timeout',
    moment: ({ now, sentAt }: WebhookDeliveryFacts) => (sentAt ?? now) + limits.requestMs,
  };
  return [
    rule({
      id: 'not-announced',
      in: ['(none)'],
      when: ({ type, announced }) => !announced && (type === 'deployment.succeeded' || type === 'deployment.failed'),
      then: 'deployNotAnnounced',
      says: () => closed('this deploy was not announced as started: its end is not announced either'),
    }),
    rule({ id: 'webhook-off', in: ['(none)'], when: isOff, then: 'webhookOff', says: offMessage }),
    rule({
      id: 'event-not-chosen',
      in: ['(none)'],
      when: ({ type, chosen }) => type !== 'test' && chosen.length > 0 && !chosen.includes(type),
      then: 'eventNotChosen',
      says: ({ type }) => sentence('the webhook has not chosen {type}', { type: toViewers(type) }),
    }),
    rule({
      id: 'queue-full',
      in: ['(none)'],
      when: ({ overflows }) => overflows,
      then: 'queueFull',
      says: () => closed(tooManyWaiting),
    }),
    rule({
      id: 'event-chosen',
      in: ['(none)'],
      when: () => true,
      then: 'eventChosen',
      says: ({ type }) => sentence('{type} is to be delivered', { type: toViewers(type) }),
      look: { afterMs: 0 },
    }),

    rule({
      id: 'address-refused',
      in: attempts,
      when: came('addressRefused'),
      then: 'addressRefused',
      says: outcomeMessage,
    }),
    rule({
      id: 'received',
      in: attempts,
      when: came('received'),
      then: 'received',
      says: outcomeMessage,
    }),
    rule({
      id: 'test-failed',
      in: ['FirstAttempt'],
      when: (facts) => facts.type === 'test' && (came('retryable')(facts) || came('final')(facts)),
      then: 'testFailed',
      says: outcomeMessage,
    }),
    rule({ id: 'answer-refused', in: attempts, when: came('final'), then: 'answerRefused', says: outcomeMessage }),
    rule({
      id: 'first-failed',
      in: ['FirstAttempt'],
      when: came('retryable'),
      then: 'attemptFailed',
      says: (facts) => sentence('{outcome}; a second attempt follows', { outcome: outcomeMessage(facts) }),
      look: { afterMs: limits.firstWaitMs },
    }),
    rule({
      id: 'second-failed',
      in: ['SecondAttempt'],
      when: came('retryable'),
      then: 'attemptFailed',
      says: (facts) => sentence('{outcome}; a third attempt follows', { outcome: outcomeMessage(facts) }),
      look: { afterMs: limits.secondWaitMs },
    }),
    rule({
      id: 'attempts-spent',
      in: ['ThirdAttempt'],
      when: came('retryable'),
      then: 'attemptsSpent',
      says: outcomeMessage,
    }),
    rule({
      id: 'answer-awaited',
      in: attempts,
      when: came('unanswered'),
      then: 'answerAwaited',
      says: () => closed('the request is sent: the answer is awaited'),
      look: atTimeout,
    }),
    // A request in flight runs to its end; from here on, no request is in flight.
    rule({ id: 'webhook-withdrawn', in: attempts, when: isOff, then: 'webhookOff', says: outcomeMessage }),
    rule({
      id: 'first-wait',
      in: ['SecondAttempt'],
      when: (facts) => isWaiting(facts, limits.firstWaitMs),
      then: 'waitUnfinished',
      says: () => closed('the second attempt waits'),
      look: { at: 'due', moment: (facts) => dueAt(facts, limits.firstWaitMs) },
    }),
    rule({
      id: 'second-wait',
      in: ['ThirdAttempt'],
      when: (facts) => isWaiting(facts, limits.secondWaitMs),
      then: 'waitUnfinished',
      says: () => closed('the third attempt waits'),
      look: { at: 'due', moment: (facts) => dueAt(facts, limits.secondWaitMs) },
    }),
    rule({
      id: 'slot-awaited',
      in: attempts,
      when: ({ underWay }) => underWay >= limits.concurrent,
      then: 'slotAwaited',
      says: () => closed('too many deliveries are being sent: this one waits for its turn'),
      look: { afterMs: turnMs },
    }),
    rule({
      id: 'attempt-due',
      in: attempts,
      when: () => true,
      then: 'attemptDue',
      says: ({ type }) => sentence('{type} is sent', { type: toViewers(type) }),
      look: atTimeout,
    }),
  ];
};

/** The events of a delivery: the first rule that holds decides. */
export const webhookDeliveryEvents = webhookDeliveryEventsWith(deliveryLimits);
