import * as fc from 'fast-check';
import type { ReceiverAnswer, WebhookDeliveryFacts } from '../../../rules/webhookDelivery/facts.ts';

const now = 1_800_000_000_000;
const types = ['deployment.started', 'deployment.succeeded', 'deployment.failed', 'test'] as const;

/** The status codes at every boundary of the documents. */
const codes = [199, 200, 204, 299, 300, 301, 302, 400, 404, 407, 408, 409, 428, 429, 430, 499, 500, 503, 599, 600];

const refused: fc.Arbitrary<ReceiverAnswer> = fc
  .constantFrom(
    { by: 'privateAddress' } as const,
    { by: 'urlForm' } as const,
    { by: 'connection', ip: '127.0.0.1' } as const,
  )
  .map((refusal) => ({ is: 'refused', refusal }));

const answers: fc.Arbitrary<ReceiverAnswer> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...codes).map((code): ReceiverAnswer => ({ is: 'answered', code })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('getaddrinfo ENOTFOUND hooks.example', 'connect ECONNREFUSED')
      .map((why): ReceiverAnswer => ({ is: 'networkError', why })),
  },
  { weight: 2, arbitrary: refused },
);

const ago = (...times: readonly number[]) => fc.constantFrom(...times).map((ms) => now - ms);

/** Facts of a delivery at every wait, limit and status code of the documents. */
export const facts: fc.Arbitrary<WebhookDeliveryFacts> = fc.record({
  now: fc.constant(now),
  type: fc.constantFrom(...types),
  announced: fc.boolean(),
  webhook: fc.constantFrom('on' as const, 'on' as const, 'on' as const, 'disabled' as const, 'removed' as const),
  chosen: fc.subarray(types.slice(0, 3)),
  overflows: fc.boolean(),
  endedAt: fc.option(ago(0, 1, 999, 1_000, 1_001, 4_999, 5_000, 5_001)),
  sentAt: fc.option(ago(0, 1, 9_999, 10_000, 10_001), { freq: 2 }),
  answer: fc.option(answers, { freq: 2 }),
  underWay: fc.constantFrom(0, 1, 6, 7, 8, 9),
});

const number = fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1, 2 ** 53);
const anything = fc.oneof(fc.string(), fc.constantFrom('', 'TEST', 'Disabled', '__proto__', 'x'.repeat(5_000)));

/** Invalid facts. */
export const invalid: fc.Arbitrary<WebhookDeliveryFacts> = fc
  .record({
    now: number,
    type: fc.oneof(fc.constantFrom(...types), anything),
    announced: fc.boolean(),
    webhook: anything,
    chosen: fc.array(anything, { maxLength: 3 }),
    overflows: fc.boolean(),
    endedAt: fc.option(number),
    sentAt: fc.option(number),
    answer: fc.option(
      fc.oneof(
        answers,
        fc.record({ is: fc.constant('answered'), code: number }),
        fc.record({ is: fc.constant('networkError'), why: anything }),
      ),
    ),
    underWay: number,
  })
  .map((given) => given as WebhookDeliveryFacts);
