import * as fc from 'fast-check';
import type { DeployWaitFacts, ServiceStatus, StatusAnswer } from '../../../rules/deployWait/facts.ts';

const now = 1_800_000_000_000;
const states = ['ready', 'pending', 'failed', 'draft', 'deleting'] as const;
const phases = ['Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Succeeded', 'Failed', 'Cancelled'] as const;

const status: fc.Arbitrary<ServiceStatus> = fc.record({
  state: fc.constantFrom('ready', 'pending', ...states),
  message: fc.constantFrom('', 'Deployment is not available'),
  url: fc.constantFrom('', 'https://shop.example.com'),
  ready: fc.boolean(),
  pendingChanges: fc.boolean(),
  replicas: fc.record({ desired: fc.constantFrom(0, 1, 2), ready: fc.constantFrom(0, 1, 2) }),
  build: fc.option(
    fc.record({
      phase: fc.constantFrom(...phases),
      failureReason: fc.constantFrom('', 'Builder completed without an immutable image digest'),
    }),
    { freq: 3 },
  ),
});

const answer: fc.Arbitrary<StatusAnswer> = fc.oneof(
  { weight: 6, arbitrary: status.map((status): StatusAnswer => ({ is: 'found', status })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(400, 401, 403, 404, 407, 408, 409, 428, 429, 430, 499, 500, 503)
      .map((code): StatusAnswer => ({ is: 'refused', code, why: 'service "shop" does not exist' })),
  },
  { weight: 1, arbitrary: fc.constant<StatusAnswer>({ is: 'silent' }) },
);

/** The duration of the wait, around the default of 10 minutes and a flag of 90 seconds. */
const lasted = [0, 1, 3_000, 89_999, 90_000, 90_001, 300_000, 599_999, 600_000, 600_001];

/** Facts of a wait at every limit of the documents. */
export const facts: fc.Arbitrary<DeployWaitFacts> = fc.record({
  now: fc.constant(now),
  app: fc.constantFrom('shop', 'web-1'),
  wait: fc.boolean(),
  named: fc.boolean(),
  listed: fc.constantFrom(...states),
  deploy: fc.constantFrom('accepted', 'accepted', 'refused'),
  startedAt: fc.option(fc.constantFrom(...lasted).map((ms) => now - ms)),
  timeoutMs: fc.constantFrom(null, null, 90_000, 3_600_000, 0),
  answer,
});

const number = fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1, 2 ** 53);
const anything = fc.oneof(fc.string(), fc.constantFrom('', 'READY', 'failed ', '__proto__', 'x'.repeat(5_000)));

/** Invalid facts. */
export const invalid: fc.Arbitrary<DeployWaitFacts> = fc
  .record({
    now: number,
    app: anything,
    wait: fc.boolean(),
    named: fc.boolean(),
    listed: anything,
    deploy: anything,
    startedAt: fc.option(number),
    timeoutMs: fc.option(number),
    answer: fc.oneof(
      answer,
      fc.record({ is: fc.constant('refused'), code: number, why: anything }),
      fc.record({
        is: fc.constant('found'),
        status: fc.record({
          state: anything,
          message: anything,
          url: anything,
          ready: fc.boolean(),
          pendingChanges: fc.boolean(),
          replicas: fc.record({ desired: number, ready: number }),
          build: fc.option(fc.record({ phase: anything, failureReason: anything })),
        }),
      }),
    ),
  })
  .map((given) => given as DeployWaitFacts);
