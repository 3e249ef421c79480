import type { DeliveryLimits, WebhookDeliveryFacts } from './facts.ts';

/** The progress or result of an attempt. */
export type Attempt = 'unsent' | 'unanswered' | 'received' | 'addressRefused' | 'retryable' | 'final';

const isRetryable = (code: number) => code === 408 || code === 429 || (code >= 500 && code <= 599);

/** Classifies an attempt; a request without a result that has reached its time limit is a network error. */
export function attemptOf({ now, sentAt, answer }: WebhookDeliveryFacts, limits: DeliveryLimits): Attempt {
  switch (answer?.is) {
    case 'refused':
      return 'addressRefused';
    case 'networkError':
      return 'retryable';
    case 'answered':
      if (answer.code < limits.errorFrom) return 'received';
      return isRetryable(answer.code) ? 'retryable' : 'final';
    default:
      if (sentAt === null) return 'unsent';
      return now - sentAt < limits.requestMs ? 'unanswered' : 'retryable';
  }
}
