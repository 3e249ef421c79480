import * as fc from 'fast-check';
import type { SleepAnswer, SleepSettingFacts } from '../../../rules/sleepSetting/facts.ts';

const now = 1_800_000_000_000;
const day = 86_400_000;

const answer: fc.Arbitrary<SleepAnswer> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('found' as const),
      active: fc.constantFrom(true, false, null, null),
      message: fc.constantFrom('', 'the serverless add-on is off'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(400, 401, 403, 404, 407, 408, 409, 428, 429, 430, 499, 500, 503)
      .map((code): SleepAnswer => ({ is: 'refused', code, why: 'service "shop" does not exist' })),
  },
  { weight: 1, arbitrary: fc.constant<SleepAnswer>({ is: 'silent' }) },
);

/** Facts of a sleep setting at every limit of the documents. */
export const facts: fc.Arbitrary<SleepSettingFacts> = fc.record({
  now: fc.constant(now),
  app: fc.constantFrom('shop', 'web-1'),
  wanted: fc.oneof(
    { weight: 1, arbitrary: fc.constant({ is: 'alwaysOn' as const }) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(0, 29_999, 30_000, 30_001, 600_000, day - 1, day, day + 1)
        .map((ms) => ({ is: 'sleepAfter' as const, ms })),
    },
  ),
  setting: fc.constantFrom(
    { is: 'saved' } as const,
    { is: 'saved' } as const,
    { is: 'refused', why: 'the service has no public host' } as const,
  ),
  savedAt: fc.option(
    fc.constantFrom(0, 1, 999, 1_000, 9_999, 10_000, 10_001).map((ms) => now - ms),
    { freq: 2 },
  ),
  answer,
});

const number = fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1, 2 ** 53);
const anything = fc.oneof(fc.string(), fc.constantFrom('', 'ACTIVE', '__proto__', 'x'.repeat(5_000)));

/** Invalid facts. */
export const invalid: fc.Arbitrary<SleepSettingFacts> = fc
  .record({
    now: number,
    app: anything,
    wanted: fc.record({ is: fc.constantFrom('alwaysOn', 'sleepAfter', ''), ms: number }),
    setting: fc.record({ is: fc.constantFrom('saved', 'refused', ''), why: anything }),
    savedAt: fc.option(number),
    answer: fc.oneof(
      answer,
      fc.record({ is: fc.constant('refused'), code: number, why: anything }),
      fc.record({ is: fc.constant('found'), active: fc.constantFrom(undefined, 'true', 1), message: anything }),
    ),
  })
  .map((given) => given as SleepSettingFacts);
