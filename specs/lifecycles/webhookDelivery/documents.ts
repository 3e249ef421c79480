import type { WebhookDeliveryEvent, WebhookDeliveryState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { WebhookDeliveryFacts } from '../../../rules/webhookDelivery/facts.ts';

type Event = WebhookDeliveryEvent['type'];

const eventNames = ['deployment.started', 'deployment.succeeded', 'deployment.failed'];

/** Document 001, "Events": whether an event becomes a delivery. */
function creationEvent({ type, announced, webhook, chosen, overflows }: WebhookDeliveryFacts): Event {
  const onlyIfAnnounced = eventNames.slice(1);
  if (onlyIfAnnounced.includes(type) && !announced) return 'deployNotAnnounced';
  if (webhook === 'disabled' || webhook === 'removed') return 'webhookOff';
  const isChosen = type === 'test' || chosen.length === 0 || chosen.includes(type);
  if (!isChosen) return 'eventNotChosen';
  return overflows ? 'queueFull' : 'eventChosen';
}

/** Document 001, "Retries": network errors, 5xx, 429 and 408 are retried. */
function triedAgain({ answer, sentAt, now }: WebhookDeliveryFacts): boolean {
  if (answer === null) return sentAt !== null && now >= sentAt + 10_000;
  if (answer.is === 'networkError') return true;
  return answer.is === 'answered' && (Math.floor(answer.code / 100) === 5 || [429, 408].includes(answer.code));
}

/** Document 001, "Events": the result of an attempt from its response or timeout; null while there is neither. */
function ended(attempt: 1 | 2 | 3, facts: WebhookDeliveryFacts): Event | null {
  const { answer, type } = facts;
  const oneAttemptOnly = type === 'test' && attempt === 1;
  if (answer?.is === 'refused') return 'addressRefused';
  if (answer?.is === 'answered' && answer.code < 300) return 'received';
  if (triedAgain(facts)) {
    if (attempt === 3) return 'attemptsSpent';
    return oneAttemptOnly ? 'testFailed' : 'attemptFailed';
  }
  if (answer === null) return null;
  return oneAttemptOnly ? 'testFailed' : 'answerRefused';
}

/** Document 001, "Retries": 1 s before the second attempt, 5 s before the third, at most 8 deliveries at once. */
function unsent(attempt: 1 | 2 | 3, { now, endedAt, webhook, underWay }: WebhookDeliveryFacts): Event {
  if (webhook !== 'on') return 'webhookOff';
  const wait = { 1: -Infinity, 2: 1_000, 3: 5_000 }[attempt];
  if (now - (endedAt ?? 0) < wait) return 'waitUnfinished';
  return underWay > 7 ? 'slotAwaited' : 'attemptDue';
}

const attempts = { FirstAttempt: 1, SecondAttempt: 2, ThirdAttempt: 3 } as const;

/** Document 001, "Events", written down a second time: what happened to a delivery. */
export function documents(state: WebhookDeliveryState | Absence, facts: WebhookDeliveryFacts): Event | null {
  if (state === '(none)') return creationEvent(facts);
  if (state === 'Delivered' || state === 'Failed') return null;
  const attempt = attempts[state];
  return ended(attempt, facts) ?? (facts.sentAt === null ? unsent(attempt, facts) : 'answerAwaited');
}

/** The message about an attempt, by the id of its row. */
export function documentsOfOutcome(facts: WebhookDeliveryFacts): string {
  const { answer, sentAt, webhook } = facts;
  if (answer?.is === 'networkError') return 'WHK-035';
  if (answer?.is === 'answered') return answer.code >= 300 ? 'WHK-048' : 'WHK-055';
  if (answer?.is === 'refused')
    return { privateAddress: 'WHK-047', urlForm: 'WHK-045', connection: 'WHK-049' }[answer.refusal.by];
  if (triedAgain(facts)) return 'WHK-039';
  return sentAt === null && webhook !== 'on' ? 'WHK-015' : 'WHK-053';
}
