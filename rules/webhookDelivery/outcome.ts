import type { VerdictRule } from '../verdict.ts';
import { refusalText } from './address.ts';
import { attemptOf } from './attempt.ts';
import { deliveryLimits, type Refusal, type WebhookDeliveryFacts } from './facts.ts';
import { closed, external, hidden, nothing, sentence, toViewers } from '../words.ts';

const refusalOf = ({ answer }: WebhookDeliveryFacts): Refusal | null =>
  answer?.is === 'refused' ? answer.refusal : null;

const refusalMessage = (facts: WebhookDeliveryFacts) => {
  const refusal = refusalOf(facts);
  return refusal === null ? nothing : refusalText(refusal);
};

export const offMessage = ({ webhook }: WebhookDeliveryFacts) =>
  sentence('the webhook is {webhook}: nothing is sent', { webhook: toViewers(webhook) });

const failed = (facts: WebhookDeliveryFacts) => ['retryable', 'final'].includes(attemptOf(facts, deliveryLimits));

/** The message about an attempt; while the status is False it is the `error` of the delivery's entry. */
export const deliveryOutcome: readonly VerdictRule<WebhookDeliveryFacts>[] = [
  {
    reason: 'PrivateAddress',
    status: 'False',
    when: (facts) => refusalOf(facts)?.by === 'privateAddress',
    message: refusalMessage,
  },
  {
    reason: 'UrlRefused',
    status: 'False',
    when: (facts) => refusalOf(facts)?.by === 'urlForm',
    message: refusalMessage,
  },
  {
    reason: 'ConnectionRefused',
    status: 'False',
    when: (facts) => refusalOf(facts)?.by === 'connection',
    message: refusalMessage,
  },
  {
    reason: 'ReceiverError',
    status: 'False',
    when: (facts) => facts.answer?.is === 'answered' && failed(facts),
    message: ({ answer }) =>
      sentence('receiver answered HTTP {code}', { code: hidden(answer?.is === 'answered' ? answer.code : '') }),
  },
  {
    reason: 'NetworkError',
    status: 'False',
    when: ({ answer }) => answer?.is === 'networkError',
    message: ({ answer }) => (answer?.is === 'networkError' ? external(answer.why) : nothing),
  },
  {
    reason: 'NoAnswer',
    status: 'False',
    when: (facts) => facts.answer === null && failed(facts),
    message: () => closed('receiver did not answer within 10 s'),
  },
  {
    reason: 'Received',
    status: 'True',
    when: ({ answer }) => answer?.is === 'answered',
    message: ({ answer }) =>
      sentence('received: HTTP {code}', { code: hidden(answer?.is === 'answered' ? answer.code : '') }),
  },
  {
    reason: 'WebhookOff',
    status: 'False',
    when: ({ sentAt, webhook }) => sentAt === null && webhook !== 'on',
    message: offMessage,
  },
  {
    reason: 'NoAnswerYet',
    status: 'Unknown',
    when: () => true,
    message: () => closed('no answer yet'),
  },
];
